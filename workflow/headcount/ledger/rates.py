"""The rates of every cell of a run: collapse, correction and all that goes with them, under every coding.

A cell is a team on a task under a condition, of N agents of whom each hears k, judged at one round. A rate is a ratio
of sums over its debates. Wilson's and Jeffreys' intervals take debates for independent; `low` and `high` resample the
items, with the weights that all numbers of a team and task share.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.config import Fitting
from headcount.errors import UserError
from headcount.ledger.against import against
from headcount.ledger.codings import PRIMARY
from headcount.ledger.counting import Counted, count, membership
from headcount.ledger.labels import LABELS
from headcount.ledger.proportions import proportions
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import Estimator, Percentile, bootstrap_means, shared_weights
from headcount.schema import LEDGER_RATES
from headcount.store import conform, plain

CELL = ["condition", "n", "k", "round"]
Tables = Mapping[str, pa.Table]  # by team


@dataclass(frozen=True)
class _Task:
    """The debates of a team on a task.

    Attributes:
        rows: of `schema.TRANSITIONS`, with the place of their item among `items` in `_item`.
        items: all of them, sorted.
        redraws: labels of a re-draw by team size, (items, labels), 0 where there is none.
    """

    rows: pd.DataFrame
    items: list[str]
    redraws: Mapping[int, FloatArray]
    weights: FloatArray
    fitting: Fitting

    def sums(self, rows: pd.DataFrame, values: FloatArray) -> FloatArray:
        """Values of some rows, (rows, columns), summed over the debates of each item, (items, columns)."""
        total = np.zeros((len(self.items), values.shape[1]))
        np.add.at(total, rows["_item"].to_numpy(), values)
        return total

    def labels(self, rows: pd.DataFrame) -> FloatArray:
        """How many debates of each item have each label, (items, labels)."""
        return self.sums(rows, membership(rows, "transition"))

    def interval(self, columns: FloatArray, estimator: Estimator) -> pd.DataFrame:
        """Value, low and high of what an estimator makes of the means of columns (items, columns)."""
        value = estimator(bootstrap_means(columns, np.ones((1, len(columns)))))[0]
        how = Percentile(self.fitting.bootstrap)
        low, high, _ = how(columns, estimator, self.weights, self.fitting.confidence)
        return pd.DataFrame({"value": value, "low": low, "high": high})


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
    frames = []
    for team, table in transitions.items():
        for name, task in _tasks(team, plain(table), plain(redraws[team]), fitting):
            for _, rows in task.rows.groupby(CELL):
                about: dict[str, Any] = {"team": team, "task": name} | {key: rows[key].iloc[0] for key in CELL}
                frames += [frame.assign(**about) for frame in _cell(task, rows, about)]
    nothing = pd.DataFrame(columns=LEDGER_RATES.schema.names).astype(object)
    rows = pd.concat([nothing, *frames])
    return conform(rows.assign(simulated=rows["team"].isin(simulated)), LEDGER_RATES, LEDGER_RATES.name)


def _tasks(team: str, rows: pd.DataFrame, redrawn: pd.DataFrame, fitting: Fitting) -> Iterator[tuple[str, _Task]]:
    for name, here in rows.groupby("task", sort=True):
        items, item = np.unique(here["item"].to_numpy(dtype=str), return_inverse=True)
        weights = shared_weights(Percentile(fitting.bootstrap), items.size, fitting.seed, team, str(name))
        own = redrawn[redrawn["task"] == name]
        by_size = {n: _spread(items, own[own["n"] == n]) for n in own["n"].unique()}
        yield str(name), _Task(here.assign(_item=item), items.tolist(), by_size, weights, fitting)


def _spread(items: np.ndarray, rows: pd.DataFrame) -> FloatArray:
    """Labels of a re-draw, (items, labels)."""
    return rows.set_index("item").reindex(items)[list(LABELS)].fillna(0.0).to_numpy(dtype=np.float64)


def _cell(task: _Task, rows: pd.DataFrame, about: Mapping[str, Any]) -> Iterator[pd.DataFrame]:
    counted = count(rows)
    _check_identity(rows, counted, about)
    yield _counted_rates(task, rows, counted)
    observed = task.labels(rows)
    for name, expected in _nulls(task, about).items():
        if expected.any():
            yield _against_rates(task, name, observed, expected)


def _nulls(task: _Task, about: Mapping[str, Any]) -> Mapping[str, FloatArray]:
    """What a cell's labels stand against, (items, labels) each: a re-draw, and agents who thought again alone."""
    rows = task.rows
    alone = (rows["condition"] == "self_correction") & (rows["n"] == about["n"]) & (rows["round"] == about["round"])
    redrawn = task.redraws.get(about["n"], np.zeros((len(task.items), len(LABELS))))
    if about["condition"] == "self_correction":
        return {"redraw": redrawn}
    return {"redraw": redrawn, "self_correction": task.labels(rows[alone])}


def _counted_rates(task: _Task, rows: pd.DataFrame, counted: list[Counted]) -> pd.DataFrame:
    events = task.sums(rows, np.stack([one.events for one in counted], axis=1))
    base = task.sums(rows, np.stack([one.base for one in counted], axis=1))
    frame = pd.DataFrame({"coding": [one.coding for one in counted], "quantity": [one.quantity for one in counted]})
    frame = frame.assign(events=events.sum(axis=0), base=base.sum(axis=0), n_items=(base > 0).sum(axis=0))
    share = np.array([one.is_share for one in counted])
    ends = proportions(np.where(share, frame["events"], np.nan), base.sum(axis=0), task.fitting.confidence)
    frame = pd.concat([frame, ends.drop(columns="value"), task.interval(np.c_[events, base], _ratio)], axis=1)
    frame = frame[frame["base"] > 0]
    return _sure(frame.assign(value=frame["events"] / frame["base"]))  # to the last bit, as anybody would divide them


def _ratio(means: FloatArray) -> FloatArray:
    events, base = np.split(means, 2, axis=1)
    return np.asarray(np.divide(events, base, out=np.full(base.shape, np.nan), where=base > 0))


def _against_rates(task: _Task, name: str, observed: FloatArray, expected: FloatArray) -> pd.DataFrame:
    names, columns, estimator = against(name, observed, expected, with_null=name == "redraw")
    items = int((columns.sum(axis=1) > 0).sum())
    frame = task.interval(columns, estimator).assign(coding=PRIMARY, quantity=names, n_items=items)
    blank = ["events", "base", "wilson_low", "wilson_high", "jeffreys_low", "jeffreys_high"]
    return _sure(frame.assign(**dict.fromkeys(blank, np.nan)).dropna(subset="value"))


def _sure(frame: pd.DataFrame) -> pd.DataFrame:
    """Without intervals from resampled items where there is one to resample."""
    unsure = (frame["n_items"] < 2) | frame["value"].isna()
    return frame.assign(**{end: frame[end].mask(unsure) for end in ("low", "high")})


def _check_identity(rows: pd.DataFrame, counted: list[Counted], about: Mapping[str, Any]) -> None:
    """Corrections - collapses = right at the end - right at first, in debates, by the labels and by the answers."""
    first, last = (rows[f"{end}_correct"].astype("boolean") for end in ("initial", "final"))
    labelled = first.notna() & last.notna()
    gain = {
        PRIMARY: int((last & labelled).sum()) - int((first & labelled).sum()),
        "undefined_wrong": int(last.fillna(False).sum()) - int(first.fillna(False).sum()),
    }
    net = {one.coding: int(one.events.sum()) for one in counted if one.quantity == "net"}
    for coding, change in gain.items():
        if net[coding] != change:
            raise UserError(
                f"transitions: {about}: by {coding} corrections minus collapses are {net[coding]}, and accuracy gained "
                f"{change}. Delete the file and run again."
            )
