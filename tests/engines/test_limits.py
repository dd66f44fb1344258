"""Rate limits, in a time that passes as soon as nobody has anything to do."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from skipping import skip

from headcount.engines.limits import MINUTE, Limits, retry_after

requests = st.lists(
    st.tuples(
        st.floats(0, 90),  # when it comes
        st.integers(1, 400),  # the most that it may take
        st.floats(0, 1),  # the share of it that it takes
        st.floats(0.01, 200),  # how long its reply takes
    ),
    min_size=1,
    max_size=40,
)


def sent(limits, requests):
    """When each request was sent, and what it took, by time."""
    log = []

    async def one(comes, most, share, takes):
        await asyncio.sleep(comes)
        entry = await limits.admit(most)
        log.append((asyncio.get_running_loop().time(), took := int(most * share)))
        await asyncio.sleep(takes)
        limits.correct(entry, took)

    async def main():
        await asyncio.gather(*(one(*request) for request in requests))

    skip(main())
    return sorted(log)


@given(requests, st.none() | st.integers(1, 9), st.none() | st.integers(1, 900))
def test_no_minute_has_more_requests_or_tokens_than_allowed(requests, per_minute, tokens_per_minute):
    log = sent(Limits(per_minute, tokens_per_minute), requests)
    assert len(log) == len(requests)
    for start, _ in log:
        minute = [took for at, took in log if start <= at < start + MINUTE]
        assert per_minute is None or len(minute) <= per_minute
        assert tokens_per_minute is None or len(minute) == 1 or sum(minute) <= tokens_per_minute


@given(requests)
def test_without_limits_nobody_waits(requests):
    comes = sorted(comes for comes, *_ in requests)
    assert [at for at, _ in sent(Limits(), requests)] == pytest.approx(comes, abs=1e-6)


def test_what_replies_did_not_take_is_there_for_others():
    thirty = [(0, 1000, 0.1, 1)] * 30
    assert sent(Limits(None, 5000), thirty)[-1][0] < 15
    assert sent(Limits(None, 5000), [(0, 1000, 1, 1)] * 30)[-1][0] >= 5 * MINUTE


def test_a_correction_that_comes_after_the_minute_changes_nothing():
    assert [at for at, _ in sent(Limits(None, 10), [(0, 10, 0, 100), (70, 10, 1, 1), (110, 10, 1, 1)])] == [0, 70, 130]


def test_a_request_larger_than_a_minute_allows_gets_a_minute_to_itself():
    assert [at for at, _ in sent(Limits(None, 10), [(0, 5, 1, 1), (1, 99, 1, 1), (2, 5, 1, 1)])] == [0, 60, 120]


def test_a_pause_holds_everybody_back_who_waits_or_comes():
    async def main():
        limits, clock = Limits(2), asyncio.get_running_loop().time
        waits = [asyncio.create_task(limits.admit(1)) for _ in range(3)]
        await asyncio.sleep(59)
        limits.pause(7)
        limits.pause(1)  # a shorter one ends none
        return [(await wait).sent for wait in waits], (await limits.admit(1)).sent, clock()

    assert skip(main()) == ([0, 0, 66], 66, 66)


def test_the_wait_that_a_server_wants():
    now = datetime.now(UTC).replace(microsecond=0)
    date = {"Date": format_datetime(now - timedelta(hours=3), usegmt=True)}  # its clock is wrong, and ours may be
    then = format_datetime(now - timedelta(hours=3) + timedelta(seconds=90), usegmt=True)
    assert retry_after({"Retry-After": "90"}) == 90
    assert retry_after({"Retry-After": "0.25"}) == 0.25
    assert retry_after({"Retry-After": then} | date) == 90
    assert retry_after({"Retry-After": format_datetime(now + timedelta(seconds=90), usegmt=True)}) == pytest.approx(
        90, abs=9
    )
    assert retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 -0000"}) == 0
    assert retry_after({"Retry-After": "-5"}) == 0


@pytest.mark.parametrize("said", ["", "soon", "nan", "inf", "1e999", "Wed, 99 Oct 2015 07:28:00 GMT"])
def test_nonsense_is_no_wait(said):
    assert retry_after({"Retry-After": said}) is None
    assert retry_after({}) is None
