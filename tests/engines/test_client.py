"""The client against a real server that misbehaves on purpose."""

import asyncio
import json
from dataclasses import replace

import pytest
from aiohttp import web
from asking import IDENTITY, KEY, REQUEST, ask, busy, first_then_well
from chat_server import completion, plain

from headcount.engines.client import Client
from headcount.errors import UserError


async def down(_):
    return web.Response(status=503, text="later")


async def cut_off(request):
    reply = web.StreamResponse(headers={"Content-Length": "1000"})
    await reply.prepare(request)
    await reply.write(b'{"choices": [{"mess')
    request.transport.close()
    return reply


async def stalled(_):
    await asyncio.sleep(30)
    return web.Response()


def saying(body):
    async def answer(_):
        return web.Response(text=body, content_type="application/json")

    return answer


NO_COMPLETIONS = [
    "{",
    "[]",
    "null",
    '"FINAL: A"',
    "{}",
    '{"choices": []}',
    '{"choices": null}',
    '{"choices": ["A"]}',
    '{"choices": [{}]}',
    '{"choices": [{"message": null}]}',
    '{"choices": [{"message": {"content": ["A"]}}]}',
    '{"choices": [{"message": {"content": "A"}, "logprobs": {"content": [{}]}}]}',
    '{"error": {"message": "overloaded"}}',
]


@pytest.mark.parametrize("failure", [busy, down, cut_off])
def test_a_failure_outside_the_question_is_asked_again(failure):
    (reply,) = ask(first_then_well(failure))
    assert reply.text.startswith("FINAL: ")
    assert (reply.finish_reason, reply.prompt_tokens, reply.completion_tokens) == ("stop", 11, 4)


def test_what_is_not_a_completion_is_asked_again():
    asked = []

    async def answer(request):
        seed = (await request.json())["seed"]
        asked.append(seed)
        return web.Response(text=NO_COMPLETIONS[seed]) if asked.count(seed) == 1 else await plain(request)

    requests = [replace(REQUEST, seed=seed) for seed in range(len(NO_COMPLETIONS))]
    assert all(reply.text.startswith("FINAL: ") for reply in ask(answer, requests, concurrency=99))
    assert sorted(asked) == sorted(2 * list(range(len(NO_COMPLETIONS))))


def test_a_server_that_stalls_is_left_and_asked_again():
    assert ask(first_then_well(stalled), timeout=0.3)[0].text.startswith("FINAL: ")


@pytest.mark.parametrize("failure", [down, cut_off, stalled, saying('{"choices": []}')])
def test_a_server_that_keeps_failing_is_an_error_that_says_how_often_where_and_what(failure):
    with pytest.raises(UserError, match=r"t / a / debate, item q0, .*http://127.*completions failed 2 times: \S"):
        ask(first_then_well(failure, failure), retries=1, timeout=0.3)


def test_nobody_there():
    async def main():
        async with Client("http://127.0.0.1:9", retries=0) as client:
            await client.complete(REQUEST)

    with pytest.raises(UserError, match=r"127\.0\.0\.1:9"):
        asyncio.run(main())


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_not_asked_again_and_never_shows_the_key(status):
    asked = []

    async def refuse(request):
        asked.append(request.headers["Authorization"])
        return web.Response(status=status, text=f"Incorrect API key provided: {KEY}. " + "x" * 999)

    with pytest.raises(UserError, match=f"refused: {status} Incorrect API key") as refused:
        ask(refuse)
    assert asked == [f"Bearer {KEY}"]
    assert KEY not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_a_key_in_a_broken_reply_is_not_shown_either():
    with pytest.raises(UserError) as refused:
        ask(first_then_well(saying(f'{{"debug": "{KEY}"}}')), retries=0)
    assert "sk-secret" not in str(refused.value)


@pytest.mark.parametrize("key", [KEY, "sk/secret+0123456789=="])
def test_a_reply_that_quotes_the_key_is_kept_without_it(key):
    async def answer(request):
        said = request.headers["Authorization"]
        more = {"model": said, "system_fingerprint": said.replace("/", "\\/")}
        return web.Response(text=json.dumps(completion(f"FINAL: 1 {said}") | more).replace("\\\\", "\\"))

    (reply,) = ask(answer, key=key, server="api {model}")
    assert reply.text == "FINAL: 1 Bearer (key)"
    assert reply.server == "api Bearer (key) Bearer (key)"


def test_a_word_in_place_of_a_key_may_stand_in_a_reply():
    async def answer(_):
        return web.json_response(completion("the set is EMPTY"))

    assert ask(answer, key="EMPTY")[0].text == "the set is EMPTY"


def test_the_key_goes_nowhere_else():
    async def elsewhere(_):
        return web.Response(status=307, headers={"Location": "http://127.0.0.1:9/v1/chat/completions"})

    with pytest.raises(UserError, match="refused: 307"):
        ask(elsewhere)


def test_the_spending_cap_counts_further_tries():
    asked = []

    async def fail(request):
        asked.append(request)
        return web.Response(status=500, headers={"Retry-After": "0.01"})

    with pytest.raises(UserError, match="'max_requests' is reached"):
        ask(fail, retries=9, max_requests=4)
    assert len(asked) == 4


def test_after_a_refusal_nothing_more_is_sent_not_even_a_further_try():
    asked = []

    async def answer(request):
        asked.append((await request.json())["seed"])
        return await busy(request) if asked[-1] == 0 else web.Response(status=400)

    with pytest.raises(UserError, match="refused: 400"):
        ask(answer, [replace(REQUEST, seed=seed) for seed in range(9)], concurrency=2)
    assert sorted(asked) == [0, 1]


def test_every_request_has_its_own_reply_once_and_no_more_are_in_flight_than_allowed():
    requests = [replace(REQUEST, seed=seed) for seed in range(200)]
    seen, now, most = [], 0, 0

    async def answer(request):
        nonlocal now, most
        seed, now = (await request.json())["seed"], now + 1
        most = max(most, now)
        seen.append(seed)
        await asyncio.sleep(0.002 * (seed % 5))
        now -= 1
        return web.json_response(completion(str(seed)))

    replies = ask(answer, requests, concurrency=7)
    assert [reply.text for reply in replies] == [str(seed) for seed in range(200)]
    assert sorted(seen) == list(range(200))
    assert most == 7


def test_a_server_gets_all_that_is_in_the_key():
    got = []

    async def answer(request):
        got.append(await request.json())
        return await plain(request)

    identity = replace(IDENTITY, grammar="root ::= x", stop=("END",))
    ask(answer, [replace(REQUEST, identity=identity)], extra=lambda request: {"cache": request.place.item})
    assert got == [
        {
            "model": "served",
            "messages": [{"role": "user", "content": "Äh?"}],
            "temperature": 0.4,
            "top_p": 0.95,
            "max_tokens": 9,
            "seed": 7,
            "stop": ["END"],
            "grammar": "root ::= x",
            "cache": "q0",
        }
    ]
