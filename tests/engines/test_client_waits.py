"""How the client waits: as long as a server wants, within an account's limits, and not for hours."""

import asyncio
import time
from dataclasses import replace

import pytest
from aiohttp import web
from asking import REQUEST, ask, busy, first_then_well
from chat_server import plain

from headcount.engines import client, limits
from headcount.engines.limits import Limits
from headcount.errors import UserError


def test_the_server_says_when_to_come_back():
    started = time.monotonic()
    ask(first_then_well(busy, busy))
    assert time.monotonic() - started >= 2 * 0.3


def test_the_server_may_ask_for_a_longer_wait_than_our_own_longest(monkeypatch):
    monkeypatch.setattr(client, "_LONGEST_WAIT", 0.01)
    started = time.monotonic()
    ask(first_then_well(busy))
    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize("status", [429, 503])
def test_a_job_does_not_sleep_for_hours(status):
    async def tomorrow(_):
        return web.Response(status=status, headers={"Retry-After": "86400"}, text="daily quota")

    with pytest.raises(
        UserError, match=f"{status}, and wants to be asked again in 86400 s: run again then. daily quota"
    ):
        ask(tomorrow)


def test_while_a_server_wants_a_pause_nobody_else_asks_it():
    asked, told = [], 0.0

    async def answer(request):
        nonlocal told
        asked.append(time.monotonic())
        if (await request.json())["seed"] == 0 and not told:
            told = time.monotonic()
            return web.Response(status=429, headers={"Retry-After": "0.4"})
        await asyncio.sleep(0.1)
        return await plain(request)

    ask(answer, [replace(REQUEST, seed=seed) for seed in range(20)], concurrency=3)
    assert len(asked) == 21
    assert sum(told < at < told + 0.4 for at in asked) <= 2, "those that were on their way"


def test_to_be_told_to_wait_is_no_failure_while_others_are_answered():
    turned_away = 0

    async def answer(request):
        nonlocal turned_away
        if (await request.json())["seed"] == 0 and turned_away < 12:
            turned_away += 1
            return web.Response(status=429, headers={"Retry-After": "0.001"})
        return await plain(request)

    assert len(ask(answer, [replace(REQUEST, seed=seed) for seed in range(300)], retries=3, concurrency=4)) == 300
    assert turned_away == 12


def test_requests_keep_to_the_limits_of_an_account(monkeypatch):
    monkeypatch.setattr(limits, "MINUTE", 0.3)
    started = time.monotonic()
    ask(plain, [replace(REQUEST, seed=seed) for seed in range(11)], limits=Limits(requests_per_minute=5))
    assert time.monotonic() - started >= 2 * 0.3
