"""The client and money: what a server bills never exceeds the cap, and everything that it billed is counted."""

import asyncio
import random
from dataclasses import replace

import pytest
from aiohttp import web
from asking import IDENTITY, REQUEST, ask
from chat_server import completion, serving
from small_runs import small_config

from headcount.config_models import Prices
from headcount.engines.bills import Till, cost, most_tokens
from headcount.engines.open import open_engines
from headcount.engines.spending import DOLLAR, Spending, spending_file, spent
from headcount.errors import UserError

PRICES = Prices(prompt=500, completion=2000)
PROMPT, COMPLETION = most_tokens(REQUEST)
MOST = cost(PRICES, PROMPT, COMPLETION) / DOLLAR


def replied(prompt=2, reply=3, **usage):
    body = completion("FINAL: 1")
    return web.json_response(body | {"usage": {"prompt_tokens": prompt, "completion_tokens": reply, **usage}})


def spend(tmp_path, answer, requests=(REQUEST,), *, cap=None, **settings):
    """What is counted after some requests, and how they ended."""
    with Spending(tmp_path / "s.sqlite", cap) as spending:
        till, end = Till(spending, PRICES), None
        try:
            ask(answer, requests, till=till, **settings)
        except UserError as failure:
            end = str(failure)
    return spent(tmp_path / "s.sqlite"), end


def once(way):
    ways = [way]

    async def answer(_):
        return await ways.pop()() if ways else replied()

    return answer


def test_a_reply_costs_what_it_took_thoughts_included(tmp_path):
    async def answer(request):
        return replied(*USAGE[(await request.json())["seed"]])

    USAGE = [(4, 5), (1000, 0)]
    assert spend(tmp_path, answer, [replace(REQUEST, seed=0)])[0] == pytest.approx((4 * 500 + 5 * 2000) / 1e6)

    async def thinking(_):
        return replied(4, 5, total_tokens=4 + 5 + 6)

    assert spend(tmp_path / "t", thinking)[0] == pytest.approx((4 * 500 + 11 * 2000) / 1e6)


REPLY = (2 * 500 + 3 * 2000) / 1e6


async def turned_away():
    return web.Response(status=429, headers={"Retry-After": "0.01"})


async def broke():
    return web.Response(status=500, headers={"Retry-After": "0.01"})


async def stalled():
    await asyncio.sleep(30)


async def no_completion():
    return web.Response(text="{")


@pytest.mark.parametrize(("way", "counted"), [(turned_away, 0), (broke, MOST), (stalled, MOST), (no_completion, MOST)])
def test_what_was_lost_may_be_billed_and_counts_in_full_and_what_was_turned_away_is_not(tmp_path, way, counted):
    assert spend(tmp_path, once(way), timeout=0.3) == (pytest.approx(counted + REPLY), None)


async def uncounted():
    return web.json_response({"choices": completion("FINAL: 1")["choices"]})


def test_a_reply_without_usage_counts_in_full(tmp_path):
    assert spend(tmp_path, once(uncounted))[0] == pytest.approx(MOST)


@pytest.mark.parametrize(("status", "counted"), [(401, 0), (400, MOST)])
def test_a_wrong_key_costs_nothing_and_a_bad_request_may(tmp_path, status, counted):
    async def refuse():
        return web.Response(status=status)

    assert spend(tmp_path, once(refuse))[0] == pytest.approx(counted)


def test_nobody_there_costs_nothing(tmp_path):
    async def main(till):
        async with till.bill(1, 1):
            raise UserError("stopped while it waited")

    with Spending(tmp_path / "s.sqlite", None) as spending, pytest.raises(UserError):
        asyncio.run(main(Till(spending, PRICES)))
    assert spent(tmp_path / "s.sqlite") == 0


@pytest.mark.parametrize("seed", range(4))
def test_a_server_that_fails_at_random_never_bills_more_than_the_cap(tmp_path, seed):
    """The server counts by itself: all that it worked on, whether its reply arrived or not."""
    chance, billed = random.Random(seed), 0.0

    async def answer(_):
        nonlocal billed
        way = chance.choice(["well", "well", "well", "busy", "broken", "cut"])
        if way == "busy":
            return web.Response(status=429, headers={"Retry-After": "0.001"})
        took = chance.randint(1, PROMPT), chance.randint(1, COMPLETION)
        billed += cost(PRICES, *took) / DOLLAR
        await asyncio.sleep(chance.uniform(0, 0.003))
        if way == "broken":
            return web.Response(status=500, headers={"Retry-After": "0.001"})
        return replied(*took) if way == "well" else web.Response(text='{"choices": []')

    requests = [replace(REQUEST, seed=seed) for seed in range(300)]
    counted, end = spend(tmp_path, answer, requests, cap=MOST * 40, retries=9, concurrency=8)
    assert "spending_cap" in end
    assert MOST * 25 < billed <= counted <= MOST * 40


def test_all_hosted_models_of_a_run_and_all_of_its_jobs_share_the_cap(tmp_path):
    """And what answered is what the service says that it ran, and where."""
    asked, took = [], 15 / 1e6  # USD a reply
    cap = 1.5 * took + (PROMPT + COMPLETION) / 1e6

    async def answer(request):
        asked.append((await request.json())["model"])
        return web.json_response(completion("FINAL: 1") | {"model": "served-0613", "system_fingerprint": "fp_1"})

    async def job(url):
        model = {"engine": "api", "url": url, "prices": {"prompt": 1, "completion": 1}}
        models = {"a": model, "b": model, "free": {"engine": "api", "url": url}}
        config = small_config(models=models, members=("a",)).model_copy(update={"spending_cap": cap})
        async with open_engines(config, {"a", "b", "free"}, "a", {}, tmp_path) as engines:
            requests = {name: replace(REQUEST, identity=replace(IDENTITY, model=name)) for name in engines}
            free = await engines["free"].complete(requests["free"])
            for name in "ab":
                await engines[name].complete(requests[name])
            return free.server

    with serving(answer) as url:
        assert asyncio.run(job(url)) == "api served-0613 fp_1 at 127.0.0.1"
        with pytest.raises(UserError, match="spending_cap"):
            asyncio.run(job(url))
    assert asked == ["free", "a", "b", "free"]
    assert spent(spending_file(tmp_path, "small")) == pytest.approx(2 * took)
