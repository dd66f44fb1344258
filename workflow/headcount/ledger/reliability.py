"""Whether a measurement comes back: intraclass correlation, Cronbach's alpha, split halves."""

import numpy as np
from scipy import stats

from headcount.ledger.ranks import pearson
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Percentile, percentile_interval


def icc(ratings: FloatArray) -> float:
    """ICC(2,1): how much one of k raters says about a target, raters drawn at random, absolute agreement.

    (MSB - MSE) / (MSB + (k - 1) MSE + k (MSJ - MSE) / n) from the two-way analysis of variance of n targets by k raters
    (Shrout and Fleiss 1979). Two passes of one probe are raters (test-retest), or the agents of a panel.

    Args:
        ratings: (targets, raters); targets with a NaN are left out.

    Returns:
        at most 1; NaN with fewer than two targets or raters, or where nothing varies.
    """
    return float(_icc_of_weighted(ratings, np.ones((1, len(ratings))))[0])


def icc_interval(
    ratings: FloatArray,
    rng: np.random.Generator,
    cluster: IntArray | None = None,
    draws: int = 1000,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """Percentile interval of `icc` when targets are drawn anew.

    Args:
        ratings: (targets, raters).
        rng: draws.
        cluster: (targets,), codes from 0 of what is drawn, such as the question that several agents answer; by default
            each target by itself, as the reference does.
        draws: how many times.
        confidence: coverage.

    Returns:
        low and high; NaN as in `icc`.
    """
    owner = np.arange(len(ratings)) if cluster is None else cluster
    weights = Percentile(draws).weights(int(owner.max(initial=-1)) + 1, rng)[:, owner]
    low, high = percentile_interval(_icc_of_weighted(ratings, weights)[:, None], confidence)
    return float(low[0]), float(high[0])


def cronbach_alpha(items: FloatArray) -> float:
    """Cronbach's alpha: k / (k - 1) (1 - sum_j var_j / var of row sums), variances with n - 1 (Cronbach 1951).

    Args:
        items: (rows, k), such as the eight flips of each row; rows with a NaN are left out.

    Returns:
        at most 1; NaN with fewer than two rows or columns, or where the sums do not vary.
    """
    whole = items[np.isfinite(items).all(axis=1)]
    rows, k = whole.shape
    total = whole.sum(axis=1).var(ddof=1) if rows > 1 else 0.0
    if k < 2 or not total > 0:
        return float("nan")
    return float(k / (k - 1) * (1 - whole.var(axis=0, ddof=1).sum() / total))


def split_half(values: FloatArray, rng: np.random.Generator, splits: int = 1000, ranks: bool = False) -> float:
    """Mean over random half-splits of the correlation of half means, stepped up by Spearman and Brown: 2 r / (1 + r).

    Ours, as the reference's form is not known: units are models and parts questions ("does another half of the
    questions rank the models alike?"), or units are rows and parts their eight probes.

    Args:
        values: (units, parts); a half mean leaves NaN out.
        rng: draws the halves; with an odd number of parts the first is the smaller.
        splits: how many.
        ranks: Spearman's correlation instead of Pearson's.

    Returns:
        at most 1; NaN with fewer than three units, two parts, or where no split has a correlation.
    """
    units, parts = values.shape
    if units < 3 or parts < 2:
        return float("nan")
    halves = rng.permuted(np.tile(np.arange(parts) < parts // 2, (splits, 1)), axis=1)
    first, second = (_half_means(values, half) for half in (halves, ~halves))
    r = _correlations(first, second, ranks)
    stepped = 2 * r / np.where(r > -1 + 1e-12, 1 + r, np.nan)
    return float(np.nanmean(stepped)) if np.isfinite(stepped).any() else float("nan")


def _half_means(values: FloatArray, half: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]") -> FloatArray:
    """(splits, units), NaN where a unit has no value in a half."""
    known = np.isfinite(values)
    count = half.astype(np.float64) @ known.T
    total = half.astype(np.float64) @ np.where(known, values, 0.0).T
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _correlations(first: FloatArray, second: FloatArray, ranks: bool) -> FloatArray:
    """Of each split, over units that have both halves; (splits,)."""
    known = np.isfinite(first) & np.isfinite(second)
    found = np.full(len(first), np.nan)
    for split, here in enumerate(known):
        if here.sum() > 2:
            pair = first[split, here], second[split, here]
            found[split] = pearson(*(stats.rankdata(half) if ranks else half for half in pair))
    return found


def _icc_of_weighted(ratings: FloatArray, weights: FloatArray) -> FloatArray:
    """`icc` of targets that count several times, (draws,), for weights (draws, targets)."""
    whole = np.isfinite(ratings).all(axis=1)
    x, w = ratings[whole], weights[:, whole]
    k, n = x.shape[1], w.sum(axis=1)
    if k < 2 or len(x) < 2:
        return np.full(len(w), np.nan)
    x = x - x.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        target, rater = x.mean(axis=1), w @ x / n[:, None]
        grand = rater.mean(axis=1)
        between = k * ((w @ target**2) / n - grand**2) * n
        raters = n * ((rater - grand[:, None]) ** 2).sum(axis=1)
        error = np.maximum(w @ (x**2).sum(axis=1) - n * k * grand**2 - between - raters, 0.0)
        msb, msj, mse = between / (n - 1), raters / (k - 1), error / ((n - 1) * (k - 1))
        scale = msb + (k - 1) * mse + k * (msj - mse) / n
        return np.where(scale > 1e-12, (msb - mse) / scale, np.nan)
