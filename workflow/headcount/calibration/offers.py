"""Every interval on offer, for many data sets at once.

An offer makes ends from `Draws`: estimates of all items, of items without each group, and of resampled items. Those
that the workflow has (`measures.intervals`) are computed by its own functions.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from headcount.measures.arrays import BoolArray, FloatArray
from headcount.measures.intervals import jackknife_error, percentile_interval
from headcount.measures.scales import Scales, scaled_interval

LEVEL = 0.95
Ends = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class Draws:
    """Estimates of some data sets.

    Attributes:
        items: how many each data set has.
        scales: of the parameters, in order.
        proportions: (parameters,), which of them are proportions of items.
        point: (sets, parameters), of all items.
        left: (groups, sets, parameters), without each of at most 100 groups of items.
        influence: (sets, parameters), the standard error by linearisation.
        free, bounded: (draws, sets, parameters), of resampled items, beta in [-1, 1] and in [0, 1].
    """

    items: int
    scales: Scales
    proportions: BoolArray
    point: FloatArray
    left: FloatArray
    influence: FloatArray
    free: FloatArray | None = None
    bounded: FloatArray | None = None


def jackknife_t(point: FloatArray, left: FloatArray, scales: Scales) -> Ends:
    """The default, `measures.intervals.Jackknife`: theta -+ t_{G - 1} se on each parameter's own scale.

    Args:
        point: (sets, parameters).
        left: (groups, sets, parameters).
        scales: of the parameters; where one has no place for an estimate, as ln 0, its interval is plain.
    """
    own, error = scales.there(point), _error(scales.there(left))
    t = _quantile_of_t(len(left) - 1)
    ends = scales.back(*scaled_interval(own, t * error, t, scales))
    plain = jackknife_t_plain(point, left)
    known = np.isfinite(ends[0])
    return np.where(known, ends[0], plain[0]), np.where(known, ends[1], plain[1])


def jackknife_t_plain(point: FloatArray, left: FloatArray) -> Ends:
    """theta -+ t_{G - 1} se, whatever theta can be."""
    return _symmetric(point, _error(left), len(left) - 1)


def jackknife_t_ln(point: FloatArray, left: FloatArray, logs: BoolArray) -> Ends:
    """The same of ln theta for some parameters (parameters,), and plain for the others; NaN where ln is of 0."""
    low, high = jackknife_t_plain(_ln(point, logs), _ln(left, logs))
    with np.errstate(over="ignore"):
        return np.where(logs, np.exp(low), low), np.where(logs, np.exp(high), high)


def percentile(draws: FloatArray) -> Ends:
    """Central percentiles of resamples: `measures.intervals.Percentile`; draws (draws, sets, parameters)."""
    low, high = percentile_interval(draws.reshape(len(draws), -1), LEVEL)
    return low.reshape(draws.shape[1:]), high.reshape(draws.shape[1:])


def basic(point: FloatArray, draws: FloatArray) -> Ends:
    """Percentiles mirrored about the estimate: 2 theta - theta*_hi, 2 theta - theta*_lo (Davison and Hinkley 1997)."""
    low, high = percentile(draws)
    return 2.0 * point - high, 2.0 * point - low


def bca(point: FloatArray, draws: FloatArray, left: FloatArray) -> Ends:
    """Bias-corrected and accelerated percentiles (Efron 1987), acceleration from the groups left out.

    z0 = Phi^-1(share of draws below theta), a = sum d^3 / (6 (sum d^2)^1.5) with d = mean theta(g) - theta(g); the ends
    are the percentiles Phi(z0 + (z0 + z) / (1 - a (z0 + z))) at z = -+1.96.

    Returns:
        NaN where a draw has no value, or all draws are on one side.
    """
    below = (draws < point).mean(axis=0) + 0.5 * (draws == point).mean(axis=0)
    bias = ndtri(below)
    gap = left.mean(axis=0) - left
    square = (gap**2).sum(axis=0)
    acceleration = (gap**3).sum(axis=0) / np.where(square > 0, 6.0 * square**1.5, np.inf)
    ordered = np.sort(draws, axis=0)  # NaN last
    ends = []
    for z in (ndtri(0.5 - LEVEL / 2), ndtri(0.5 + LEVEL / 2)):
        at = ndtr(bias + (bias + z) / (1.0 - acceleration * (bias + z)))
        ends.append(np.where(np.isfinite(ordered[-1]) & np.isfinite(bias), _quantile(ordered, at), np.nan))
    return ends[0], ends[1]


def wilson(point: FloatArray, items: int) -> Ends:
    """Wilson's interval of a proportion of items (1927); NaN where `point` is no proportion."""
    p = np.where((point >= 0) & (point <= 1), point, np.nan)
    z2 = ndtri(0.5 + LEVEL / 2) ** 2 / items
    middle, half = p + z2 / 2, np.sqrt(z2 * p * (1 - p) + z2**2 / 4)
    return (middle - half) / (1 + z2), (middle + half) / (1 + z2)


def _error(left: FloatArray) -> FloatArray:
    """The jackknife's standard errors, (sets, parameters)."""
    return jackknife_error(left.reshape(len(left), -1)).reshape(left.shape[1:])


def _quantile_of_t(degrees: int) -> float:
    return float(stdtrit(degrees, 0.5 + LEVEL / 2))


def _symmetric(point: FloatArray, error: FloatArray, degrees: int) -> Ends:
    margin = _quantile_of_t(degrees) * error
    return point - margin, point + margin


def _given(draws: FloatArray | None) -> FloatArray:
    assert draws is not None, "an offer is asked for only where its draws were made"
    return draws


OFFERS: dict[str, Callable[[Draws], Ends]] = {
    "jackknife_t": lambda d: jackknife_t(d.point, d.left, d.scales),
    "jackknife_t_plain": lambda d: jackknife_t_plain(d.point, d.left),
    "jackknife_t_ln": lambda d: jackknife_t_ln(d.point, d.left, d.scales.least >= 0.0),
    "linearised_t": lambda d: _symmetric(d.point, d.influence, d.items - 1),
    "wilson": lambda d: wilson(np.where(d.proportions, d.point, np.nan), d.items),
}
"""Offers without resampling, by name."""

RESAMPLED: dict[str, Callable[[Draws], Ends]] = {
    "percentile_bounded": lambda d: percentile(_given(d.bounded)),
    "percentile_free": lambda d: percentile(_given(d.free)),
    "basic_free": lambda d: basic(d.point, _given(d.free)),
    "bca_free": lambda d: bca(d.point, _given(d.free), d.left),
}
"""Offers with the item bootstrap; `percentile_bounded` is the paper's."""


def _quantile(ordered: FloatArray, at: FloatArray) -> FloatArray:
    """Quantiles at shares `at` (...), one of each column of ordered draws (draws, ...), linear between draws."""
    place = np.clip(np.nan_to_num(at, nan=0.5), 0.0, 1.0) * (len(ordered) - 1)
    under = np.floor(place).astype(np.int64)
    low = np.take_along_axis(ordered, under[None], axis=0)[0]
    high = np.take_along_axis(ordered, np.minimum(under + 1, len(ordered) - 1)[None], axis=0)[0]
    return np.asarray(low + (place - under) * (high - low))


def _ln(values: FloatArray, logs: BoolArray) -> FloatArray:
    """Values (..., parameters), those of some parameters as logarithms; NaN where there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        there = np.where(logs, np.log(values), values)
    return np.where(np.isfinite(there), there, np.nan)
