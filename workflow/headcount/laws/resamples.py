"""Least squares for Ringelmann's law on resamples: curves that resemble each other.

The box of (c, beta) is searched for the mean of a curve's resamples alone, and each resample starts at all minima that
the mean has, the lowest and any other. A resample is searched for by itself where that could miss its lowest minimum:
where the law fits it badly, since only large residuals bend the sum of squares into several minima, and where a grid
over the box holds a better point.
"""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from headcount.laws.forms import Sizes, ringelmann
from headcount.laws.least_squares import CurveFits, fill, grid, identified, minima, starts, unfitted
from headcount.laws.newton import Bounds, Problem
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

FEW = 8  # resamples, which are better searched for by themselves
CACHED = 1024
EVERY = 2  # value of c and beta on the grid of `least_squares`: a rough grid will do for a screen
ROUNDING = 1e-12
BAD = 0.05  # root mean squared residual of R
TOGETHER = 256  # curves, which hold their resamples in memory

Curve = tuple[IntArray, FloatArray]  # sizes (sizes,) and the efficiencies of its resamples (resamples, sizes)


def fit_resamples(n: Sizes, r: FloatArray, bounds: Bounds) -> CurveFits:
    """`fit_curves` of many resamples of each of several curves.

    A resample that lacks a size which another has is fitted by `fit_curves`.

    Args:
        n: (sizes,), team sizes.
        r: (curves, resamples, sizes), efficiencies; NaN where a resample has no value.
        bounds: where the estimates must lie.

    Returns:
        estimates of all resamples, those of the first curve first: (curves x resamples,).
    """
    n = np.asarray(n, dtype=np.float64)
    r, n = np.asarray(r, dtype=np.float64)[:, :, n >= 2], n[n >= 2]
    flat = r.reshape(r.shape[0] * r.shape[1], n.size)
    fits, todo = unfitted(len(flat)), identified(n, flat, fixed_beta=bounds.beta[0] == bounds.beta[1])
    curves = np.flatnonzero(todo & _alike(r))
    if curves.size:
        problem = Problem.of(n, flat[curves], bounds)
        fill(fits, curves, problem, *_near(problem, curves // r.shape[1]))
        todo[curves] = _fits_badly(problem, fits.sse[curves]) | _hides(problem, fits.sse[curves])
    curves = np.flatnonzero(todo)
    if curves.size:
        problem = Problem.of(n, flat[curves], bounds)
        fill(fits, curves, problem, *starts(problem))
    return fits


def parameters_of(curves: Sequence[Curve], bounds: Bounds) -> list[FloatArray]:
    """c and beta of the resamples of several curves: each distinct one once, those of the same sizes together.

    Returns:
        (resamples, 2) of each curve, in order; beta is NaN where c is 0.
    """
    names, first_of = [_name(*curve) for curve in curves], dict[bytes, int]()
    for place, name in enumerate(names):
        first_of.setdefault(name, place)
    groups: dict[tuple[object, ...], list[int]] = {}
    for place in first_of.values():
        sizes, r = curves[place]
        groups.setdefault((*sizes.tolist(), len(r)), []).append(place)
    found: dict[int, FloatArray] = {}
    for places in groups.values():
        for first in range(0, len(places), TOGETHER):
            here = places[first : first + TOGETHER]
            fits = fit_resamples(curves[here[0]][0], np.stack([curves[place][1] for place in here]), bounds)
            found |= dict(zip(here, np.split(fits.parameters, len(here)), strict=True))
    return [found[first_of[name]] for name in names]


def _name(sizes: IntArray, r: FloatArray) -> bytes:
    """The same for equal curves: a null stands beside many cells, and round 1 in many conditions."""
    return blake2b(sizes.tobytes() + r.tobytes(), digest_size=16).digest()


def _alike(r: FloatArray) -> BoolArray:
    """Resamples that have all sizes which any resample of their curve has, (curves x resamples,); of a few none."""
    known = np.isfinite(r)
    whole = (known == known.any(axis=1, keepdims=True)).all(axis=2)
    return np.asarray(whole & (whole.sum(axis=1, keepdims=True) >= FEW)).ravel()


def _near(problem: Problem, curve: IntArray) -> tuple[IntArray, FloatArray]:
    """The minima of the mean of each curve's resamples, as starts of each of these: its place, and (c, beta).

    Args:
        problem: the resamples.
        curve: (resamples,), which curve each is of, ascending.
    """
    first = np.flatnonzero(np.diff(curve, prepend=-1))
    count = np.diff(np.r_[first, curve.size])
    mean = np.add.reduceat(problem.r, first, axis=0) / count[:, None]
    of, theta = minima(Problem(problem.n, mean, problem.known[first], problem.bounds))
    each = np.bincount(of)  # how many minima a curve has
    starts_of = np.repeat(each, count)
    owner = np.repeat(np.arange(curve.size), starts_of)
    begin = np.repeat(np.repeat(np.cumsum(each) - each, count), starts_of)
    nth = np.arange(owner.size) - np.repeat(np.cumsum(starts_of) - starts_of, starts_of)
    return owner, theta[begin + nth]


def _fits_badly(problem: Problem, sse: FloatArray) -> BoolArray:
    """Whether what was found leaves large residuals, (curves,)."""
    return np.asarray(sse > BAD**2 * problem.known.sum(axis=1))


def _hides(problem: Problem, sse: FloatArray) -> BoolArray:
    """Whether some point of a grid is better than what was found, (curves,)."""
    c, beta = (values[::EVERY] for values in grid(problem.n, problem.bounds))
    model = ringelmann(problem.n, c[:, None, None], beta[:, None]).reshape(-1, problem.n.size)
    table = np.concatenate([(model**2).T, -2.0 * model.T])
    data = np.concatenate([problem.known, problem.r], axis=1)
    blocks = range(0, len(data), CACHED)
    lowest = np.concatenate([(data[first : first + CACHED] @ table).min(axis=1) for first in blocks])
    return np.asarray(lowest + (problem.r**2).sum(axis=1) < sse - ROUNDING)
