"""How far a job is: calls done and to do, share found in the cache, tokens a second, time left."""

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

_LINE_SECONDS = 10.0  # without a terminal, a line now and then


class Progress:
    """A bar on a terminal, a line every few seconds in a log."""

    def __init__(self, title: str, calls: int) -> None:
        self._title, self._calls = title, calls
        self._found = self._paid = self._tokens = 0
        self._console = Console(file=sys.stderr)
        self._bar = Bar(
            TextColumn("[bold]{task.description}"),
            BarColumn(20),
            MofNCompleteColumn(),
            TextColumn("calls, {task.fields[rate]}"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=self._console,
        )
        self._task = self._bar.add_task(title, total=calls, rate="")

    def __enter__(self) -> Self:
        self._started = self._said = time.monotonic()
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._bar.stop()
        else:
            self._say()

    def found(self) -> None:
        """A reply came from the cache."""
        self._found += 1
        self._show()

    def paid(self, tokens: int) -> None:
        """A reply of so many tokens came from a model."""
        self._paid += 1
        self._tokens += tokens
        self._show()

    def _show(self) -> None:
        done = self._found + self._paid
        self._calls = max(self._calls, done)  # repairs of a format are beyond the plan
        self._bar.update(self._task, completed=done, total=self._calls, rate=self._rate())
        if not self._console.is_terminal and time.monotonic() - self._said > _LINE_SECONDS:
            self._say()

    def _rate(self) -> str:
        done = self._found + self._paid
        elapsed = max(time.monotonic() - self._started, 1e-9)
        return f"{self._found / max(done, 1):.0%} cached, {self._tokens / elapsed:.0f} tokens/s"

    def _say(self) -> None:
        self._said = time.monotonic()
        done, elapsed = self._found + self._paid, time.monotonic() - self._started
        left = (self._calls - done) * elapsed / max(done, 1)
        print(
            f"{self._title}: {done} of {self._calls} calls, {self._rate()}, {left:.0f} s to go",
            file=sys.stderr,
            flush=True,
        )
