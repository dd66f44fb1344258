"""How well a law fits: information criteria, and how far off it is at a size that it has not seen.

The information criteria suppose independent errors. The points of a curve share items and agents, so they are not:
read AICc and BIC as a description of one curve, never as a test between laws. The error at a size left out supposes
nothing.
"""

import math
from collections.abc import Callable

import numpy as np

from headcount.laws.forms import Sizes
from headcount.measures.arrays import FloatArray

# Sizes (sizes,), efficiencies (curves, sizes) with NaN where not known, sizes to predict (at,) -> N_eff (curves, at).
Predict = Callable[[Sizes, FloatArray, Sizes], FloatArray]


def aicc(sse: float, sizes: int, parameters: int) -> float:
    """Akaike's information criterion for least squares, corrected for few points.

    AICc = m ln(SSE / m) + 2 K + 2 K (K + 1) / (m - K - 1), m sizes, K = parameters + 1 for the variance (Hurvich and
    Tsai 1989; Burnham and Anderson 2002, whose constant m (ln 2 pi + 1) is left out here too). Comparable only between
    fits to the same points on the same scale.

    Args:
        sse: sum of squared errors of R.
        sizes: points fitted.
        parameters: of the law, those at a bound included.

    Returns:
        dimensionless, lower is better; NaN with fewer than parameters + 3 points, or no error at all.
    """
    spare = sizes - parameters - 2
    if spare <= 0:
        return math.nan
    k = parameters + 1
    return _deviance(sse, sizes) + 2.0 * k + 2.0 * k * (k + 1) / spare


def bic(sse: float, sizes: int, parameters: int) -> float:
    """Schwarz's information criterion for least squares.

    BIC = m ln(SSE / m) + K ln m, as in `aicc`.

    Returns:
        dimensionless, lower is better; NaN with no more points than parameters, or no error at all.
    """
    if sizes <= parameters:
        return math.nan
    return _deviance(sse, sizes) + (parameters + 1) * math.log(sizes)


def left_out_errors(n: Sizes, n_eff: FloatArray, predict: Predict) -> FloatArray:
    """Relative error of N_eff at each size, when the law is fitted to all others.

    Args:
        n: (sizes,), team sizes of two and more.
        n_eff: (..., sizes), effective team sizes, in agents, of one curve or of many; NaN where not known.
        predict: the law, as `compared.Law.predict`.

    Returns:
        (..., sizes), signed: above 0 where the law says too much. NaN where the others are too few.
    """
    n = np.asarray(n, dtype=np.float64)
    curves = n_eff.reshape(-1, 1, n.size)
    others = np.where(np.eye(n.size, dtype=np.bool_), np.nan, curves / n)  # (curves, size left out, sizes)
    predicted = predict(n, others.reshape(-1, n.size), n).reshape(others.shape)
    return np.asarray(np.einsum("cii->ci", predicted).reshape(n_eff.shape) / n_eff - 1.0)


def held_out_errors(observed: FloatArray, predicted: FloatArray) -> tuple[float, float]:
    """Root mean squared error, and mean absolute relative error, of predicted effective team sizes.

    Source: arXiv 2606.02646, Table 13.

    Args:
        observed, predicted: any one shape, in agents; pairs with a NaN are left out.

    Returns:
        in agents, and as a share; NaN without a pair.
    """
    known = np.isfinite(observed) & np.isfinite(predicted)
    if not known.any():
        return math.nan, math.nan
    error = predicted[known] - observed[known]
    return float(np.sqrt(np.mean(error**2))), float(np.mean(np.abs(error) / observed[known]))


def _deviance(sse: float, sizes: int) -> float:
    """m ln(SSE / m); NaN where the errors are no more than rounding."""
    return sizes * math.log(sse / sizes) if sse > 1e-24 * sizes else math.nan
