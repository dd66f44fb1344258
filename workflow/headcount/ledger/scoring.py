"""Gates on the same debates: counts, what a collapse must be worth, and utility with intervals from drawn questions."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.break_even import BreakEven, break_even
from headcount.ledger.replay import Outcome, Replayed, ladder, outcome
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Percentile, bootstrap_means, percentile_interval, shared_weights
from headcount.schema.ledger import UTILITIES, UTILITY_WEIGHTS

LEDGER = ("debates", "collapses", "corrections", "right")
COUNTS = ("fired", "prevented", "lost", "broken", "repaired", "net", "accuracy")


@dataclass(frozen=True)
class Resampled:
    """Questions drawn anew.

    Attributes:
        questions: all of them, sorted.
        weights: (draws, questions), how often each comes up.
        confidence: coverage of intervals.
    """

    questions: "np.ndarray[tuple[int], np.dtype[np.str_]]"
    weights: FloatArray
    confidence: float

    @classmethod
    def of(cls, rows: pd.DataFrame, team: str, task: str, fitting: Fitting) -> "Resampled":
        """The weights that all numbers of a team and task share, for the questions of its debates."""
        questions = np.unique(rows["question_id"].to_numpy(dtype=str))
        weights = shared_weights(Percentile(fitting.bootstrap), questions.size, fitting.seed, team, task)
        return cls(questions, weights, fitting.confidence)

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
    place = drawn.place(rows)
    items = np.unique(place).size
    found = [outcome(replayed) for replayed in gates.values()]
    columns = {name: [getattr(counts, name) for counts in found] for name in (*LEDGER, *COUNTS)}
    even = [_break_even(counts, drawn.confidence) for counts in found]
    columns |= {f"break_even{end}": [getattr(one, name) for one in even] for end, name in _ENDS.items()}
    frame = pd.DataFrame({"gate": list(gates)} | columns)
    frame[list(UTILITIES)] = np.stack([ladder(counts, UTILITY_WEIGHTS) for counts in found])
    for end, values in zip(("low", "high"), utility_intervals(list(gates.values()), place, drawn), strict=True):
        frame[[f"{name}_{end}" for name in UTILITIES]] = values if items > 1 else np.nan
    return frame.assign(n_items=items, simulated=bool(rows["simulated"].any()))


_ENDS = {"": "ratio", "_low": "low", "_high": "high"}


def utility_intervals(gates: list[Replayed], place: IntArray, drawn: Resampled) -> tuple[FloatArray, FloatArray]:
    """Ends of the utility a debate at each weight of the ladder, (gates, weights) each.

    U(w) = (w sum(prevented - broken) - sum(lost - repaired)) / debates, each a sum over the questions that were drawn.

    Args:
        gates: replays of the same debates.
        place: (debates,), the question of each.
        drawn: the questions.
    """
    worth = [gate.prevented.astype(np.float64) - gate.broken for gate in gates]
    price = [gate.lost.astype(np.float64) - gate.repaired for gate in gates]
    sums = np.zeros((drawn.questions.size, 2 * len(gates) + 1))
    np.add.at(sums, place, np.stack([*worth, *price, np.ones(place.size)], axis=1))
    means = bootstrap_means(sums, drawn.weights)
    base = np.where(means[:, -1:] > 0, means[:, -1:], np.nan)
    gained, paid = (part / base for part in np.split(means[:, :-1], 2, axis=1))
    ends = [percentile_interval(weight * gained - paid, drawn.confidence) for weight in UTILITY_WEIGHTS]
    low, high = (np.stack(side, axis=1) for side in zip(*ends, strict=True))
    return low, high


def _break_even(counts: Outcome, confidence: float) -> BreakEven:
    """Of a freeze to the first majority; what also breaks or repairs debates has no such ratio."""
    if counts.broken or counts.repaired:
        return BreakEven(float("nan"), float("nan"), float("nan"))
    return break_even(counts.prevented, counts.lost, confidence)
