"""Least squares for laws that bend by one exponent, on many curves at once: Latane's, and a power
law with an offset.

Whatever else such a law has is linear in it, and has its best value in closed form. What is left is
a sum of squares along one number (variable projection, Golub and Pereyra 1973). It is taken on a
grid of exponents, and each dip of the grid is followed down by bisection on its exact slope; the
lowest end wins. So there is no start to choose. A curve that no finite exponent fits best stops at
the end of the grid.

Sizes are rows here and curves are columns, so that NumPy's inner loops run over curves.
"""

from collections.abc import Callable

import numpy as np

from headcount.laws.forms import Sizes
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

HALVINGS = 60
LARGEST = 40.0  # (2/3)^40 is below 1e-7: a size and its neighbour are as far apart as they can be
SMALLEST = 1e-7  # nearer to 0, a and b of a + b N^exponent cancel more digits than they keep

# An exponent for each of some curves, (starts,) -> its sum of squares and its slope, each (starts,).
Slopes = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def fit_latane_curves(n: Sizes, r: FloatArray) -> FloatArray:
    """The t of R = N^(t - 1) that is nearest to each curve in least squares.

    Args:
        n: (sizes,), of two and more.
        r: (curves, sizes), efficiencies; NaN where not known.

    Returns:
        (curves, 1); NaN for a curve without a size.
    """
    log_n, known, target = _rows(n, r)

    def at(curve: IntArray) -> Slopes:
        here, weight = target[:, curve], known[:, curve]

        def slopes(exponent: FloatArray) -> tuple[FloatArray, FloatArray]:
            model = np.exp(exponent * log_n) * weight
            residual = model - here
            return (residual**2).sum(axis=0), (residual * model * log_n).sum(axis=0)

        return slopes

    return 1.0 + _lowest(at, _grid(log_n), np.asarray((known > 0).any(axis=0)))[:, None]


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
    log_n, known, target = _rows(n, y)

    def at(curve: IntArray) -> Slopes:
        here, weight = target[:, curve], known[:, curve]

        def slopes(exponent: FloatArray) -> tuple[FloatArray, FloatArray]:
            basis, bend = _powers(log_n - _anchor(log_n, exponent), _off_zero(exponent))
            a, b = _line(basis, here, weight)
            residual = (a + b * basis - here) * weight
            return (residual**2).sum(axis=0), (residual * b * bend).sum(axis=0)

        return slopes

    grid = _grid(log_n)
    exponent = _lowest(at, grid, enough_sizes(n, known.T > 0))
    anchor, exponent = _anchor(log_n, exponent), _off_zero(exponent)
    a, b = _line(_powers(log_n - anchor, exponent)[0], target, known)
    params = [a - b / exponent, b / exponent * np.exp(-exponent * anchor), exponent]
    inside = (np.abs(exponent) > 10.0 * SMALLEST) & (np.abs(exponent) < 0.75 * grid[-1])
    return np.stack(params, axis=1), inside


def _rows(n: Sizes, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """ln N, (sizes, 1); and of curves (curves, sizes) what is known, 1 or 0, and the values, both (sizes, curves)."""
    known = np.isfinite(y.T)
    return np.log(np.asarray(n, dtype=np.float64))[:, None], known.astype(np.float64), np.where(known, y.T, 0.0)


def enough_sizes(n: Sizes, known: BoolArray) -> BoolArray:
    """Whether a curve has the three different sizes that three parameters need; (curves,)."""
    sizes = np.unique(n)
    of_size = np.asarray(n)[:, None] == sizes
    return np.asarray((known @ of_size).sum(axis=1) >= 3)


def _lowest(of: Callable[[IntArray], Slopes], grid: FloatArray, fitted: BoolArray) -> FloatArray:
    """Where along the grid each curve's sum of squares is lowest, (curves,); NaN where not
    `fitted`.
    """
    curves = np.flatnonzero(fitted)
    found = np.full(fitted.size, np.nan)
    if not curves.size:
        return found
    whole = of(curves)
    sse = np.stack([whole(np.full(curves.size, point))[0] for point in grid], axis=1)
    padded = np.pad(sse, ((0, 0), (1, 1)), constant_values=np.inf)
    row, place = np.nonzero((sse <= padded[:, :-2]) & (sse <= padded[:, 2:]))
    low, high = grid[np.maximum(place - 1, 0)], grid[np.minimum(place + 1, grid.size - 1)]
    dips = of(curves[row])
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        rising = dips(middle)[1] > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    end = (low + high) / 2.0
    order = np.lexsort((dips(end)[0], row))  # by curve, the best dip first
    best = order[np.unique(row[order], return_index=True)[1]]
    found[curves] = end[best]
    return found


def _grid(log_n: FloatArray) -> FloatArray:
    """Exponents from one end to the other, densest near 0 and without it."""
    end = min(LARGEST, 300.0 / log_n.max(initial=1.0))  # squares of N^exponent stay finite
    return np.asarray(end * np.sinh(np.linspace(-6.0, 6.0, 160)) / np.sinh(6.0))


def _anchor(log_n: FloatArray, exponent: FloatArray) -> FloatArray:
    """The size at which N^exponent is largest, (curves,): counted from there, it never is above 1."""
    ends = log_n.max(initial=-np.inf), log_n.min(initial=np.inf)
    return np.asarray(np.where(exponent > 0, *ends))


def _off_zero(exponent: FloatArray) -> FloatArray:
    return np.where(np.abs(exponent) < SMALLEST, np.copysign(SMALLEST, exponent), exponent)


def _powers(distance: FloatArray, exponent: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(exp(exponent x distance) - 1) / exponent, and its derivative by the exponent; (sizes, curves).

    A line in this is a line in N^exponent, and near 0, where that is flat, it becomes one in ln N.
    """
    power = exponent * distance
    basis = np.expm1(power) / exponent
    bend = (distance * np.exp(power) - basis) / exponent
    flat = np.abs(power) < 1e-4
    return basis, np.where(flat, distance**2 * (0.5 + power / 3.0), bend) if flat.any() else bend


def _line(x: FloatArray, y: FloatArray, known: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Intercept and slope of y on x over the known sizes, (curves,) each; `y` is 0 at the others."""
    count = np.maximum(known.sum(axis=0), 1.0)
    x_mean, y_mean = (x * known).sum(axis=0) / count, y.sum(axis=0) / count
    x_off, y_off = (x - x_mean) * known, (y - y_mean) * known
    spread = (x_off**2).sum(axis=0)
    slope = (x_off * y_off).sum(axis=0) / np.where(spread > 0, spread, 1.0)
    return y_mean - slope * x_mean, slope
