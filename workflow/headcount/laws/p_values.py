"""Three p-values of a paired difference between two shares: by resampling, exact, and of equivalence."""

import numpy as np
from scipy.special import bdtr, ndtr

from headcount.measures.arrays import FloatArray, IntArray


def bootstrap_p(draws: FloatArray) -> FloatArray:
    """Two-sided p-value that a difference is 0, from its bootstrap distribution.

    p = min(1, 2 (1 + min(#{d <= 0}, #{d >= 0})) / (B + 1)): the point itself counts as a draw on either side (Davison
    and Hinkley 1997, section 4.2), so p is never 0 and at least 2 / (B + 1). Half of it is the paper's mass below zero
    (arXiv 2606.02646, C.7, which says two-sided and does not double).

    Args:
        draws: (draws, contrasts), differences under resampled items, paired; NaN where a draw has none.

    Returns:
        (contrasts,); NaN without draws.
    """
    draws = np.round(draws, 12)  # no difference is 0, whatever the order of its sum
    known = np.isfinite(draws).sum(axis=0)
    fewer = np.minimum((draws <= 0).sum(axis=0), (draws >= 0).sum(axis=0))
    return np.where(known > 0, np.minimum(1.0, 2.0 * (1.0 + fewer) / (known + 1.0)), np.nan)


def mcnemar_p(only_first: IntArray, only_second: IntArray) -> FloatArray:
    """McNemar's exact two-sided p-value that the first is right where the second is wrong as often as the reverse.

    p = min(1, 2 P(X <= min(b, c))), X binomial with b + c trials of 1/2 (McNemar 1947). From the published counts it
    gives the printed .090 (66 and 47 items) and 1.000 (8 and 9) of arXiv 2606.02646, Table 7, whose own text says
    bootstrap.

    Args:
        only_first, only_second: items that only one gets right, any one shape.

    Returns:
        the same shape; 1 where the two never differ.
    """
    fewer, all_of_them = np.minimum(only_first, only_second), np.add(only_first, only_second)
    return np.asarray(np.minimum(1.0, 2.0 * bdtr(fewer, all_of_them, 0.5)))


def tost_p(difference: FloatArray, error: FloatArray, margin: float) -> FloatArray:
    """p-value of two one-sided tests: that a difference lies outside -margin to margin; small says equivalent.

    The larger of Phi((d - margin) / se) and Phi(-(d + margin) / se) (Schuirmann 1987; arXiv 2606.02646, section 5.4,
    margin of five points).

    Args:
        difference, error: the difference and its standard error, any one shape, in the unit of `margin`.

    Returns:
        the same shape; NaN where the error is 0 or unknown: items that all say the same do not bound what others say.
    """
    error = np.where(np.asarray(error) > 1e-12, error, np.nan)
    above, below = ndtr((difference - margin) / error), ndtr(-(difference + margin) / error)
    return np.asarray(np.maximum(above, below))
