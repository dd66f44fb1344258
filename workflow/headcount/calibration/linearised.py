"""Standard errors without refitting: what each item pulls an estimate by, from the estimate's slope in the means."""

import numpy as np

from headcount.calibration.datasets import COLUMNS, SIZES
from headcount.calibration.parameters import PARAMETERS
from headcount.measures.arrays import FloatArray

STEP = 1e-5


def moved(means: FloatArray) -> FloatArray:
    """Means (sets, columns) with those of one size a little more and a little less: (2 x sizes, sets, columns).

    No parameter depends on the means of two levels, so the same size of both levels is moved at once.
    """
    moves = np.zeros((2 * SIZES.size, means.shape[1]))
    for place in range(SIZES.size):
        moves[2 * place, _columns(place)] = STEP
        moves[2 * place + 1, _columns(place)] = -STEP
    return means + moves[:, None, :]


def influence_error(data: FloatArray, estimates: FloatArray) -> FloatArray:
    """Standard error of each parameter by the infinitesimal jackknife (Jaeckel 1972).

    se^2 = sum_i (g . (x_i - mean x))^2 / (M (M - 1)), g the slope in the means, by central differences.

    Args:
        data: (sets, items, columns) of `datasets.COLUMNS`.
        estimates: (2 x sizes, sets, parameters), of the means of `moved`.

    Returns:
        (sets, parameters).
    """
    items = data.shape[1]
    slope = _slopes(estimates)
    pull = np.einsum("sic,scp->sip", data - data.mean(axis=1, keepdims=True), slope, optimize=True)
    return np.asarray(np.sqrt((pull**2).sum(axis=1) / (items * (items - 1))))


def _slopes(estimates: FloatArray) -> FloatArray:
    """Slope of each parameter in each mean, (sets, columns, parameters)."""
    change = (estimates[::2] - estimates[1::2]) / (2.0 * STEP)
    levels = np.array([parameter.level for parameter in PARAMETERS])
    slope = np.zeros((estimates.shape[1], len(COLUMNS), levels.size))
    for place in range(SIZES.size):
        for column, level in zip(_columns(place), ("answer", "pooled_agreement", "accuracy"), strict=False):
            slope[:, column, levels == level] = change[place][:, levels == level]
    return slope


def _columns(place: int) -> list[int]:
    """The means of a size, one of each level; accuracy is moved with the first size."""
    return [place, SIZES.size + place, *([2 * SIZES.size] if place == 0 else [])]
