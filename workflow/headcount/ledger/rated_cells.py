"""A team's transitions by task and cell, as numbers: what rates are counted from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from headcount.ledger.counting import Debates
from headcount.ledger.parts import ranked
from headcount.measures.arrays import IntArray
from headcount.measures.groups import factorise, group

CELL = ["condition", "n", "k", "round"]
COUNTS = 25_000  # cells times items that are counted at once: about as many numbers for each of 200 columns


@dataclass(frozen=True)
class TaskCells:
    """The debates of a team on a task.

    Attributes:
        task: its name.
        items: all of them, sorted.
        cells: one row a cell: `CELL`.
        debates: those of all cells, cell after cell.
    """

    task: str
    items: NDArray[np.str_]
    cells: pd.DataFrame
    debates: Debates

    def blocks(self) -> Iterator[tuple[slice, Debates]]:
        """Some cells after some others, and their debates with cells from 0."""
        step = max(1, COUNTS // self.items.size)
        for first in range(0, len(self.cells), step):
            some = slice(first, min(first + step, len(self.cells)))
            ends = np.searchsorted(self.debates.cell, [some.start, some.stop])
            rows, size = slice(*ends.tolist()), int(ends[1] - ends[0])
            table = self.debates.table.slice(int(ends[0]), size)
            shape = (some.stop - some.start, self.items.size)
            yield some, Debates(table, self.debates.cell[rows] - first, self.debates.item[rows], shape)


def tasks_of(transitions: pa.Table) -> Iterator[TaskCells]:
    """The debates of each task, by name.

    Args:
        transitions: rows of `schema.TRANSITIONS` of a team, in any order.
    """
    task, names = ranked(transitions["task"].to_pandas().astype(str))
    for number, name in enumerate(names.tolist()):
        yield _cells_of(name, transitions.take(pa.array(np.flatnonzero(task == number))))


def _cells_of(task: str, rows: pa.Table) -> TaskCells:
    item, items = ranked(rows["item"].to_pandas())
    codes = [factorise(rows["condition"]).codes, *(_integers(rows, name) for name in CELL[1:])]
    cells = group(codes)
    order = np.argsort(cells.of_row, kind="stable")
    keys = {name: rows[name].take(pa.array(cells.first)).to_numpy() for name in CELL}
    debates = Debates(rows.take(pa.array(order)), cells.of_row[order], item[order], (cells.first.size, items.size))
    return TaskCells(task, items, pd.DataFrame(keys), debates)


def _integers(rows: pa.Table, name: str) -> IntArray:
    return np.asarray(rows[name].to_numpy(), dtype=np.int64)
