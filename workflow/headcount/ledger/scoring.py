"""Gates on the same debates: counts, what a collapse must be worth, and utility with intervals from drawn questions."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from headcount.config import Fitting
from headcount.ledger.break_even import break_evens
from headcount.ledger.replay import Replayed, ladder, together
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Percentile, percentile_interval, shared_weights
from headcount.schema.ledger import UTILITIES, UTILITY_WEIGHTS

LEDGER = ("debates", "collapses", "corrections", "right", "n_items")  # what gates on the same debates share

Questions = NDArray[np.str_] | NDArray[np.int64]  # by name, or by number in the order of names


@dataclass(frozen=True)
class Resampled:
    """Questions drawn anew.

    Attributes:
        questions: all of them, sorted.
        weights: (draws, questions), how often each comes up.
        confidence: coverage of intervals.
    """

    questions: Questions
    weights: FloatArray
    confidence: float

    @classmethod
    def of(cls, rows: pd.DataFrame, team: str, task: str, fitting: Fitting) -> "Resampled":
        """The weights that all numbers of a team and task share, for the questions of its debates."""
        return cls.named(np.unique(rows["question_id"].to_numpy(dtype=str)), team, task, fitting)

    @classmethod
    def named(cls, questions: Questions, team: str, task: str, fitting: Fitting) -> "Resampled":
        """The same, of questions that are known: different, and sorted."""
        weights = shared_weights(Percentile(fitting.bootstrap), questions.size, fitting.seed, team, task)
        return cls(questions, np.asfortranarray(weights), fitting.confidence)

    @cached_property
    def sizes(self) -> FloatArray:
        """How many questions each draw has, (draws,)."""
        return np.asarray(self.weights.sum(axis=1))

    def place(self, rows: pd.DataFrame) -> IntArray:
        """The question of each row, (rows,), as a place among all."""
        return np.searchsorted(self.questions, rows["question_id"].to_numpy(dtype=str))


def score(rows: pd.DataFrame, gates: Mapping[str, Replayed], drawn: Resampled) -> pd.DataFrame:
    """Counts, break-even and utility of some gates on the same debates.

    Args:
        rows: the labelled debates.
        gates: the replay of each gate on them, by name.
        drawn: the questions.

    Returns:
        one row a gate, with the columns of `schema.GATE_OUTCOMES` but for a cell's keys, `knows`, `models` and `rule`.
        The break-even interval takes debates for independent; those of utilities draw questions, each with all its
        debates, and are absent where there is one question.
    """
    columns = scored(together(list(gates.values())), drawn.place(rows), drawn)
    return pd.DataFrame({"gate": list(gates)} | columns).assign(simulated=bool(rows["simulated"].any()))


def scored(gates: Replayed, place: IntArray, drawn: Resampled) -> dict[str, NDArray[Any] | int]:
    """`score` as columns, (gates,), and numbers that all gates share.

    Args:
        gates: of the debates, as in `replay.together`.
        place: (debates,), the question of each.
        drawn: the questions.
    """
    counts, debates, items = _counts(gates), place.size, np.unique(place).size
    even = _break_evens(counts, drawn.confidence)
    worth, price = counts["prevented"] - counts["broken"], counts["lost"] - counts["repaired"]
    utility = ladder(worth, price, debates)
    low, high = utility_intervals(gates, place, drawn) if items > 1 else np.full((2, *utility.T.shape), np.nan)
    columns = {f"break_even{end}": values for end, values in zip(ENDS, even, strict=True)}
    for end, values in zip(ENDS, (utility, low.T, high.T), strict=True):
        columns |= {f"{name}{end}": side for name, side in zip(UTILITIES, values, strict=True)}
    return {"debates": debates, "n_items": items} | counts | columns


ENDS = ("", "_low", "_high")


def _counts(gates: Replayed) -> dict[str, Any]:
    """The ledger without a gate, and what each gate makes of it; see `replay.Outcome`."""
    initial, final = gates.initial, gates.final
    ledger = {"collapses": int((initial & ~final).sum()), "corrections": int((~initial & final).sum())}
    found = {name: getattr(gates, name).sum(axis=1) for name in ("fired", "prevented", "lost", "broken", "repaired")}
    net = found["prevented"] + found["repaired"] - found["lost"] - found["broken"]
    right = int(final.sum())
    return ledger | found | {"right": right, "net": net, "accuracy": (right + net) / final.size}


def utility_intervals(gates: Replayed, place: IntArray, drawn: Resampled) -> tuple[FloatArray, FloatArray]:
    """Ends of the utility a debate at each weight of the ladder, (gates, weights) each.

    U(w) = (w sum(prevented - broken) - sum(lost - repaired)) / debates, each a sum over the questions that were drawn.

    Args:
        gates: replays of the same debates, as in `replay.together`.
        place: (debates,), the question of each.
        drawn: the questions.
    """
    worth = gates.prevented.astype(np.int64) - gates.broken
    price = gates.lost.astype(np.int64) - gates.repaired
    means = _means(np.concatenate([worth, price, np.ones((1, place.size), np.int64)]), place, drawn)
    base = np.where(means[-1] > 0, means[-1], np.nan)
    gained, paid = np.split(means[:-1] / base, 2)
    draws = (np.array(UTILITY_WEIGHTS)[:, None, None] * gained - paid).reshape(-1, base.size)
    low, high = (end.reshape(len(UTILITY_WEIGHTS), -1).T for end in percentile_interval(draws.T, drawn.confidence))
    return low, high


def _means(values: IntArray, place: IntArray, drawn: Resampled) -> FloatArray:
    """Sums of values of debates, (columns, debates), a question of each draw, (columns, draws)."""
    column, debate = np.nonzero(values)
    size = (len(values), drawn.questions.size)
    cell = column * size[1] + place[debate]
    sums = np.bincount(cell, values[column, debate], minlength=size[0] * size[1]).reshape(size)
    return np.asarray(sums @ drawn.weights.T / drawn.sizes)


def _break_evens(counts: Mapping[str, IntArray], confidence: float) -> tuple[FloatArray, ...]:
    """Of freezes to the first majority; what also breaks or repairs debates has no such ratio."""
    other = (counts["broken"] > 0) | (counts["repaired"] > 0)
    return tuple(np.where(other, np.nan, end) for end in break_evens(counts["prevented"], counts["lost"], confidence))
