"""Rank correlation of two quantities once others are held fixed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from headcount.ledger.permutations import DRAWS, EXACT_UP_TO, Permuted, permute
from headcount.measures.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Partial:
    """A rank partial.

    Attributes:
        rho: the correlation of what the controls leave over.
        df: n - 2 - controls.
        p_t: two-sided, from t with df degrees of freedom.
    """

    rho: float
    df: int
    p_t: float


def rank_partial(x: FloatArray, y: FloatArray, controls: Sequence[FloatArray]) -> Partial:
    """Partial rank correlation of x and y given the controls.

    Average ranks of x, y and each control; x and y are regressed on the controls and a constant; rho is Pearson's
    correlation of the residuals, t = rho sqrt(df / (1 - rho^2)) (arXiv 2609.35279, Table 4).

    Args:
        x, y: (rows,), finite.
        controls: each (rows,).

    Returns:
        NaN where the controls leave nothing over of x or y, or no degree of freedom.
    """
    rho = float(_statistic(x, y, controls)(np.arange(len(x))[None])[0])
    df = len(x) - 2 - len(controls)
    return Partial(rho, df, _p_of_t(rho, df))


def rank_partial_test(
    x: FloatArray,
    y: FloatArray,
    controls: Sequence[FloatArray],
    rng: np.random.Generator | None = None,
    exact_up_to: int = EXACT_UP_TO,
    draws: int = DRAWS,
) -> Permuted:
    """Permutation test of the rank partial: y alone is put in every order.

    This is not an exact conditional test: moving y breaks its link with the controls too. Of simulated cohorts of
    seven in which nothing but the control links x and y, it rejects at .05 in .05 (a control that has nothing to do
    with them) to .10 (one that both follow closely); the t test does no better.

    Args:
        x, y, controls: see `rank_partial`.
        rng, exact_up_to, draws: see `permutations.permute`.
    """
    return permute(_statistic(x, y, controls), len(x), rng, exact_up_to, draws)


def _statistic(x: FloatArray, y: FloatArray, controls: Sequence[FloatArray]) -> "_Residual":
    ranks = [stats.rankdata(column) for column in (x, y, *controls)]
    design = np.stack([np.ones(len(x)), *ranks[2:]], axis=1)
    return _Residual(ranks[0], ranks[1], np.eye(len(x)) - design @ np.linalg.pinv(design))


@dataclass(frozen=True)
class _Residual:
    """Partial correlations for orders of y; `rest` (rows, rows) takes the controls out of a column."""

    x: FloatArray
    y: FloatArray
    rest: FloatArray

    def __call__(self, orders: IntArray) -> FloatArray:
        x, y = self.rest @ self.x, self.y[orders] @ self.rest
        scale = np.sqrt((x**2).sum() * (y**2).sum(axis=1))
        empty = scale < 1e-9
        return np.where(empty, np.nan, y @ x / np.where(empty, 1.0, scale))


def _p_of_t(rho: float, df: int) -> float:
    if df <= 0 or not np.isfinite(rho):
        return float("nan")
    rest = 1 - rho**2
    return float(2 * stats.t.sf(abs(rho) * np.sqrt(df / rest), df)) if rest > 0 else 0.0
