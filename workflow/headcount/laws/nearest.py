"""The curve of a law that is nearest to a measured one, where the sizes of that err together.

For all curves over the same sizes at once: a grid over the law's bends, then from the lowest points of each curve's
grid damped Gauss-Newton steps within the box (Levenberg-Marquardt), with derivatives by differences. What is linear in
a law has its best value at every point (see `bends`).
"""

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import minimum_filter

from headcount.laws.bends import Bend
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

STARTS = 4
STEPS = 200
LEVEL = 1e-14  # share of the sum of squares that a step must gain, if the next is to be worth its time
STILL = 1e-11  # share of the grid's spacing
LEAST_DAMPING = 1e-12  # where two bends do the same to a curve, the step would else be anything
DIFFERENCE = 6e-6  # of a bend, about the third root of the rounding error


def nearest(bend: Bend, n: FloatArray, r: FloatArray, covariance: FloatArray) -> tuple[FloatArray, IntArray]:
    """Least (R - f)' S^-1 (R - f) of a law.

    Args:
        bend: the law.
        n: (sizes,), of two and more.
        r: (curves, sizes), efficiencies, none missing.
        covariance: (curves, sizes, sizes), of each curve's `r`.

    Returns:
        of each curve that least value, and how many of the law's parameters are held at a bound there.
    """
    whiten = np.linalg.solve(np.linalg.cholesky(covariance), np.eye(n.size))
    curves = _Curves(bend, n, (whiten @ r[:, :, None])[:, :, 0], whiten)
    axes = bend.axes(n)
    owner, start, spacing = _starts(curves, axes)
    low, high = np.array([axis[0] for axis in axes]), np.array([axis[-1] for axis in axes])
    at, q = _polish(curves.take(owner), start, spacing, low, high)
    order = np.lexsort((q, owner))
    best = order[np.unique(owner[order], return_index=True)[1]]
    return q[best], _held(bend, at[best], low, high)


@dataclass(frozen=True)
class _Curves:
    """Whitened curves of R: z (curves, sizes), and what whitened each, (curves, sizes, sizes)."""

    bend: Bend
    n: FloatArray
    z: FloatArray
    whiten: FloatArray

    def take(self, curves: IntArray | BoolArray) -> "_Curves":
        return _Curves(self.bend, self.n, self.z[curves], self.whiten[curves])

    def residuals(self, at: FloatArray) -> FloatArray:
        """Of each curve at its own bends, (curves, bends) -> (curves, sizes)."""
        return self.bend.residuals(self.bend.basis(self.n, at), self.z, self.whiten)

    def slopes(self, at: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
        """Derivatives of the residuals by each bend, (curves, bends, sizes), by differences within the box."""
        slopes = []
        for bend in range(at.shape[1]):
            size = DIFFERENCE * np.maximum(1.0, np.abs(at[:, bend]))
            under, over = at.copy(), at.copy()
            under[:, bend] = np.maximum(at[:, bend] - size, low[bend])
            over[:, bend] = np.minimum(at[:, bend] + size, high[bend])
            apart = (over - under)[:, bend : bend + 1]
            slopes.append((self.residuals(over) - self.residuals(under)) / apart)
        return np.stack(slopes, axis=1)


def _starts(curves: _Curves, axes: list[FloatArray]) -> tuple[IntArray, FloatArray, FloatArray]:
    """Dips of each curve's grid: the curve's number, its bends, and how far apart the grid is there."""
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    basis = curves.bend.basis(curves.n, points.reshape(-1, len(axes)))
    owners, places = [], []
    for curve, (z, whiten) in enumerate(zip(curves.z, curves.whiten, strict=True)):
        off = curves.bend.residuals(basis, z, whiten)
        dips = _dips(np.einsum("ps,ps->p", off, off).reshape(points.shape[:-1]))
        owners.append(np.full(len(dips), curve))
        places.append(dips)
    place = np.concatenate(places)
    spacing = np.stack([np.gradient(axis)[index] for axis, index in zip(axes, place.T, strict=True)], axis=1)
    return np.concatenate(owners), points[tuple(place.T)], spacing


def _dips(field: FloatArray) -> IntArray:
    """The lowest points that no neighbour is below, (dips, bends)."""
    dips = np.argwhere(field == minimum_filter(field, size=3, mode="nearest"))
    return dips[np.argsort(field[tuple(dips.T)], kind="stable")[:STARTS]]


def _polish(
    curves: _Curves, start: FloatArray, spacing: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Where steps from each start end, and the sums of squares there."""
    end, lowest = start.copy(), np.empty(len(start))
    moving, at, damping = np.arange(len(start)), start, np.full(len(start), 1e-3)
    off = curves.residuals(at)
    q = np.einsum("ps,ps->p", off, off)
    for _ in range(STEPS):
        step = _step(at, off, curves.slopes(at, low, high), damping, spacing, low, high)
        there = np.clip(at + step, low, high)
        off_there = curves.residuals(there)
        q_there = np.einsum("ps,ps->p", off_there, off_there)
        better = q_there <= q
        level = better & (q - q_there <= LEVEL * q)
        still = (np.abs(there - at) <= STILL * spacing).all(axis=1)
        at, off = np.where(better[:, None], there, at), np.where(better[:, None], off_there, off)
        q, damping = np.where(better, q_there, q), np.maximum(damping * np.where(better, 0.1, 10.0), LEAST_DAMPING)
        end[moving], lowest[moving] = at, q
        on = ~(level | still)
        moving, at, off, q, damping, spacing = (each[on] for each in (moving, at, off, q, damping, spacing))
        curves = curves.take(on)
        if not moving.size:
            break
    return end, lowest


def _step(
    at: FloatArray,
    off: FloatArray,
    slopes: FloatArray,
    damping: FloatArray,
    spacing: FloatArray,
    low: FloatArray,
    high: FloatArray,
) -> FloatArray:
    """The damped step of each curve, (curves, bends), zero for a bend held at an end of the box."""
    slopes = slopes * spacing[:, :, None]  # so that the grid's spacing is the unit
    gradient = np.einsum("pbs,ps->pb", slopes, off)
    held = ((at <= low) & (gradient >= 0)) | ((at >= high) & (gradient <= 0))
    slopes = np.where(held[:, :, None], 0.0, slopes)
    square = slopes @ np.swapaxes(slopes, 1, 2)
    own = np.einsum("pbb->pb", square)
    floor = 1e-16 * own.max(axis=1, keepdims=True) + 1e-200
    square = square + np.where(held, 1.0, damping[:, None] * own + floor)[:, :, None] * np.eye(at.shape[1])
    step = np.linalg.solve(square, np.where(held, 0.0, -gradient)[:, :, None])[:, :, 0]
    return np.asarray(step * spacing)


def _held(bend: Bend, at: FloatArray, low: FloatArray, high: FloatArray) -> IntArray:
    """Parameters at a bound of the law, of each curve; where c is 0, beta is not fitted either."""
    if not bend.bounded:
        return np.zeros(len(at), np.int64)
    at_end = ((at - low < 1e-9) | (high - at < 1e-9)).sum(axis=1)
    return np.asarray(np.where(at[:, 0] < 1e-9, at.shape[1], at_end))
