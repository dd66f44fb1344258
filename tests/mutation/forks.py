"""A pytest plugin that tries mutants: tests are collected once, and each mutant gets a fork of that process.

mutmut's own loop starts pytest anew for every mutant, which takes longer than most of these tests do.
"""

import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state

MUTANTS = Path("mutants.json")  # names of mutants
COVERED = Path("covered.json")  # function -> tests that call it; and seconds of each test
VERDICTS = Path("verdicts.json")  # mutant -> killed, survived, timed out or no tests
LINE = "[{done}/{all}] {survived} survived\n"


def pytest_configure() -> None:
    """After the conftest of the tests, whose profile this takes the place of. A failing example is enough."""
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutants", derandomize=True, database=None, deadline=None, max_examples=10, phases=phases)
    settings.load_profile("mutants")


class Watch:
    """Notes which functions a test calls, and for how long it runs. What a fixture calls counts for its whole file."""

    def __init__(self) -> None:
        self.tests: dict[str, set[str]] = defaultdict(set)
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        yield from self._noted(item.nodeid.partition("::")[0])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        begin = time.process_time()
        yield from self._noted(item.nodeid)
        self.seconds[item.nodeid] = time.process_time() - begin

    def _noted(self, who: str) -> Iterator[None]:
        state()._stats.clear()
        yield
        for function in state()._stats:
            self.tests[function].add(who)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed += [report.nodeid] if report.failed else []


def pytest_runtestloop(session: pytest.Session) -> bool:
    find(st.text(), bool)  # what hypothesis prepares at its first use, all forks share
    _forked(lambda: _cover(session))
    covered = json.loads(COVERED.read_text())
    items = sorted(session.items, key=lambda item: covered["seconds"].get(item.nodeid, 0.0))
    verdicts: dict[str, str] = {}
    names = json.loads(MUTANTS.read_text())
    for name in names:
        callers = set(covered["tests"].get(name.rpartition("__mutmut_")[0], []))
        tests = [item for item in items if callers & {item.nodeid, item.nodeid.partition("::")[0]}]
        verdicts[name] = _verdict(name, tests, covered["seconds"])
        VERDICTS.write_text(json.dumps(verdicts))
        if len(verdicts) % 50 == 0 or len(verdicts) == len(names):
            survived = sum(verdict != "killed" for verdict in verdicts.values())
            os.write(2, LINE.format(done=len(verdicts), all=len(names), survived=survived).encode())
    return True


def _cover(session: pytest.Session) -> None:
    """Runs all tests on the library as it is. A test that fails there would kill every mutant: stop."""
    watch = Watch()
    session.config.pluginmanager.register(watch)
    set_mutant_under_test("stats")
    _run(session.items)
    if watch.failed:
        raise SystemExit(f"fails without any mutant: {watch.failed}")
    COVERED.write_text(json.dumps({"tests": {f: sorted(t) for f, t in watch.tests.items()}, "seconds": watch.seconds}))


def _verdict(mutant: str, tests: list[pytest.Item], seconds: dict[str, float]) -> str:
    if not tests:
        return "no tests"

    def try_out() -> None:
        set_mutant_under_test(mutant)
        tests[0].config.pluginmanager.register(Killer(seconds))
        _run(tests)

    status = _forked(try_out, quiet=True)
    return {0: "survived", -signal.SIGPROF: "timed out", -signal.SIGALRM: "timed out"}.get(status, "killed")


class Killer:
    """Ends a mutant's process at the first failure, and where a test takes ten times as long as it should."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.setitimer(signal.ITIMER_PROF, 2 + 10 * self.seconds.get(nodeid, 0.0))  # of processor time
        signal.alarm(300)  # of any time: for what sleeps

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(1)


def _run(tests: list[pytest.Item]) -> None:
    for test, following in zip(tests, [*tests[1:], None], strict=True):
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)


def _forked(work: Callable[[], None], *, quiet: bool = False) -> int:
    """Does something in a fork of this process; returns its exit code, negative for a signal."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 2
    try:
        if quiet:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
        work()
        code = 0
    except BaseException as error:
        os.write(2, f"{error}\n".encode())
    finally:
        sys.stdout.flush()
        os._exit(code)
