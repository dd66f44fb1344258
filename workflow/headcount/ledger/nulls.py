"""What the labels of a cell stand against: a re-draw of its team, and agents who thought again alone."""

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from headcount.ledger.labels import LABELS
from headcount.ledger.rated_cells import TaskCells
from headcount.measures.arrays import BoolArray, FloatArray
from headcount.store import plain

ALONE = "self_correction"


def nulls(task: TaskCells, labels: FloatArray, redraws: pa.Table) -> Iterator[tuple[str, FloatArray]]:
    """Each null by name, and what it has of each label, (cells, items, labels); 0 where it has nothing.

    Args:
        labels: (cells, items, labels), of the debates.
        redraws: rows of `schema.REDRAWS` of the team.
    """
    n = task.cells["n"].to_numpy()
    redrawn = _by_size(task, redraws)
    yield "redraw", np.stack([redrawn.get(size, np.zeros(labels.shape[1:])) for size in n.tolist()])
    yield ALONE, _alone(task, labels)


def _alone(task: TaskCells, labels: FloatArray) -> FloatArray:
    """Labels of self-correction by as many agents in the same round; nothing for self-correction itself."""
    condition, n, turn = (task.cells[name].to_numpy() for name in ("condition", "n", "round"))
    alone: BoolArray = condition == ALONE
    same = alone[None] & ~alone[:, None] & (n[:, None] == n[None]) & (turn[:, None] == turn[None])
    return np.asarray(np.tensordot(same.astype(np.float64), labels, 1))


def _by_size(task: TaskCells, redraws: pa.Table) -> Mapping[int, FloatArray]:
    """Labels of a re-draw by team size, (items, labels) each."""
    rows = plain(redraws)
    rows = rows[(rows["task"] == task.task) & rows["item"].isin(task.items)]
    item, n = np.searchsorted(task.items, rows["item"].to_numpy(dtype=str)), rows["n"].to_numpy()
    shares = rows[list(LABELS)].to_numpy(dtype=np.float64)
    found = {}
    for size in np.unique(n).tolist():
        here = n == size
        found[size] = np.zeros((task.items.size, len(LABELS)))
        found[size][item[here]] = shares[here]
    return found
