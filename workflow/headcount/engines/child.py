"""A program that runs beside a job, in a process group of its own, and is gone when the job is, whatever ends that."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

_GUARD = Path(__file__).with_name("guard.py")
_STOPPING = 10.0  # seconds from SIGTERM to SIGKILL
_TAIL_LINES, _TAIL_BYTES, _TAIL_WIDTH = 12, 65_536, 400
_CAUSES = 4
_ERROR = re.compile(r"(?:^|\] )([\w.]+(?:Error|Exception): .+)")  # as Python prints it, maybe behind a logger's prefix


class Child:
    """A running program.

    Attributes:
        end: done when the program has ended; its exit status.
        log: what it says.
    """

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self._process, self.log = process, log
        self.end = asyncio.create_task(self._watch())

    async def _watch(self) -> int:
        while (status := self._process.poll()) is None:
            await asyncio.sleep(0.1)
        return status

    def tail(self) -> str:
        """The end of the log, and before it the errors that led there: a server's last words name another's failure."""
        with self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - _TAIL_BYTES))
            text = file.read().decode(errors="replace")
        lines = [line[:_TAIL_WIDTH] for line in text.splitlines() if line.strip()]
        causes = dict.fromkeys(found[1] for line in lines[:-_TAIL_LINES] if (found := _ERROR.search(line)))
        said = [*causes][-_CAUSES:] + ["..."] * bool(causes) + lines[-_TAIL_LINES:]
        return "\n  ".join([f"The end of {self.log}:", *(said or ["(it is empty)"])])

    def let_go(self) -> None:
        """Have it stopped, without waiting for it."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def stop(self, seconds: float) -> None:
        """Stop and reap it. Blocks, since nothing may cancel an exit half way."""
        self.end.cancel()
        self.let_go()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._kill()
        if self._process.returncode < 0:  # its guard was killed, and could not see to the others
            self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@asynccontextmanager
async def running(
    command: Sequence[str], environment: Mapping[str, str], log: Path, stopping: float = _STOPPING
) -> AsyncIterator[Child]:
    """Run a program for as long as this lasts. Its log is kept only where something failed.

    Args:
        environment: all of the program's; secrets belong here, since anybody can read a command line.
        log: a new file.
        stopping: seconds that it may take to stop before it is killed.
    """
    guard = [sys.executable, "-I", "-S", str(_GUARD), str(stopping)]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*guard, *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            start_new_session=True,
        )
    child = Child(process, log)
    try:
        yield child
    finally:
        child.stop(stopping + 5)
        if not isinstance(sys.exception(), Exception):
            log.unlink(missing_ok=True)
