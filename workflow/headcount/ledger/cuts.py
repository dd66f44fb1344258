"""Every cut of one feature at once: what a freeze on either side of it prevents and loses, on all models but one.

Features take few values, so debates are counted by model and value, and a cut is a sum over values.
"""

from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray

FEW_VALUES = 25  # features with at most so many values are cut at each of them too
COST = 50  # a gate must win one debate in so many that it fires at: the reference's penalty of .02 a firing
PERCENTILES = np.arange(0, 101, 5) / 100

Score = tuple[int, int, int, int]  # larger is better; the objective times 50 rows, so that equals are equal


@dataclass(frozen=True)
class Cut:
    """A threshold, whether to freeze at and above it, the mean that stands for a missing value, and its score."""

    threshold: float
    high: bool
    filled: float
    score: Score


@dataclass(frozen=True)
class ByValue:
    """A feature of some debates.

    Attributes:
        values: (debates,); NaN is missing.
        model: (debates,), from 0.
        distinct: (values,), sorted.
        counts: (3, models, values + 1), debates, those that a freeze prevents, and those that it loses, at each value;
            the last is no value.
    """

    values: FloatArray
    model: IntArray
    distinct: FloatArray
    counts: IntArray

    @classmethod
    def of(cls, values: FloatArray, model: IntArray, prevented: BoolArray, lost: BoolArray) -> "ByValue":
        """Args: all (debates,)."""
        known = np.isfinite(values)
        distinct, code = np.unique(np.where(known, values, np.nan), return_inverse=True)
        distinct = distinct[np.isfinite(distinct)]
        shape = (int(model.max(initial=0)) + 1, distinct.size + 1)
        cell = model * shape[1] + code
        counts = [np.bincount(cell[rows], minlength=shape[0] * shape[1]) for rows in (slice(None), prevented, lost)]
        return cls(values, model, distinct, np.stack(counts).reshape(3, *shape))

    def best(self, left: int | None = None) -> Cut | None:
        """The best cut on the debates of all models but one; None where none of them has a value."""
        known = np.isfinite(self.values) & (self.model != (-1 if left is None else left))
        if not known.any():
            return None
        filled = float(self.values[known].mean())
        counts = self.counts.sum(axis=1) - (0 if left is None else self.counts[:, left])
        return _best(*_merged(self.distinct, counts, filled), filled)


def _merged(distinct: FloatArray, counts: IntArray, filled: float) -> tuple[FloatArray, IntArray]:
    """Values that debates have, and counts at each, where what is missing is taken for the mean."""
    values, place = np.unique(np.append(distinct, filled), return_inverse=True)
    merged = np.zeros((3, values.size), np.int64)
    merged[:, place[:-1]] = counts[:, :-1]
    merged[:, place[-1]] += counts[:, -1]
    there = merged[0] > 0
    return values[there], merged[:, there]


def _best(values: FloatArray, counts: IntArray, filled: float) -> Cut:
    """The first of the best, each threshold above before below."""
    upto = np.concatenate([np.zeros((3, 1), np.int64), np.cumsum(counts, axis=1)], axis=1)
    cuts = thresholds(values, upto[0, 1:])
    above = upto[:, -1:] - upto[:, np.searchsorted(values, cuts, side="left")]
    below = upto[:, np.searchsorted(values, cuts, side="right")]
    fired, prevented, lost = np.stack([above, below], axis=2).reshape(3, -1)
    net = prevented - lost
    place = np.arange(net.size)
    objective = COST * net - fired
    for better in (objective, net, -lost, -fired):
        place = place[better[place] == better[place].max()]
    at = int(place[0])
    score = int(objective[at]), int(net[at]), -int(lost[at]), -int(fired[at])
    return Cut(float(cuts[at // 2]), at % 2 == 0, filled, score)


def thresholds(values: FloatArray, upto: IntArray) -> FloatArray:
    """Percentiles 0, 5, ..., 100, linear between two debates as NumPy's are, and the values themselves if they are few.

    Args:
        values: (values,), sorted.
        upto: (values,), how many debates have each value or a smaller one.
    """
    at = (upto[-1] - 1) * PERCENTILES
    under = np.floor(at)
    beside = (np.minimum(place, upto[-1] - 1) for place in (under, under + 1))
    a, b = (values[np.searchsorted(upto, place, side="right")] for place in beside)
    part = at - under
    between = np.where(part < 0.5, a + (b - a) * part, b - (b - a) * (1 - part))
    return np.unique(np.concatenate([between, values]) if values.size <= FEW_VALUES else between)
