"""Runs programs of unknown intent, each in a sandbox of its own (`enter.sh`), whose first process is `inside.py`.

The sandbox is made of what Linux gives to everybody: user, mount, PID, network, IPC and UTS namespaces, and limits,
set up by tools of util-linux. Neither root nor a daemon is needed. A program sees the interpreter and its standard
library, read-only; no file, process, network or variable of the machine. It can start no process and write nowhere.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from headcount.errors import UserError

Outcome = Literal["passed", "failed", "error", "ended", "timeout", "killed"]

_HERE = Path(__file__).parent
_SPACES = ("--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child")
_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
_INTERPRETER = ("-s", "-S", "-P", "-B")  # nothing but the standard library; -I would not let the hash seed through
NOBODY = 65534
_SLACK = 30  # seconds that starting a sandbox may take on a busy machine


@dataclass(frozen=True)
class Limits:
    """What each assertion may use. Processor time decides where it can, since a busy machine does not change it."""

    cpu_seconds: int = 3
    wall_seconds: float = 10
    memory: int = 512 * 2**20  # bytes of address space


@dataclass(frozen=True)
class Trial:
    """A program and what it is tried on.

    Attributes:
        before: source run before the program, in its namespace.
        program: source of the program.
        assertions: sources that define `check(candidate)`, each of one assertion.
        entry_point: name of the function that `check` is called with.
    """

    before: str
    program: str
    assertions: tuple[str, ...]
    entry_point: str


class Sandbox:
    """A way to run programs. `open_sandbox` gives one that was tried."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        """Args: folder: an empty one, to build on; it stays empty."""
        self._folder, self._limits = folder, limits
        self._inside = (_HERE / "inside.py").read_text(encoding="utf-8")

    def outcomes(self, trial: Trial) -> list[Outcome]:
        """How each assertion of a trial ended, in order.

        `passed`; `failed` an AssertionError; `error` another exception, a syntax error included; `ended` the program
        left before the assertion was done; `timeout`; `killed` by a signal, as where its stack overflowed.

        Raises:
            UserError: the sandbox itself did not work.
        """
        limit = len(trial.assertions) * (self._limits.wall_seconds + 1) + _SLACK
        said, problem = self._run(json.dumps(asdict(trial) | asdict(self._limits)), limit)
        try:
            outcomes: list[Outcome] = json.loads(said)
        except ValueError:
            raise UserError(f"A sandbox ended before its program did: {problem}. Run again.") from None
        return outcomes

    def all_outcomes(self, trials: Sequence[Trial], threads: int) -> list[list[Outcome]]:
        """The outcomes of several trials, some at once."""
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(self.outcomes, trials))

    def _run(self, trial: str, limit: float) -> tuple[str, str]:
        """What a sandbox prints, and what there is to say where it prints nothing."""
        process = subprocess.Popen(
            self._command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=_ENVIRONMENT,
            start_new_session=True,
        )
        with process:
            try:
                said, problem = process.communicate(trial, timeout=limit)
            except subprocess.TimeoutExpired:
                return "", f"it took more than {limit:.0f} seconds"
            finally:
                process.kill()  # and with it all that is inside
        return said, _last_line(problem) or f"exit status {process.returncode}"

    def _command(self) -> list[str]:
        root = _can_become_nobody()
        user = () if root else ("--user", "--map-root-user")
        prefix = str(Path(sys.base_prefix).resolve())
        entering = ["sh", str(_HERE / "enter.sh"), "root" if root else "user", str(self._folder), prefix]
        python = [_interpreter(), *_INTERPRETER, "-c", self._inside]
        return ["setpriv", "--pdeathsig", "KILL", "--", "unshare", *user, *_SPACES, "--", *entering, *python]


def _can_become_nobody() -> bool:
    """Whether we are root, and not only called so in a user namespace that knows nobody else."""
    known = [line.split() for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()]
    return os.geteuid() == 0 and any(int(first) <= NOBODY < int(first) + int(count) for first, _, count in known)


def _interpreter() -> str:
    """The interpreter behind a virtual environment, whose own folder stays out of sight."""
    base: str = getattr(sys, "_base_executable", sys.executable)
    return str(Path(base).resolve())


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""
