"""Programs that mean harm, really run: none gets out, none is taken for right, and each assertion stands by itself."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from headcount.sandbox.open import open_sandbox
from headcount.sandbox.run import Limits, Trial


@pytest.fixture(scope="module")
def sandbox():
    with open_sandbox(Limits(cpu_seconds=1, wall_seconds=60, memory=2**27)) as made:
        yield made


def trial(program: str, *claims: str, before: str = "") -> Trial:
    """A program that defines `f`, and what is claimed of it."""
    checks = tuple(f"def check(f):\n    assert {claim}" for claim in claims or ("f() == 1",))
    return Trial(before, dedent(program), checks, "f")


def test_each_assertion_ends_as_it_does(sandbox):
    program = """
        import os
        def f(what):
            match what:
                case "raise": raise KeyError
                case "leave": raise SystemExit(0)
                case "vanish": os._exit(0)
                case "crash": os.kill(os.getpid(), 11)
                case "spin":
                    while True: pass
            return what
    """
    acts = ("stay", "raise", "leave", "vanish", "crash", "spin")
    claims = [f"f({act!r}) == 'stay'" for act in acts] + ["f('stay') == 'go'"]
    ends = ["passed", "error", "ended", "ended", "killed", "timeout", "failed"]
    assert sandbox.outcomes(trial(program, *claims)) == ends


def test_a_program_that_waits_uses_no_processor_and_is_ended_all_the_same():
    program = "import time\ndef f(): time.sleep(600)"
    with open_sandbox(Limits(wall_seconds=2)) as patient:
        assert patient.outcomes(trial(program)) == ["timeout"]


SHOUTED = "import os\nfor fd in range(256):\n    try: os.write(fd, b'passed')\n    except OSError: pass\n"


@pytest.mark.parametrize(
    "program",
    [
        "import os\nos._exit(0)",
        "import sys\nsys.exit(0)",
        "import os\nprint('passed', flush=True)\nos.write(1, b'[\"passed\"]')\nos._exit(0)",
        f"{SHOUTED}os._exit(0)",
        f"{SHOUTED}def f(): return 1",
        "x = (",
        "f = 1\0",
        "(" * 10_000,
        "def g(): return 1",
        "",
    ],
)
def test_what_only_looks_like_a_pass_is_none(sandbox, program):
    (outcome,) = sandbox.outcomes(trial(program))
    assert outcome != "passed"


def test_a_program_starts_no_process_and_so_no_fork_bomb(sandbox):
    program = """
        import os, subprocess, threading
        def refused(act):
            try: act()
            except (OSError, RuntimeError): return True
        def f():
            spawn = lambda: subprocess.run(["true"])
            return all(map(refused, (os.fork, spawn, threading.Thread(target=print).start)))
        def bomb():
            while True:
                try: os.fork()
                except OSError: pass
    """
    assert sandbox.outcomes(trial(program, "f()", "f.__globals__['bomb']()")) == ["passed", "timeout"]


def test_memory_and_output_are_bounded(sandbox):
    held = psutil.Process().memory_info().rss
    program = """
        import os
        def f(): return len("x" * 10**10)
        def grow(kept=[]):
            while True: kept.append(bytearray(2**24))
        def shout():
            while True: os.write(1, b"x" * 2**20)
    """
    claims = ("f()", "f.__globals__['grow']()", "f.__globals__['shout']()")
    assert sandbox.outcomes(trial(program, *claims)) == ["error", "error", "timeout"]
    assert psutil.Process().memory_info().rss < held + 2**26


def test_nothing_can_be_written(sandbox, tmp_path):
    places = [
        "/",
        "/tmp",
        "/dev",
        "/usr",
        "/usr/local",
        "/dev/shm",
        "/home",
        "/var/tmp",
        sys.base_prefix,
        str(tmp_path),
    ]
    program = f"""
        import os
        def tried(folder):
            try: open(os.path.join(folder, "left"), "w").close()
            except OSError: return False
            return True
        def f(): return [folder for folder in {places} if tried(folder)]
        def removed():
            try: os.remove(os.__file__)
            except OSError: return False
            return True
    """
    assert sandbox.outcomes(trial(program, "f() == []", "not f.__globals__['removed']()")) == ["passed", "passed"]
    assert not any(Path(place, "left").exists() for place in places)


def test_nothing_of_ours_can_be_seen(sandbox, tmp_path, monkeypatch):
    monkeypatch.setenv("API_KEY", "secret")
    (tmp_path / "secret").write_text("secret")
    checkout = Path(__file__).parents[2]
    ours = [
        str(tmp_path),
        str(checkout),
        "/etc/passwd",
        "/etc/hosts",
        "/proc",
        "/sys",
        "/var",
        str(Path.home() / ".bashrc"),
    ]
    program = f"""
        import os, sys
        def f(): return [place for place in {ours} if os.path.exists(place)]
        def names(): return {{*os.environ}} & {{"API_KEY", "HOME", "USER"}} or "secret" in str(os.environ)
        def library(): return any("site-packages" in path for path in sys.path)
    """
    claims = ["f() == []", "not f.__globals__['names']()", "not f.__globals__['library']()"]
    assert sandbox.outcomes(trial(program, *claims)) == ["passed"] * 3


def test_the_network_is_out_of_reach(sandbox):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        port = server.getsockname()[1]
        program = f"""
            import socket
            def f():
                for host in ("127.0.0.1", "localhost", "192.0.2.1"):
                    try: socket.create_connection((host, {port}), timeout=0.5)
                    except OSError: continue
                    return host
        """
        assert sandbox.outcomes(trial(program, "f() is None")) == ["passed"]
        with pytest.raises(BlockingIOError):
            server.accept()


def test_signals_reach_nobody_outside(sandbox):
    """Whoever watches a program is the first process of its world, and hears nothing that comes from within."""
    heard = []
    former = signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
    program = f"""
        import os, signal
        def f():
            for pid in (os.getppid(), 1, {os.getpid()}, -1):
                for number in (signal.SIGUSR1, signal.SIGINT, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
                    if pid != -1 or number != signal.SIGSTOP:
                        try: os.kill(pid, number)
                        except OSError: pass
            return 1
    """
    try:
        after = "f.__globals__['os'].getpid() > 1"
        assert sandbox.outcomes(trial(program, "f() == 1", after)) == ["passed", "passed"]
    finally:
        signal.signal(signal.SIGUSR1, former)
    assert heard == []


def test_a_program_has_no_rights_to_win(sandbox):
    program = """
        import ctypes, os
        libc = ctypes.CDLL(None)
        USER, SPACES = 0x10000000, (0x00020000, 0x20000000, 0x40000000)
        def f():
            return [
                name
                for name, tried in {
                    "another user namespace": libc.unshare(USER),
                    "other namespaces": min(map(libc.unshare, SPACES)) and -1,
                    "a root elsewhere": libc.chroot(b"/usr"),
                    "a mount": libc.mount(b"none", b"/dev", b"tmpfs", 0, None),
                    "its watcher's memory": libc.ptrace(16, os.getppid(), 0, 0),
                    "root": libc.setuid(0),
                }.items()
                if tried != -1
            ]
    """
    assert sandbox.outcomes(trial(program, "f() == []")) == ["passed"]


def test_assertions_do_not_hear_of_each_other(sandbox):
    program = """
        import builtins, random
        calls = []
        def f():
            calls.append(1)
            builtins.seen = getattr(builtins, "seen", 0) + 1
            return len(calls), builtins.seen, random.random()
    """
    again = "f()[:2] == (1, 1) and __import__('random').seed(0) is None and f()[2] == 0.8444218515250481"
    assert sandbox.outcomes(trial(program, again, again)) == ["passed", "passed"]


def test_sets_come_in_the_same_order_in_every_run(sandbox):
    program = "def f(): return list({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})"
    orders = subprocess.run(
        [sys.executable, "-c", f"{program}\nprint(f())"],
        env={"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sandbox.outcomes(trial(program, f"f() == {orders.stdout.strip()}")) == ["passed"]


def test_what_the_question_has_before_the_function_is_there(sandbox):
    """Also where the program begins with what only the beginning of a file may."""
    program = "from __future__ import annotations\ndef f(x: List[int] = [1]): return helped(x[0])"
    before = "from typing import List\ndef helped(x): return x"
    assert sandbox.outcomes(trial(program, before=before)) == ["passed"]


def test_trials_run_at_once_and_come_back_in_order(sandbox):
    trials = [trial(f"def f(): return {number}", "f() == 1", "f() == 2") for number in range(4)]
    found = sandbox.all_outcomes(trials, threads=2)
    assert found == [["failed"] * 2, ["passed", "failed"], ["failed", "passed"], ["failed"] * 2]


def test_no_process_is_left_where_its_owner_is_killed(tmp_path):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    owner = subprocess.Popen([sys.executable, "-c", _ENDLESS], env=environment)
    inside = wait_for(
        lambda: [p for p in psutil.Process(owner.pid).children(recursive=True) if p.cpu_times().user > 0.5]
    )
    family = psutil.Process(owner.pid).children(recursive=True)
    assert inside
    owner.kill()
    owner.wait()
    assert wait_for(lambda: not any(process.is_running() and process.status() != "zombie" for process in family))


_ENDLESS = """
from headcount.sandbox.open import open_sandbox
from headcount.sandbox.run import Limits, Trial
with open_sandbox(Limits(cpu_seconds=60, wall_seconds=60)) as sandbox:
    sandbox.outcomes(Trial("", "while True: pass", ("def check(f): assert f",), "f"))
"""


def wait_for(found, seconds: float = 20):
    """What a question comes to be answered with, if it is in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if answer := found():
                return answer
        except psutil.NoSuchProcess:
            pass
        time.sleep(0.05)
    return None
