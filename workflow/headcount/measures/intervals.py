"""How sure an estimate is: items are resampled, all else is a function of their weighted means.

Items are the unit because teams answer the same items at every size and in every condition: one
vector of item weights serves them all, so that what is shared cancels from contrasts. Agents are
never resampled (that alone moves rho(3) from .52 to .68: a resampled team holds the same agent
twice).
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from headcount.measures.arrays import FloatArray

# Means (draws, columns) -> parameters (draws, parameters).
Estimator = Callable[[FloatArray], FloatArray]


class Interval(Protocol):
    """A way to make intervals: item weights to try, and what to read off their estimates.

    The percentile bootstrap is one; a delete-group jackknife would weigh each group of items 0 in
    turn.
    """

    @property
    def name(self) -> str:
        """Its name in the column `interval` of the fits."""

    def weights(self, items: int, rng: np.random.Generator) -> FloatArray:
        """Item weights, (draws, items), to be used for all columns of these items."""

    def __call__(
        self, values: FloatArray, estimator: Estimator, weights: FloatArray, level: float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Low and high ends (parameters,), and the estimates of each draw (draws, parameters).

        Args:
            values: (items, columns), NaN where an item has no value.
            estimator: parameters from means.
            weights: (draws, items), from `weights`.
            level: coverage wanted, such as .95.
        """


@dataclass(frozen=True)
class Percentile:
    """The item bootstrap with percentile intervals and 300 draws (arXiv 2606.02646, C.7)."""

    draws: int = 300
    name: str = "percentile"

    def weights(self, items: int, rng: np.random.Generator) -> FloatArray:
        """How often each item comes up when all are drawn anew, with replacement."""
        drawn = rng.multinomial(items, np.full(items, 1.0 / items), size=self.draws)
        return drawn.astype(np.float64)

    def __call__(
        self, values: FloatArray, estimator: Estimator, weights: FloatArray, level: float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """See `Interval`."""
        draws = estimator(bootstrap_means(values, weights))
        return *percentile_interval(draws, level), draws


def shared_weights(interval: Interval, items: int, seed: int, team: str, task: str) -> FloatArray:
    """Item weights, (draws, items): one set for all that a team does on a task, whatever is computed from it."""
    label = f"{seed}\x1f{team}\x1f{task}"
    own = int.from_bytes(hashlib.sha256(label.encode()).digest()[:16], "big")
    return interval.weights(items, np.random.default_rng(own))


def bootstrap_means(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted means over items, of those that have a value.

    mean_b = sum_i w_bi v_i / sum_i w_bi, both sums over items where v_i is known: a plain product
    would spread one NaN over every draw.

    Args:
        values: (items, columns), NaN where an item has no value.
        weights: (draws, items).

    Returns:
        (draws, columns); NaN where a draw has no item with a value.
    """
    known = np.isfinite(values)
    total = weights @ np.where(known, values, 0.0)
    weight = weights @ known.astype(np.float64)
    return np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), np.nan)


def percentile_interval(draws: FloatArray, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Central percentile interval of each parameter; draws without a value are left out.

    Args:
        draws: (draws, parameters), NaN where a draw has no estimate.
        level: coverage, such as .95.

    Returns:
        low and high, each (parameters,); NaN where no draw has an estimate.
    """
    low, high = np.full((2, draws.shape[1]), np.nan)
    tails = [50.0 * (1.0 - level), 50.0 * (1.0 + level)]
    for column in range(draws.shape[1]):
        known = draws[np.isfinite(draws[:, column]), column]
        if known.size:
            low[column], high[column] = np.percentile(known, tails)
    return low, high
