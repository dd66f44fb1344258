"""Rank correlation of a few rows, the interval that it deserves, and how often so few rows would show it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from headcount.measures.arrays import FloatArray


@dataclass(frozen=True)
class Association:
    """How two quantities of the same rows go together.

    Attributes:
        n: rows.
        rho, p_t: Spearman's correlation and its two-sided p-value from t with n - 2 degrees of freedom.
        tau: Kendall's tau-b.
        low, high: Fisher's z interval of rho.
    """

    n: int
    rho: float
    p_t: float
    tau: float
    low: float
    high: float


def associate(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> Association:
    """Spearman's and Kendall's correlation of two columns.

    Args:
        x, y: (rows,), finite.
        confidence: coverage of the interval.

    Returns:
        NaN where a column is constant or has fewer than three rows.
    """
    one, other = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if one.size < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return Association(one.size, *[float("nan")] * 5)
    spearman: Any = stats.spearmanr(one, other)
    rho, p_t = float(spearman.statistic), float(spearman.pvalue)
    low, high = fisher_interval(rho, one.size, confidence=confidence)
    return Association(one.size, rho, p_t, float(stats.kendalltau(one, other).statistic), low, high)


def rank_correlation(x: ArrayLike, y: ArrayLike) -> FloatArray:
    """Spearman's correlation of each two vectors: Pearson's of their average ranks.

    Args:
        x, y: (..., rows), which broadcast.

    Returns:
        (...,); NaN where a vector is constant.
    """
    return pearson(*(stats.rankdata(np.asarray(v, dtype=np.float64), axis=-1) for v in (x, y)))


def pearson(x: FloatArray, y: FloatArray) -> FloatArray:
    """Pearson's correlation along the last axis; NaN where a vector is constant."""
    one, other = (v - v.mean(axis=-1, keepdims=True) for v in (x, y))
    scale = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    small = scale <= 1e-12
    return np.where(small, np.nan, (one * other).sum(axis=-1) / np.where(small, 1.0, scale))


def fisher_interval(rho: float, n: int, controls: int = 0, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of a correlation by Fisher's z: tanh(atanh rho +- z / sqrt(n - 3 - controls)).

    For ranks it is narrower than it should be; `bonett_wright_interval` is not.

    Returns:
        low and high; NaN where |rho| is 1 or n - 3 - controls is not positive: there the formula has no answer.
    """
    return _z_interval(rho, 1.0, n - 3 - controls, confidence)


def bonett_wright_interval(rho: float, n: int, controls: int = 0, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of a rank correlation: Fisher's z with variance (1 + rho^2 / 2) / (n - 3 - controls).

    Source: Bonett and Wright 2000, Psychometrika 65:23-28, eq. 4.

    Returns:
        low and high; NaN as in `fisher_interval`.
    """
    return _z_interval(rho, 1.0 + rho**2 / 2.0, n - 3 - controls, confidence)


def power(rho: float, n: int, controls: int = 0, alpha: float = 0.05) -> float:
    """Chance that n rows show a true correlation at a two-sided level, by Fisher's z.

    Phi(d - z) + Phi(-d - z) with d = atanh(rho) sqrt(n - 3 - controls) and z the quantile of 1 - alpha / 2.

    Returns:
        in [alpha, 1]; NaN where n - 3 - controls is not positive.
    """
    if n - 3 - controls <= 0:
        return float("nan")
    shift, z = np.arctanh(rho) * np.sqrt(n - 3 - controls), stats.norm.isf(alpha / 2)
    return float(stats.norm.cdf(shift - z) + stats.norm.cdf(-shift - z))


def rows_for_power(rho: float, wanted: float = 0.8, controls: int = 0, alpha: float = 0.05) -> int:
    """Smallest number of rows whose power reaches `wanted`; rho must not be 0."""
    if rho == 0 or not alpha < wanted < 1:
        raise ValueError(f"no number of rows has power {wanted} at rho = {rho}")
    n = 4 + controls
    while power(rho, n, controls, alpha) < wanted:
        n += 1
    return n


def _z_interval(rho: float, variance: float, size: int, confidence: float) -> tuple[float, float]:
    if size <= 0 or not abs(rho) < 1 - 1e-12:
        return float("nan"), float("nan")
    half = stats.norm.isf((1 - confidence) / 2) * np.sqrt(variance / size)
    return float(np.tanh(np.arctanh(rho) - half)), float(np.tanh(np.arctanh(rho) + half))
