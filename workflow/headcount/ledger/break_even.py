"""How many corrections a collapse must be worth before a gate pays."""

from dataclasses import dataclass

from scipy import stats


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
    if prevented + lost == 0:
        return BreakEven(float("nan"), float("nan"), float("nan"))
    share = stats.binomtest(lost, lost + prevented).proportion_ci(confidence, method="exact")
    return BreakEven(_odds(lost / (lost + prevented)), _odds(float(share.low)), _odds(float(share.high)))


def _odds(share: float) -> float:
    return share / (1 - share) if share < 1 else float("inf")
