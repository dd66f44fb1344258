"""Many rates at once with their items drawn anew: columns and rates that are alike are drawn once."""

from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Estimator, percentile_interval

Ends = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class Draws:
    """Items drawn anew.

    Attributes:
        weights: (draws, items), how often each comes up, stored column by column.
        confidence: coverage of intervals.
    """

    weights: FloatArray
    confidence: float

    def means(self, columns: FloatArray) -> FloatArray:
        """Means over the items of each draw, (columns, draws), of columns (columns, items)."""
        return np.asarray(columns @ self.weights.T / self.weights.sum(axis=1))

    def ratios(self, events: FloatArray, base: FloatArray) -> Ends:
        """Low and high ends of sums of events among sums of a base, (rates,), from columns (rates, items) of either."""
        columns, place = _distinct(np.concatenate([events, base]))
        pairs, rate = np.unique(place.reshape(2, -1), axis=1, return_inverse=True)
        means = self.means(columns)
        over, under = means[pairs[0]], means[pairs[1]]
        drawn = np.divide(over, under, out=np.full(over.shape, np.nan), where=under > 0)
        low, high = percentile_interval(drawn.T, self.confidence)
        return low[rate], high[rate]

    def estimates(self, columns: FloatArray, estimator: Estimator) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Value, low and high, (sets, parameters), of what an estimator makes of columns (sets, columns, items)."""
        (sets, width, items), value = columns.shape, estimator(columns.mean(axis=2))
        different, place = _distinct(columns.reshape(-1, items))
        means = self.means(different)[place].reshape(sets, width, -1).swapaxes(1, 2)
        drawn = estimator(means.reshape(-1, width)).reshape(sets, means.shape[1], value.shape[1])
        ends = percentile_interval(drawn.swapaxes(1, 2).reshape(value.size, means.shape[1]).T, self.confidence)
        low, high = (end.reshape(value.shape) for end in ends)
        return value, low, high


def _distinct(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """The different rows of a table, and the place of each row among them."""
    seen: dict[bytes, int] = {}
    place = np.array([seen.setdefault(row.tobytes(), len(seen)) for row in rows], dtype=np.int64)
    first = np.unique(place, return_index=True)[1]
    return rows[first], place
