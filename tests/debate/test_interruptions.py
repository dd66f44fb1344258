"""Jobs that are killed, stopped or refused lose next to nothing that was paid for, and end as if nothing had been."""

import asyncio
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from aiohttp import web
from chat_server import plain, serving
from small_runs import keys_in, run, small_config, small_items

from headcount.debate.journal import COMMIT_SECONDS
from headcount.errors import UserError

CONCURRENCY, DELAY = 8, 0.02  # at most 400 replies a second
ITEMS = small_items(25)
JOB = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[3].split(":")
from test_interruptions import ITEMS, paid_config
from small_runs import run
run(paid_config(sys.argv[1]), ITEMS, Path(sys.argv[2]))
"""


def paid_config(url, **model):
    """A run that asks a server."""
    settings = {"engine": "api", "url": url, "model": "served", "concurrency": CONCURRENCY, "retries": 0} | model
    return small_config(sizes=(2, 4), conditions=("debate", "self_correction"), models={"m": settings})


class Till:
    """Answers every question after a moment, and counts what it was paid for."""

    def __init__(self):
        self.paid = 0

    async def __call__(self, request):
        await asyncio.sleep(DELAY)
        self.paid += 1
        return await plain(request)

    def wait_for(self, paid):
        patience = time.monotonic() + 60
        while self.paid < paid:
            assert time.monotonic() < patience, "the job asks nothing"
            time.sleep(0.002)


def start(url, cache):
    here = Path(__file__).parent
    command = [sys.executable, "-c", JOB, url, cache, f"{here}:{here.parent}"]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def test_a_run_that_is_killed_again_and_again_ends_like_one_that_is_not(tmp_path):
    chance, till = random.Random(2606), Till()
    with serving(till) as url:
        run(paid_config(url), ITEMS, tmp_path / "undisturbed")
        undisturbed, till.paid = keys_in(tmp_path / "undisturbed"), 0
        kept = 0
        for _ in range(6):
            job = start(url, tmp_path / "killed")
            paid_before = till.paid
            till.wait_for(paid_before + chance.randint(1, 160))
            job.kill()
            job.communicate()
            assert job.returncode == -signal.SIGKILL
            time.sleep(5 * DELAY)  # what is in flight is answered, though nobody listens
            lost = till.paid - paid_before + kept - len(keys_in(tmp_path / "killed"))
            assert lost <= 2 * CONCURRENCY * COMMIT_SECONDS / DELAY  # twice what is answered between commits
            kept = len(keys_in(tmp_path / "killed"))
        run(paid_config(url), ITEMS, tmp_path / "killed")
    assert kept > 0, "a restart goes on where the last one was killed"
    assert sorted(keys_in(tmp_path / "killed")) == sorted(set(undisturbed)) == sorted(undisturbed)


def test_sigterm_keeps_what_was_answered_and_says_so(tmp_path):
    till = Till()
    with serving(till) as url:
        job = start(url, tmp_path)
        till.wait_for(20)
        job.terminate()
        _, said = job.communicate(timeout=30)
    assert job.returncode == 1
    assert said.splitlines()[-1] == "Stopped by SIGTERM. What was answered is kept; run again to go on."
    assert "Traceback" not in said
    assert len(keys_in(tmp_path)) >= till.paid - 2 * CONCURRENCY


def test_a_run_in_a_thread_needs_no_signals(tmp_path):
    made = []
    thread = threading.Thread(target=lambda: made.append(run(small_config(), small_items(2), tmp_path)))
    thread.start()
    thread.join()
    assert made[0].turns["t", "a", "debate"].num_rows == 2 * 2 * (2 + 3)


@pytest.mark.parametrize("concurrency", [1, 8, 300])
def test_the_spending_cap_is_kept_to_the_request_and_every_reply_within_it_is_kept(tmp_path, concurrency):
    """Else a cap below the number of requests in flight would be paid again and again, for nothing."""
    till = Till()
    with serving(till) as url, pytest.raises(UserError, match=r"max_requests.*raise it"):
        run(paid_config(url, max_requests=30, concurrency=concurrency), ITEMS, tmp_path)
    assert till.paid == len(keys_in(tmp_path)) == 30


def test_a_refusal_fails_the_run_with_one_message_and_keeps_the_rest(tmp_path, capfd):
    till = Till()

    async def refuse_after_forty(request):
        if till.paid >= 40:
            return web.Response(status=400, text="too long")
        return await till(request)

    with serving(refuse_after_forty) as url, pytest.raises(UserError, match=r"m / a / draws, item q.*400 too long"):
        run(paid_config(url), ITEMS, tmp_path)
    assert len(keys_in(tmp_path)) == till.paid < 40 + CONCURRENCY
    assert "never retrieved" not in capfd.readouterr().err


def test_what_was_answered_is_not_asked_again(tmp_path):
    till = Till()
    with serving(till) as url:
        once = run(paid_config(url), ITEMS, tmp_path)
        paid = till.paid
        again = run(paid_config(url, concurrency=3, timeout=9), ITEMS, tmp_path)
    assert paid == till.paid == len(keys_in(tmp_path)) == 25 * (4 + 2 * (2 + 4) + 2 * 4)
    assert all(once.draws[key].equals(again.draws[key]) for key in once.draws)
    assert all(once.turns[key].equals(again.turns[key]) for key in once.turns)
