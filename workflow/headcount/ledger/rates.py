"""The rates of every cell of a run: collapse, correction and all that goes with them, under every coding.

A cell is a team on a task under a condition, of N agents of whom each hears k, judged at one round. A rate is a ratio
of sums over its debates. Wilson's and Jeffreys' intervals take debates for independent; `low` and `high` resample the
items, with the weights that all numbers of a team and task share.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from headcount.config import Fitting
from headcount.errors import UserError
from headcount.ledger.against import against
from headcount.ledger.codings import PRIMARY
from headcount.ledger.counting import Counted, Debates, count
from headcount.ledger.nulls import nulls
from headcount.ledger.proportions import proportions
from headcount.ledger.rated_cells import TaskCells, tasks_of
from headcount.ledger.resampled import Draws
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import Percentile, shared_weights
from headcount.schema import LEDGER_RATES
from headcount.store import conform

Tables = Mapping[str, pa.Table]  # by team
Columns = dict[str, NDArray[Any]]  # (rates,) each; `_cell` is the place of a task's cell


def rate_run(transitions: Tables, redraws: Tables, fitting: Fitting, simulated: Collection[str] = ()) -> pa.Table:
    """Rates of a run.

    Args:
        transitions: rows of `schema.TRANSITIONS` by team.
        redraws: rows of `schema.REDRAWS` by team.
        fitting: how sure we are: coverage, number of resamples, and their seed.
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.LEDGER_RATES`; none for what is counted among nothing. With fewer than two items there are no
        `low` and `high`.

    Raises:
        UserError: where labels and accuracies of a cell contradict each other.
    """
    frames = [
        frame.assign(team=team, task=task.task)
        for team, table in transitions.items()
        for task in tasks_of(table)
        for frame in _of_task(team, task, redraws[team], fitting)
    ]
    nothing = pd.DataFrame(columns=[name for name in LEDGER_RATES.schema.names if name != "simulated"]).astype(object)
    rows = pd.concat(frames, ignore_index=True) if frames else nothing
    return conform(rows.assign(simulated=rows["team"].isin(simulated)), LEDGER_RATES, LEDGER_RATES.name)


def _of_task(team: str, task: TaskCells, redraws: pa.Table, fitting: Fitting) -> Iterator[pd.DataFrame]:
    """Rates of all cells of a team and task."""
    weights = shared_weights(Percentile(fitting.bootstrap), task.items.size, fitting.seed, team, task.task)
    draws = Draws(np.asfortranarray(weights), fitting.confidence)
    for some, debates in task.blocks():
        counted = list(count(debates))
        _check_identity(debates, counted, team, task, some)
        yield _framed(task, _counted_rates(counted, draws), some.start, fitting)
    labels = task.debates.labels("transition")
    for null, expected in nulls(task, labels, redraws):
        cells = np.flatnonzero(expected.any(axis=(1, 2)))
        if cells.size:
            yield _framed(task, _against_rates(null, labels[cells], expected[cells], cells, draws), 0, fitting)


def _counted_rates(counted: list[Counted], draws: Draws) -> Columns:
    """Rates that are counted, of the cells of a block: quantity after quantity, and cell after cell in each."""
    events, base = (np.stack([getattr(one, side) for one in counted]) for side in ("events", "base"))
    quantity, cell = np.nonzero(base.sum(axis=2) > 0)
    events, base = events[quantity, cell], base[quantity, cell]
    low, high = draws.ratios(events, base)
    about = {name: np.array([getattr(one, name) for one in counted])[quantity] for name in _ABOUT}
    sums = {"events": events.sum(axis=1), "base": base.sum(axis=1), "n_items": (base > 0).sum(axis=1)}
    value = sums["events"] / sums["base"]  # to the last bit, as anybody would divide them
    return about | sums | {"value": value, "low": low, "high": high, "_cell": cell}


_ABOUT = ("coding", "quantity", "is_share")


def _against_rates(null: str, labels: FloatArray, expected: FloatArray, cells: NDArray[Any], draws: Draws) -> Columns:
    """Rates beside a null, (cells, items, labels) each: cell after cell, and quantity after quantity in each."""
    sides = [against(null, *cell, with_null=null == "redraw") for cell in zip(labels, expected, strict=True)]
    columns = np.stack([own.T for _, own, _ in sides])
    names, _, estimator = sides[0]
    value, low, high = (side.ravel() for side in draws.estimates(columns, estimator))
    items = (columns.sum(axis=1) > 0).sum(axis=1)
    found = {"value": value, "low": low, "high": high, "n_items": np.repeat(items, len(names))}
    found |= {"_cell": np.repeat(cells, len(names)), "quantity": np.tile(names, cells.size)}
    blank = np.full(value.size, np.nan)
    found |= {"coding": np.full(value.size, PRIMARY), "is_share": np.zeros(value.size, np.bool_)}
    return {name: column[~np.isnan(value)] for name, column in (found | {"events": blank, "base": blank}).items()}


def _framed(task: TaskCells, found: Columns, first: int, fitting: Fitting) -> pd.DataFrame:
    """Rows of a team and task, without intervals from resampled items where there is one to resample."""
    share, base = found.pop("is_share"), np.nan_to_num(found["base"])
    cells = task.cells.iloc[first + found.pop("_cell")].reset_index(drop=True)
    ends = proportions(np.where(share, found["events"], np.nan), base, fitting.confidence).drop(columns="value")
    sure = {end: np.where(found["n_items"] < 2, np.nan, found[end]) for end in ("low", "high")}
    return pd.concat([cells, pd.DataFrame(found | sure), ends], axis=1)


def _check_identity(debates: Debates, counted: list[Counted], team: str, task: TaskCells, some: slice) -> None:
    """Corrections - collapses = right at the end - right at first, in debates, by the labels and by the answers."""
    first, last = (debates.numbers(f"{end}_correct") for end in ("initial", "final"))
    labelled = ~np.isnan(first) & ~np.isnan(last)
    defined = np.where(labelled, last - first, 0.0)
    gain = {PRIMARY: defined, "undefined_wrong": np.nan_to_num(last) - np.nan_to_num(first)}
    net = {one.coding: one.events.sum(axis=1) for one in counted if one.quantity == "net"}
    for coding, change in gain.items():
        gained = debates.total(change).sum(axis=1)
        wrong = np.flatnonzero(net[coding] != gained)
        if wrong.size:
            at = int(wrong[0])
            about = {"team": team, "task": task.task} | task.cells.iloc[some.start + at].to_dict()
            raise UserError(
                f"transitions: {about}: by {coding} corrections minus collapses are {net[coding][at]:.0f}, and "
                f"accuracy gained {gained[at]:.0f}. Delete the file and run again."
            )
