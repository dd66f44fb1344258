"""Least squares for laws that bend by one exponent, on many curves at once: Latane's, and a power
law with an offset.

Whatever else such a law has is linear in it, and has its best value in closed form. What is left is
a sum of squares along one number (variable projection, Golub and Pereyra 1973). It is taken on a
grid of exponents, and each dip of the grid is followed down by bisection on its exact slope; the
lowest end wins. So there is no start to choose. A curve that no finite exponent fits best stops at
the end of the grid.
"""

from collections.abc import Callable

import numpy as np

from headcount.laws.forms import Sizes
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

HALVINGS = 60
LARGEST = 40.0  # (2/3)^40 is below 1e-7: a size and its neighbour are as far apart as they can be
SMALLEST = 1e-7  # nearer to 0, a and b of a + b N^exponent cancel more digits than they keep

# Curves (starts,) and an exponent for each -> its sum of squares and its slope, each (starts,).
Evaluate = Callable[[IntArray, FloatArray], tuple[FloatArray, FloatArray]]


def fit_latane_curves(n: Sizes, r: FloatArray) -> FloatArray:
    """The t of R = N^(t - 1) that is nearest to each curve in least squares.

    Args:
        n: (sizes,), of two and more.
        r: (curves, sizes), efficiencies; NaN where not known.

    Returns:
        (curves, 1); NaN for a curve without a size.
    """
    log_n, known = np.log(np.asarray(n, dtype=np.float64)), np.isfinite(r)
    target = np.where(known, r, 0.0)

    def evaluate(curve: IntArray, exponent: FloatArray) -> tuple[FloatArray, FloatArray]:
        model = np.where(known[curve], np.exp(exponent[:, None] * log_n), 0.0)
        residual = model - target[curve]
        return (residual**2).sum(axis=1), (residual * model * log_n).sum(axis=1)

    return 1.0 + _lowest(evaluate, _grid(log_n), np.asarray(known.any(axis=1)))[:, None]


def fit_power_curves(n: Sizes, y: FloatArray) -> tuple[FloatArray, BoolArray]:
    """The a, b and exponent of a + b N^exponent that are nearest to each curve in least squares.

    Args:
        n: (sizes,), of two and more.
        y: (curves, sizes), N_eff or R; NaN where not known.

    Returns:
        (curves, 3), NaN for a curve with fewer than three sizes; and (curves,), whether the best
        parameters are finite ones. Where they are not, the exponent stands near an end of the grid,
        where all sizes but one are alike, or next to 0, where the curve is a logarithm.
    """
    log_n, known = np.log(np.asarray(n, dtype=np.float64)), np.isfinite(y)
    target = np.where(known, y, 0.0)

    def evaluate(curve: IntArray, exponent: FloatArray) -> tuple[FloatArray, FloatArray]:
        basis, bend = _powers(log_n - _anchor(log_n, exponent), _off_zero(exponent[:, None]))
        a, b = _line(basis, target[curve], known[curve])
        residual = np.where(known[curve], a + b * basis - target[curve], 0.0)
        return (residual**2).sum(axis=1), (residual * b * bend).sum(axis=1)

    grid = _grid(log_n)
    exponent = _lowest(evaluate, grid, enough_sizes(n, known))
    anchor, exponent = _anchor(log_n, exponent), _off_zero(exponent[:, None])
    a, b = _line(_powers(log_n - anchor, exponent)[0], target, known)
    params = [a - b / exponent, b / exponent * np.exp(-exponent * anchor), exponent]
    inside = (np.abs(exponent) > 10.0 * SMALLEST) & (np.abs(exponent) < 0.75 * grid[-1])
    return np.concatenate(params, axis=1), inside[:, 0]


def enough_sizes(n: Sizes, known: BoolArray) -> BoolArray:
    """Whether a curve has the three different sizes that three parameters need; (curves,)."""
    sizes = np.unique(n)
    of_size = np.asarray(n)[:, None] == sizes
    return np.asarray((known @ of_size).sum(axis=1) >= 3)


def _lowest(evaluate: Evaluate, grid: FloatArray, fitted: BoolArray) -> FloatArray:
    """Where along the grid each curve's sum of squares is lowest, (curves,); NaN where not
    `fitted`.
    """
    curves = np.flatnonzero(fitted)
    found = np.full(fitted.size, np.nan)
    if not curves.size:
        return found
    sse = np.stack([evaluate(curves, np.full(curves.size, point))[0] for point in grid], axis=1)
    padded = np.pad(sse, ((0, 0), (1, 1)), constant_values=np.inf)
    row, place = np.nonzero((sse <= padded[:, :-2]) & (sse <= padded[:, 2:]))
    low, high = grid[np.maximum(place - 1, 0)], grid[np.minimum(place + 1, grid.size - 1)]
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        rising = evaluate(curves[row], middle)[1] > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    end = (low + high) / 2.0
    order = np.lexsort((evaluate(curves[row], end)[0], row))  # by curve, the best dip first
    best = order[np.unique(row[order], return_index=True)[1]]
    found[curves] = end[best]
    return found


def _grid(log_n: FloatArray) -> FloatArray:
    """Exponents from one end to the other, densest near 0 and without it."""
    end = min(LARGEST, 300.0 / log_n.max(initial=1.0))  # squares of N^exponent stay finite
    return np.asarray(end * np.sinh(np.linspace(-6.0, 6.0, 160)) / np.sinh(6.0))


def _anchor(log_n: FloatArray, exponent: FloatArray) -> FloatArray:
    """The size at which N^exponent is largest, (curves, 1): counted from there, it never is above 1."""
    ends = log_n.max(initial=-np.inf), log_n.min(initial=np.inf)
    return np.asarray(np.where(exponent > 0, *ends)[:, None])


def _off_zero(exponent: FloatArray) -> FloatArray:
    return np.where(np.abs(exponent) < SMALLEST, np.copysign(SMALLEST, exponent), exponent)


def _powers(distance: FloatArray, exponent: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(exp(exponent x distance) - 1) / exponent, and its derivative by the exponent; (curves, sizes).

    A line in this is a line in N^exponent, and near 0, where that is flat, it becomes one in ln N.
    """
    basis = np.expm1(exponent * distance) / exponent
    bend = (distance * np.exp(exponent * distance) - basis) / exponent
    series = distance**2 * (0.5 + exponent * distance / 3.0)
    return basis, np.where(np.abs(exponent * distance) < 1e-4, series, bend)


def _line(x: FloatArray, y: FloatArray, known: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Intercept and slope of y on x over the known sizes, each (curves, 1)."""
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    x_mean = np.where(known, x, 0.0).sum(axis=1, keepdims=True) / count
    y_mean = np.where(known, y, 0.0).sum(axis=1, keepdims=True) / count
    x_off, y_off = np.where(known, x - x_mean, 0.0), np.where(known, y - y_mean, 0.0)
    spread = (x_off**2).sum(axis=1, keepdims=True)
    slope = (x_off * y_off).sum(axis=1, keepdims=True) / np.where(spread > 0, spread, 1.0)
    return y_mean - slope * x_mean, slope
