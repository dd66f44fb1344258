"""A job stops itself before Slurm ends it; `squeue` here is a program that says what a test tells it to."""

import asyncio
import time
from pathlib import Path

import pytest
from small_runs import keys_in, small_config, small_items

from headcount.debate.deadline import end_of_job, stop_in_time
from headcount.debate.generate import generate_draws
from headcount.debate.planner import plan
from headcount.errors import UserError


@pytest.fixture
def squeue(tmp_path, monkeypatch):
    """Sets what `squeue` will say to its next calls, the last of them for ever."""
    program, says = tmp_path / "squeue", tmp_path / "says"
    program.write_text(f"#!/bin/sh\nhead -n 1 {says}\n[ $(wc -l < {says}) -lt 2 ] || sed -i 1d {says}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.delenv("SLURM_JOB_END_TIME", raising=False)
    return lambda *lines: says.write_text("".join(f"{line}\n" for line in lines))


def test_a_job_outside_slurm_has_no_deadline(monkeypatch):
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    monkeypatch.setenv("SLURM_JOB_END_TIME", "1")
    assert end_of_job() is None
    asyncio.run(stop_in_time())


@pytest.mark.parametrize(("said", "told", "end"), [("N/A", "", None), ("5000", "4000", 5000), ("", "4000", 4000)])
def test_squeue_is_believed_before_the_environment(squeue, monkeypatch, said, told, end):
    squeue(said)
    monkeypatch.setenv("SLURM_JOB_END_TIME", told)
    assert end_of_job() == end


def test_the_deadline_is_known_without_squeue(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_END_TIME", "4000")
    assert end_of_job() == 4000


def test_a_job_stops_by_its_margin_before_its_end(squeue, monkeypatch):
    monkeypatch.setenv("HEADCOUNT_STOP_SECONDS", "100")
    squeue(int(time.time()) + 102)
    started = time.monotonic()
    with pytest.raises(UserError, match=r"Stopped 100 s before the job's time is up.*next attempt goes on"):
        asyncio.run(stop_in_time())
    assert time.monotonic() - started >= 0.9


def test_a_job_that_was_given_more_time_takes_it(squeue, monkeypatch):
    monkeypatch.setenv("HEADCOUNT_STOP_SECONDS", "100")
    now = int(time.time())
    squeue(now + 100, now + 102, now + 102)
    started = time.monotonic()
    with pytest.raises(UserError, match="Stopped"):
        asyncio.run(stop_in_time())
    assert time.monotonic() - started >= 0.9


def test_a_margin_that_is_no_number_is_named(squeue, monkeypatch):
    monkeypatch.setenv("HEADCOUNT_STOP_SECONDS", "soon")
    squeue(int(time.time()) + 100)
    with pytest.raises(UserError, match="HEADCOUNT_STOP_SECONDS: 'soon' is not a number"):
        asyncio.run(stop_in_time())


def test_what_was_answered_before_the_end_is_kept(squeue, monkeypatch, tmp_path):
    monkeypatch.setenv("HEADCOUNT_STOP_SECONDS", "100")
    squeue(int(time.time()) + 101)
    config, items = small_config(sizes=(30,)), small_items(2_000)
    with pytest.raises(UserError, match="Stopped"):
        generate_draws(config, plan(config).pools[0], items, Path(tmp_path / "cache"))
    assert 0 < len(keys_in(tmp_path / "cache")) < 60_000
