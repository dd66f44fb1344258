"""What noise in the two measurements alone does to their correlation.

The paper calls this an errors-in-variables bootstrap. It adds noise to values that hold noise already, so it says how
sensitive a correlation is to noise of that size; it does not recover the correlation of the true values.
"""

from dataclasses import dataclass

import numpy as np

from headcount.ledger.ranks import rank_correlation
from headcount.measures.arrays import FloatArray, IntArray

SEED = 20260427  # with it the published digits of the 14 model rows come back
DRAWS = 20_000
SEALED_PROBES = 1200.0  # the reference's probe count of rows that do not say theirs


@dataclass(frozen=True)
class Sensitivity:
    """Correlations under noise: their median and percentiles."""

    median: float
    low: float
    high: float


def measurement_noise(
    alpha: FloatArray,
    probes: FloatArray,
    collapses: IntArray,
    initially_correct: IntArray,
    rng: np.random.Generator,
    draws: int = DRAWS,
    confidence: float = 0.95,
) -> Sensitivity:
    """Spearman's correlation of flip rate and collapse rate when both are measured again and again.

    alpha* = clip(alpha + N(0, sqrt(alpha (1 - alpha) / probes)), 0, 1); theta* ~ Beta(k + 1/2, n - k + 1/2), Jeffreys'
    posterior of k collapses in n (arXiv 2609.35279, C.6). One normal vector, then one beta vector a draw: the
    reference's order, which its digits depend on.

    Args:
        alpha: (models,), flip rates in [0, 1].
        probes: (models,), how many probes each rests on.
        collapses, initially_correct: (models,), k and n.
        rng: `numpy.random.default_rng(SEED)` for the published digits.
        draws: how many times.
        confidence: coverage of the percentiles.
    """
    sd = np.sqrt(alpha * (1 - alpha) / probes)
    a, b = collapses + 0.5, initially_correct - collapses + 0.5
    noise, theta = np.empty((2, draws, alpha.size))
    for draw in range(draws):
        noise[draw] = rng.normal(0.0, sd)
        theta[draw] = rng.beta(a, b)
    rho = rank_correlation(np.clip(alpha + noise, 0.0, 1.0), theta)
    low, high = np.nanquantile(rho, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Sensitivity(float(np.nanmedian(rho)), float(low), float(high))
