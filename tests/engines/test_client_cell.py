"""A whole cell from a server that misbehaves in every way, at random: it is complete, and each reply is there once."""

import asyncio
import random

import pytest
from aiohttp import web
from chat_server import plain, serving
from small_runs import keys_in, run, small_config, small_items

from headcount.content import content_hash
from headcount.engines.spending import spending_file, spent
from headcount.errors import UserError

ITEMS = small_items(5)


async def body_of(request):
    return (await plain(request)).body


async def busy(_):
    return web.Response(status=429, headers={"Retry-After": "0.005"}, text="slow down")


async def broke(_):
    return web.Response(status=random.choice([500, 502, 503, 529]), headers={"Retry-After": "0.005"})


async def stalls(_):
    await asyncio.sleep(30)


async def stalls_in_its_reply(request):
    reply = web.StreamResponse()
    await reply.prepare(request)
    await reply.write((await body_of(request))[:20])
    await asyncio.sleep(30)
    return reply


async def cuts_its_body(request):
    body = await body_of(request)
    reply = web.StreamResponse(headers={"Content-Length": str(len(body))})
    await reply.prepare(request)
    await reply.write(body[: len(body) // 2])
    request.transport.close()
    return reply


async def cuts_its_stream(request):
    reply = web.StreamResponse()
    reply.enable_chunked_encoding()
    await reply.prepare(request)
    await reply.write((await body_of(request))[:20])
    request.transport.close()
    return reply


async def hangs_up(request):
    request.transport.close()
    return web.Response()


async def breaks_its_json(request):
    return web.Response(body=(await body_of(request))[:-7], content_type="application/json")


async def has_no_choice(_):
    return web.json_response({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 0}})


WAYS = [broke, stalls, stalls_in_its_reply, cuts_its_body, cuts_its_stream, hangs_up, breaks_its_json, has_no_choice]


class Misbehaving:
    """Three of ten times too busy, three of ten worse."""

    def __init__(self):
        self.chance, self.ways = random.Random(2606), []

    async def __call__(self, request):
        way = self.chance.choices([plain, busy, self.chance.choice(WAYS)], [4, 3, 3])[0]
        self.ways.append(way)
        return await way(request)


def config(url, timeout=30):
    hosted = {"engine": "api", "url": url, "model": "served", "concurrency": 12, "retries": 40, "timeout": timeout}
    hosted |= {"prices": {"prompt": 1, "completion": 1}}
    return small_config(models={"m": hosted}, sizes=(2, 4), conditions=("debate", "self_correction"), spending_cap=1)


def contents(config, cache):
    """The content of a run's files."""
    made = run(config, ITEMS, cache)
    return [content_hash(table) for table in (*made.draws.values(), *made.turns.values())]


def test_a_misbehaving_server_yields_the_complete_cell_and_each_reply_once(tmp_path, monkeypatch):
    monkeypatch.setattr("headcount.engines.client._LONGEST_WAIT", 0.02)
    server = Misbehaving()
    with serving(server) as url:
        misbehaved = contents(config(url, timeout=0.25), tmp_path / "misbehaved")
    assert set(server.ways) == {plain, busy, *WAYS}
    with serving(plain) as url:
        assert contents(config(url), tmp_path / "well") == misbehaved
    keys = keys_in(tmp_path / "misbehaved")
    assert len(keys) == len(set(keys)) <= server.ways.count(plain)
    assert sorted(keys) == sorted(keys_in(tmp_path / "well"))
    lost = sum(way not in (plain, busy, broke) for way in server.ways)
    well, misbehaved = (spent(spending_file(tmp_path / name, "small")) for name in ("well", "misbehaved"))
    assert well == pytest.approx(len(keys) * 15 / 1e6)
    assert misbehaved > well + lost * 1024 / 1e6, "all that was lost counts as if it had been as long as allowed"


def test_the_cap_holds_over_jobs_and_calls_and_nothing_paid_for_is_lost(tmp_path):
    """A reply costs 15 tokens. The next may take 1024 and its prompt, and is not sent where that would be too much."""
    asked = []

    async def answer(request):
        asked.append(await request.read())
        return await plain(request)

    with serving(answer) as url:
        dear = config(url).model_copy(update={"spending_cap": 0.002})
        for _ in range(2):
            with pytest.raises(UserError, match=r"spending_cap: of 0\.00 USD, 0\.00.* count as spent"):
                run(dear, ITEMS, tmp_path)
            assert len(asked) == len(set(asked)) == len(keys_in(tmp_path)) < 144
            assert spent(spending_file(tmp_path, "small")) <= 0.002
        run(config(url), ITEMS, tmp_path)
    assert len(asked) == len(set(asked)) == len(keys_in(tmp_path))
    assert spent(spending_file(tmp_path, "small")) == pytest.approx(len(asked) * 15 / 1e6)
