"""How many corrections a collapse must be worth before a gate pays."""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from headcount.measures.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class BreakEven:
    """Smallest weight of a collapse, in corrections, at which a gate's net utility is not negative.

    Attributes:
        ratio: lost / prevented: 0 where nothing is lost, infinite where nothing is prevented, NaN where the gate never
            matters.
        low, high: Clopper and Pearson's interval of lost among lost + prevented, as odds.
    """

    ratio: float
    low: float
    high: float


def break_even(prevented: int, lost: int, confidence: float = 0.95) -> BreakEven:
    """Break-even ratio of a freeze, with its interval.

    Given how many rows the gate changes, `lost` is binomial, and the ratio is the odds of its share (ours; the paper
    gives no interval). Rows must be independent: where models share questions, resample questions instead
    (`replay.delta_interval`).

    Args:
        prevented, lost: collapses prevented and corrections lost.
        confidence: coverage; at least that, as the interval is exact.
    """
    ratio, low, high = break_evens(np.array([prevented]), np.array([lost]), confidence)
    return BreakEven(float(ratio[0]), float(low[0]), float(high[0]))


def break_evens(prevented: IntArray, lost: IntArray, confidence: float = 0.95) -> tuple[FloatArray, ...]:
    """`break_even` of many gates, (gates,): ratios, and the low and high ends of their intervals.

    Ends are quantiles: of Beta(lost, prevented + 1) with 0 where nothing is lost, and of Beta(lost + 1, prevented) with
    1 where nothing is prevented (Clopper and Pearson 1934).
    """
    changed, tail = prevented + lost, (1 - confidence) / 2
    some_lost, some_prevented = np.maximum(lost, 1), np.maximum(prevented, 1)  # betaincinv knows no Beta(0, b)
    low = np.where(lost > 0, betaincinv(some_lost, prevented + 1, tail), 0.0)
    high = np.where(prevented > 0, betaincinv(lost + 1, some_prevented, 1 - tail), 1.0)
    share = np.divide(lost, changed, out=np.full(changed.shape, np.nan), where=changed > 0)
    known = np.where(changed > 0, 0.0, np.nan)
    return _odds(share), _odds(low + known), _odds(high + known)


def _odds(share: FloatArray) -> FloatArray:
    return np.asarray(np.divide(share, 1 - share, out=np.full(share.shape, np.inf), where=~(share >= 1)))
