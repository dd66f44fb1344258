"""The first process in the sandbox: tries a program on each assertion, in a process of its own each time.

It is handed to the interpreter as text and imports the standard library alone. The program shares its child with us,
so nothing that the child prints or returns counts: an assertion has passed if, after it, the child writes a random
word to a pipe. A child that ends before that, in whatever way, has not passed.
"""

import contextlib
import ctypes
import json
import os
import random
import resource
import select
import signal
import sys
import time
import types
from typing import Any

_PR_SET_DUMPABLE = 4
_MOST = 64  # characters that a child may report


def main() -> None:
    """Read a trial from standard input, write the outcome of each of its assertions to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the first process of a namespace hears only what it handles
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)  # children cannot look into this process
    trial = json.load(sys.stdin)
    print(json.dumps([_outcome(trial, assertion) for assertion in trial["assertions"]]))


def _outcome(trial: dict[str, Any], assertion: str) -> str:
    """How a fresh process ends that runs the program and one assertion."""
    word = os.urandom(16)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _attempt(trial, assertion, word, writing)
    os.close(writing)
    said, late = _listen(reading, time.monotonic() + trial["wall_seconds"])
    os.close(reading)
    status = _bury(child)
    if said == word + b"passed":
        return "passed"
    if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return "timeout"
    if os.WIFSIGNALED(status):
        return "killed"
    return {b"failed": "failed", b"error": "error"}.get(said, "ended")


def _attempt(trial: dict[str, Any], assertion: str, word: bytes, pipe: int) -> None:
    """In the child: run everything, report, and never return."""
    said = b""
    try:
        _confine(trial, pipe)
        module = types.ModuleType("program")
        sys.modules["program"] = module
        random.seed(0)
        for source in (trial["before"], trial["program"], assertion):
            exec(compile(source, "<program>", "exec", dont_inherit=True), module.__dict__)
        module.__dict__["check"](module.__dict__[trial["entry_point"]])
        said = word + b"passed"
    except SystemExit:
        said = b"ended"
    except AssertionError:
        said = b"failed"
    except BaseException:
        said = b"error"
    finally:
        os.write(pipe, said)
        os._exit(0)


def _confine(trial: dict[str, Any], pipe: int) -> None:
    """Without the sandbox's own files, a terminal, or more than a share of the machine."""
    os.setsid()
    nothing = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.closerange(3, pipe)
    os.closerange(pipe + 1, 256)
    seconds = trial["cpu_seconds"]
    for what, soft, hard in (
        (resource.RLIMIT_CPU, seconds, seconds + 1),  # a program may ignore the soft limit's signal
        (resource.RLIMIT_AS, trial["memory"], trial["memory"]),
        (resource.RLIMIT_NPROC, 0, 0),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_NOFILE, 64, 64),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(what, (soft, hard))


def _listen(pipe: int, deadline: float) -> tuple[bytes, bool]:
    """What the child writes until it ends, and whether it was still there at the deadline."""
    said = b""
    while len(said) < _MOST:
        if not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return said, True
        more = os.read(pipe, _MOST)
        if not more:
            break
        said += more
    return said, False


def _bury(child: int) -> int:
    """End every process but this one; the child's exit status."""
    status = 0
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    while True:
        try:
            ended, code = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended == child:
            status = code


if __name__ == "__main__":
    main()
