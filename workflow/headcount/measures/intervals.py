"""How sure an estimate is: items are left out or resampled, all else is a function of their weighted means.

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

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.scales import Scales, scaled_interval

# Means (draws, columns) -> parameters (draws, parameters).
Estimator = Callable[[FloatArray], FloatArray]


class Sample(Protocol):
    """Values under all item weights of an interval: what to estimate from, and what to read off the estimates."""

    @property
    def means(self) -> FloatArray:
        """(draws, columns), to be estimated from; NaN where a draw has no item with a value."""

    def ends(
        self, estimates: FloatArray, level: float, scales: Scales | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Low and high ends (parameters,), and the estimates of each refit (refits, parameters).

        Args:
            estimates: (draws, parameters), from `means`.
            level: coverage wanted, such as .95.
            scales: what each parameter can be; none: anything.
        """


class Interval(Protocol):
    """A way to make intervals: item weights to try, and what to read off their estimates."""

    @property
    def name(self) -> str:
        """Its name in the column `interval` of the fits."""

    def weights(self, items: int, rng: np.random.Generator) -> FloatArray:
        """Item weights, (draws, items), to be used for all columns of these items."""

    def sample(self, values: FloatArray, weights: FloatArray) -> Sample:
        """Values (items, columns), NaN where an item has none, under weights (draws, items) from `weights`."""

    def __call__(
        self, values: FloatArray, estimator: Estimator, weights: FloatArray, level: float, scales: Scales | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """`sample` and `ends` at once; `estimator` makes parameters of means."""


@dataclass(frozen=True)
class Percentile:
    """The item bootstrap with percentile intervals and 300 draws (arXiv 2606.02646, C.7)."""

    draws: int = 300
    name: str = "percentile"

    def weights(self, items: int, rng: np.random.Generator) -> FloatArray:
        """How often each item comes up when all are drawn anew, with replacement."""
        drawn = rng.multinomial(items, np.full(items, 1.0 / items), size=self.draws)
        return drawn.astype(np.float64)

    def sample(self, values: FloatArray, weights: FloatArray) -> "Resamples":
        """See `Interval`."""
        return Resamples(bootstrap_means(values, weights))

    def __call__(
        self, values: FloatArray, estimator: Estimator, weights: FloatArray, level: float, scales: Scales | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """See `Interval`."""
        sample = self.sample(values, weights)
        return sample.ends(estimator(sample.means), level, scales)


@dataclass(frozen=True)
class Resamples:
    """Means of resampled items, (draws, columns)."""

    means: FloatArray

    def ends(
        self, estimates: FloatArray, level: float, scales: Scales | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """See `Sample`."""
        low, high = percentile_interval(estimates, level)
        return *(scales.clip(low, high) if scales else (low, high)), estimates


@dataclass(frozen=True)
class Jackknife:
    """The delete-group jackknife with Student's t, on each parameter's own scale (ours): what calibration chose.

    Items are dealt at random into G = min(items, `groups`) groups of equal size, to within one. With theta(g) the
    estimate without group g, and theta that of all items:

        se^2 = (G - 1) / G * sum_g (theta(g) - mean theta)^2 ,   theta -+ t_{G - 1} se

    where theta is c as ln c, and a share as in `scales`. The estimator is refitted G times, where a bootstrap needs
    hundreds; with as many groups as items it is Tukey's jackknife. Items without any value are in no group, and a
    mean of fewer items than there are groups has t with as many less one.
    """

    groups: int = 100
    name: str = "jackknife_t"

    def weights(self, items: int, rng: np.random.Generator) -> FloatArray:
        """0 for the items of one group in each row, 1 for all others."""
        groups = min(items, self.groups)
        group = rng.permutation(items) % max(groups, 1)
        return np.asarray(group != np.arange(groups)[:, None], dtype=np.float64)

    def sample(self, values: FloatArray, weights: FloatArray) -> "LeftOut":
        """See `Interval`."""
        seen = np.isfinite(values).any(axis=1).astype(np.float64)
        told = np.asarray(weights @ seen < seen.sum())  # weights are 0 and 1: fewer are left
        return LeftOut(bootstrap_means(values, np.concatenate([np.ones((1, len(values))), weights])), told)

    def __call__(
        self, values: FloatArray, estimator: Estimator, weights: FloatArray, level: float, scales: Scales | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """See `Interval`."""
        sample = self.sample(values, weights)
        return sample.ends(estimator(sample.means), level, scales)


@dataclass(frozen=True)
class LeftOut:
    """Means without each group of items in turn.

    Attributes:
        means: (1 + groups, columns), those of all items first.
        told: (groups,), whether a group has an item with a value.
    """

    means: FloatArray
    told: BoolArray

    def ends(
        self, estimates: FloatArray, level: float, scales: Scales | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """See `Sample`. NaN where a group cannot be left out: what is left has no estimate.

        NaN too where no item differs from another, unless the scale knows an error for that: items that all say the
        same do not bound what others say.
        """
        theta, left = estimates[0], estimates[1:]
        items = np.zeros(theta.size, np.int64) if scales is None else scales.items
        quantile = _quantile(int(self.told.sum()), items, level)
        unknown = np.where((items == 0) & _alike(self.means[1:][self.told]), np.nan, 0.0)
        margin = quantile * jackknife_error(left[self.told]) + unknown
        if scales is None:
            return theta - margin, theta + margin, left
        low, high = scales.clip(theta - margin, theta + margin)  # where a scale has no place for it, as ln 0
        there = scales.there(estimates)
        error = jackknife_error(there[1:][self.told]) + unknown
        ends = scales.back(*scaled_interval(there[0], quantile * error, quantile, scales))
        known = np.isfinite(ends[0])
        return *scales.clip(np.where(known, ends[0], low), np.where(known, ends[1], high)), left


def _quantile(groups: int, items: IntArray, level: float) -> FloatArray:
    """Student's t for each parameter, by the groups or the fewer items that it is told from; items 0: by groups."""
    from scipy.special import stdtrit  # slow to load, and not every job makes intervals

    own = np.where(items > 0, np.minimum(items, groups), groups)
    return np.asarray(stdtrit(np.maximum(own - 1, 1), 0.5 + level / 2), dtype=np.float64)


def _alike(means: FloatArray) -> bool:
    """Whether it is all the same to every mean which group is left out."""
    return bool(len(means)) and not (np.ptp(means, axis=0) > 1e-12 * (1.0 + np.abs(means[0]))).any()


def clipped(
    low: FloatArray, high: FloatArray, least: FloatArray | float, most: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """Ends of an interval, kept within the range of the parameter: what lies outside it was never possible."""
    return np.clip(low, least, most), np.clip(high, least, most)


def jackknife_error(left_out: FloatArray) -> FloatArray:
    """Standard error of each parameter, from its estimates without each group of items in turn.

    se^2 = (G - 1) / G * sum_g (theta(g) - mean theta)^2 (Tukey 1958; Kott 2001 for groups).

    Args:
        left_out: (groups, parameters).

    Returns:
        (parameters,); NaN with fewer than two groups, and where one of them has no estimate.
    """
    groups = len(left_out)
    if groups < 2:
        return np.full(left_out.shape[1], np.nan)
    return np.asarray(np.sqrt((groups - 1) / groups * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)))


# By the name that a configuration gives, from the number of resamples (which the jackknife has no use for).
INTERVALS: dict[str, Callable[[int], Interval]] = {
    "jackknife_t": lambda _draws: Jackknife(),
    "percentile": Percentile,
}


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
    if known.all():
        return _over(weights @ values, weights.sum(axis=1, keepdims=True))
    return _over(weights @ np.where(known, values, 0.0), _weight(known, weights))


def _over(total: FloatArray, weight: FloatArray) -> FloatArray:
    """Means from totals and weights, (draws, columns); NaN where nothing weighs."""
    return np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), np.nan)


def _weight(known: BoolArray, weights: FloatArray) -> FloatArray:
    """Weight of the items that have a value, (draws, columns); most columns have one of every item."""
    whole = known.all(axis=0)
    weight = np.repeat(weights.sum(axis=1, keepdims=True), whole.size, axis=1)
    weight[:, ~whole] = weights @ known[:, ~whole].astype(np.float64)
    return weight


def percentile_interval(draws: FloatArray, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Central percentile interval of each parameter; draws without a value are left out.

    Args:
        draws: (draws, parameters), NaN where a draw has no estimate.
        level: coverage, such as .95.

    Returns:
        low and high, each (parameters,); NaN where no draw has an estimate.
    """
    ordered = np.sort(np.where(np.isfinite(draws), draws, np.nan), axis=0)  # those without a value come last
    known = np.isfinite(draws).sum(axis=0)
    low, high = (_of_ordered(ordered, known, tail) for tail in (0.5 - level / 2, 0.5 + level / 2))
    return low, high


def _of_ordered(ordered: FloatArray, known: IntArray, share: float) -> FloatArray:
    """A quantile of the first `known` of each sorted column, linear between two draws; NaN where there is none."""
    if not len(ordered):
        return np.full(known.shape, np.nan)
    at = share * np.maximum(known - 1, 0)
    under = np.floor(at).astype(np.int64)
    below, above = (
        np.take_along_axis(ordered, place[None], axis=0)[0] for place in (under, np.ceil(at).astype(np.int64))
    )
    return np.asarray(below + (at - under) * (above - below))
