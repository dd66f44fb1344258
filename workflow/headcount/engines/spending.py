"""What a run's hosted models cost, in one small file that all of its jobs share, and the cap that they never exceed.

A request is allowed only if the cap holds whatever it costs: every prompt and the longest reply, for all that is in
flight. Its reply tells what it did cost. What was sent and never came back may be billed, and stays counted in full.

Each job draws from the cap in portions and keeps its own account of them, so that the file is seldom written. A job
that ends gives back what is left of its portion; one that is killed cannot, and a portion is a small part of the cap.
Money is counted in whole nanodollars, rounded up, so that sums are exact.
"""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import inf
from pathlib import Path
from typing import Self

from headcount.errors import UserError

DOLLAR = 1_000_000_000  # in nanodollars
_PORTIONS = 1000  # of the cap
_UNCAPPED_PORTION = DOLLAR // 100

_TABLE = "CREATE TABLE IF NOT EXISTS jobs (id INTEGER PRIMARY KEY, counted INTEGER NOT NULL)"


def spending_file(cache: Path, run: str) -> Path:
    """Where a run's spending is kept."""
    return cache / f"spending-{run}.sqlite"


def spent(path: Path) -> float:
    """US dollars that count as spent so far, what may yet be billed included."""
    if not path.exists():
        return 0.0
    with _named(path), closing(sqlite3.connect(path, timeout=60)) as file:
        return _sum(file) / DOLLAR


class Spending:
    """One job's part of a run's spending.

    Args:
        path: the file, made if it is not there.
        cap: US dollars over all jobs of the run; None: spending is counted and not stopped.
    """

    def __init__(self, path: Path, cap: float | None) -> None:
        self._path, self._cap = path, inf if cap is None else int(cap * DOLLAR)
        self._portion = _UNCAPPED_PORTION if cap is None else int(cap * DOLLAR) // _PORTIONS
        self._allowed = 0  # what the file counts for this job; never less than the next two together
        self._due = 0  # for what came back, or was lost
        self._held = 0  # for what is in flight
        self._settled = asyncio.Event()

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with _named(self._path):
            self._file = sqlite3.connect(self._path, timeout=60, isolation_level=None)
            self._file.execute(_TABLE)
            self._job = self._file.execute("INSERT INTO jobs (counted) VALUES (0)").lastrowid
        return self

    def __exit__(self, *_: object) -> None:
        with _named(self._path), closing(self._file):
            self._count(self._due + self._held)

    async def hold(self, most: int) -> None:
        """Set nanodollars aside for a request, once that is possible.

        Raises:
            UserError: the cap does not allow it, and nothing in flight can change that.
        """
        while not self._allows(most):
            if not self._held:
                raise UserError(self._refusal(most))
            self._settled.clear()
            await self._settled.wait()
        self._held += most

    def settle(self, most: int, due: int) -> None:
        """End what was set aside for a request, which cost this."""
        self._held -= most
        self._due += due
        self._settled.set()

    def _allows(self, most: int) -> bool:
        """Whether this job may spend so much more, if need be out of another portion."""
        missing = self._due + self._held + most - self._allowed
        if missing <= 0:
            return True
        with _named(self._path), self._locked():
            room = self._cap - _sum(self._file)
            if missing > room:
                return False
            self._count(self._allowed + int(min(max(missing, self._portion), room)))
        return True

    def _count(self, nanodollars: int) -> None:
        self._file.execute("UPDATE jobs SET counted = ? WHERE id = ?", (nanodollars, self._job))
        self._allowed = nanodollars

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            self._file.execute("COMMIT")

    def _refusal(self, most: int) -> str:
        counted = _sum(self._file) - self._allowed + self._due
        return (
            f"spending_cap: of {self._cap / DOLLAR:.2f} USD, {counted / DOLLAR:.4f} count as spent, and the next "
            f"request may cost up to {most / DOLLAR:.4f}. Replies that were lost count as if they had been as long as "
            "allowed. What was answered is kept. To go on, raise 'spending_cap', or lower the model's 'max_tokens'."
        )


def _sum(file: sqlite3.Connection) -> int:
    return int(file.execute("SELECT coalesce(sum(counted), 0) FROM jobs").fetchone()[0])


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """What SQLite cannot do, as an error that names the file and the remedy."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        raise UserError(
            f"{path}: {problem}. See that the disk has room and the file may be written; then run again."
        ) from None
    except sqlite3.DatabaseError as problem:
        raise UserError(
            f"{path}: not a file of spending ({problem}). Move it away, and lower 'spending_cap' by what was spent."
        ) from None
