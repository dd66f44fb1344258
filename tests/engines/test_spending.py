"""The cap on a run's spending: whatever requests cost, however jobs end, it holds."""

import asyncio
import subprocess
import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from skipping import skip

from headcount.engines.spending import DOLLAR, Spending, spent
from headcount.errors import UserError

requests = st.lists(
    st.tuples(
        st.integers(0, 300),  # the most that it may cost, in millionths of the cap
        st.sampled_from([0.0, 0.1, 1.0, None]),  # the share of it that it costs; None: its reply is lost
        st.floats(0, 5),  # when it is sent
        st.floats(0.01, 5),  # how long its reply takes
    ),
    max_size=30,
)


@given(st.lists(st.tuples(requests, st.booleans()), min_size=1, max_size=4), st.integers(1, 1000))
def test_whatever_requests_cost_and_however_jobs_end_the_cap_holds(tmp_path_factory, jobs, cap):
    """Jobs that run at once; some are killed, which is to say that they never close the file."""
    path, at_most, most_at_once = tmp_path_factory.mktemp("run") / "s.sqlite", 0, 0

    async def one(spending, most, share, sent, takes):
        nonlocal at_most, most_at_once
        await asyncio.sleep(sent)
        with suppress(UserError):
            await spending.hold(most)
            at_most += most
            most_at_once = max(most_at_once, at_most)
            await asyncio.sleep(takes)
            due = most if share is None else int(share * most)
            spending.settle(most, due)
            at_most -= most - due

    async def job(requests, killed):
        spending = Spending(path, cap / 1_000_000)
        spending.__enter__()
        scale = DOLLAR // 1_000_000
        await asyncio.gather(*(one(spending, most * scale, *rest) for most, *rest in requests))
        if not killed:
            spending.__exit__()

    async def main():
        await asyncio.gather(*(job(*of) for of in jobs))

    skip(main())
    assert most_at_once <= cap * DOLLAR // 1_000_000
    assert at_most <= round(spent(path) * DOLLAR) <= cap * DOLLAR // 1_000_000
    if not any(killed for _, killed in jobs):
        assert round(spent(path) * DOLLAR) == at_most


BUYER = """
import asyncio, itertools, os, random, signal, sys
from pathlib import Path
from headcount.engines.spending import DOLLAR, Spending
from headcount.errors import UserError

async def main(path, seed):
    chance = random.Random(seed)
    with Spending(Path(path), 1.0) as spending:
        try:
            for bought in itertools.count():
                most = chance.randrange(DOLLAR // 500)
                await spending.hold(most)
                await asyncio.sleep(0.0005)
                due = chance.randrange(most + 1)
                print(due, flush=True)  # the server's bill
                spending.settle(most, due)
                if seed == "0" and bought == 50:
                    os.kill(os.getpid(), signal.SIGKILL)
        except UserError:
            print("stopped", flush=True)
asyncio.run(main(sys.argv[1], sys.argv[2]))
"""


def test_processes_share_one_cap_and_use_all_of_it(tmp_path):
    path = tmp_path / "s.sqlite"
    command = [sys.executable, "-c", BUYER, path]
    buyers = [subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, text=True) for seed in range(3)]
    said = [line for buyer in buyers for line in buyer.communicate()[0].splitlines()]
    bills = [int(line) for line in said if line != "stopped"]
    assert said.count("stopped") == 2, "the first is killed"
    assert 0.98 * DOLLAR <= sum(bills) <= DOLLAR
    assert sum(bills) <= round(spent(path) * DOLLAR) <= DOLLAR


def test_a_refusal_says_what_was_spent_what_comes_next_and_what_to_do(tmp_path):
    async def main():
        with Spending(tmp_path / "s.sqlite", 1) as spending:
            await spending.hold(DOLLAR // 2)
            spending.settle(DOLLAR // 2, DOLLAR // 4)
            await spending.hold(DOLLAR - DOLLAR // 5)

    with pytest.raises(UserError, match=r"of 1\.00 USD, 0\.2500 count as spent.*up to 0\.8000.*raise 'spending_cap'"):
        asyncio.run(main())
    assert spent(tmp_path / "s.sqlite") == 0.25


def test_a_raised_cap_lets_a_run_go_on_from_what_it_spent(tmp_path):
    async def buy(cap):
        with Spending(tmp_path / "s.sqlite", cap) as spending:
            await spending.hold(DOLLAR)
            spending.settle(DOLLAR, DOLLAR)

    asyncio.run(buy(1))
    with pytest.raises(UserError, match=r"of 1\.50 USD, 1\.0000 count as spent"):
        asyncio.run(buy(1.5))
    asyncio.run(buy(2))
    asyncio.run(buy(None))
    assert spent(tmp_path / "s.sqlite") == 3


def test_near_the_cap_requests_wait_for_what_is_in_flight_to_cost_less(tmp_path):
    async def one(spending):
        await spending.hold(DOLLAR)
        await asyncio.sleep(1)
        spending.settle(DOLLAR, DOLLAR // 10)

    async def main():
        with Spending(tmp_path / "s.sqlite", 1.5) as spending:
            await asyncio.gather(*(one(spending) for _ in range(6)))

    skip(main())
    assert spent(tmp_path / "s.sqlite") == pytest.approx(0.6)


def test_a_file_that_is_something_else_is_named(tmp_path):
    (tmp_path / "s.sqlite").write_text("no database, but long enough to be looked at" * 30)
    with pytest.raises(UserError, match=r"s\.sqlite: not a file of spending"), Spending(tmp_path / "s.sqlite", 1):
        pass
    with pytest.raises(UserError, match=r"s\.sqlite: not a file of spending"):
        spent(tmp_path / "s.sqlite")


def test_nothing_is_spent_before_anything_is_asked(tmp_path):
    assert spent(tmp_path / "s.sqlite") == 0
