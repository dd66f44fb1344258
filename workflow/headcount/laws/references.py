"""What a law must beat: predictions of big teams that take no law, or half of one."""

import math
from collections.abc import Sequence

import numpy as np

from headcount.laws.levels import Level
from headcount.laws.nulls import Side, nulls
from headcount.laws.profiles import profile
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.diversity import correlation_from_n_eff, n_eff_from_correlation


def skill(observed: FloatArray, predicted: FloatArray, reference: FloatArray) -> float:
    """Share of a reference's squared error that a prediction takes away: 1 - SSE / SSE_ref, on ln N_eff.

    On the logarithm, as errors of large and of small effective sizes then count alike. 1: exact; 0: no better than
    the reference; below 0: worse.

    Args:
        observed, predicted, reference: (sizes,), effective team sizes, in agents.

    Returns:
        dimensionless, 1 or less; NaN where a value is missing or not above 0, and where the reference has no error.
    """
    values = np.stack([observed, predicted, reference])
    if not values.size or not (np.isfinite(values) & (values > 0)).all():
        return math.nan
    seen, told, other = np.log(values)
    error, of_reference = float(((told - seen) ** 2).sum()), float(((other - seen) ** 2).sum())
    return 1.0 - error / of_reference if of_reference > 1e-20 * seen.size else math.nan


def constant_correlation(n: int, n_eff: float, at: IntArray) -> FloatArray:
    """Kish's formula with the correlation of one size: N / (1 + (N - 1) rho), rho that of teams of n.

    Args:
        n, n_eff: a size of two or more, and its effective size, in agents.
        at: (sizes,).

    Returns:
        (sizes,), in agents.
    """
    return n_eff_from_correlation(at, correlation_from_n_eff(np.array(n), np.array(n_eff)))


def without_talk(side: Side, of_task: Sequence[Side], level: Level) -> FloatArray:
    """Null A at the sizes of a revision: the effective sizes that the first answers of the same agents have.

    Args:
        side: what is predicted.
        of_task: all series of its team and task, among which the null is looked for.

    Returns:
        (sizes of two and more,), in agents; NaN where the null lacks the size, and throughout for a first round,
        which would be set against itself.
    """
    sizes = side.series.sizes[side.series.sizes >= 2]
    found = np.full(sizes.size, np.nan)
    null = dict(nulls(side, of_task)).get("A") if side.series.round > 1 else None
    if null is not None:
        curve = profile(null.rows, null.series, level)
        known = np.isin(sizes, curve.sizes)
        found[known] = curve.observed()[np.searchsorted(curve.sizes, sizes[known])]
    return found
