"""Runs a command, and leaves nothing of it: a program of its own, so that it outlives a job that is killed.

usage: guard.py SECONDS COMMAND...

It ends when the command does, or when its standard input closes: the job holds the other end, and lets go of it
however it dies. Then all that the command started is told to stop, and killed when its seconds are over. A server has
children, which would outlive it; Linux hands orphans to the nearest subreaper, and that is this process.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h


def main(seconds: float, command: list[str]) -> int:
    """The command's exit status, as a shell gives it; 0 where it was stopped from here."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: None)  # it is sent to the group, which this process belongs to
    leader = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    while leader.poll() is None and not _let_go():
        pass
    status = leader.returncode or 0
    _end(seconds)
    return status if status >= 0 else 128 - status


def _let_go() -> bool:
    """Whether the job has closed its end, now or in a moment. Nobody writes, so readable means closed."""
    return bool(select.select([sys.stdin], [], [], 0.1)[0])


def _end(seconds: float) -> None:
    deadline = time.monotonic() + seconds
    os.killpg(0, signal.SIGTERM)
    while _some_are_left():
        if time.monotonic() > deadline:
            for child in _children():  # theirs come here next, until there are none
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        time.sleep(0.02)


def _some_are_left() -> bool:
    """Reap who has ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _children() -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may end meanwhile
            parent = stat.read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
