"""Least squares for logistic curves, many at once.

A logistic curve is top x sigmoid(z), z = rate (N - middle). Its top is linear and has its best value
in closed form, so the sum of squares is a surface over (rate, middle) (variable projection, Golub
and Pereyra 1973). The search is that of `least_squares`:

1. *Cover the surface.* Rates of either sign from nearly flat to a step between two neighbours, and
   for each the middles that bring any of the sizes to z = -8, -7, ..., 8; beyond, nothing bends.
   The best middle of each rate makes a profile, and each dip of the profile a start.
2. *Polish.* Damped Newton steps on the surface's exact Hessian, Gauss-Newton's where that is not
   positive definite. `shift` = rate x middle is moved instead of the middle.
3. *Keep the best.*

A curve without an inflection in its data is best fitted by a limit: an exponential (middle and top
run off together), a step (the rate does), a constant. The search goes to where the limit is reached
within rounding, and stops there.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headcount.laws.exponents import enough_sizes
from headcount.laws.forms import Sizes
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

STARTS = 4
STEPS = 200
TOLERANCE = 1e-11
STEEP = 40.0  # z between neighbours at which the curve is a step: half way, exp(-20) is left
FLAT = 20.0  # |z| beyond which sigmoid(z) is exponential or constant to exp(-20); the search ends there
NEAR = 12.0  # ... to exp(-12): a curve that far out everywhere is called its limit
AT_ONCE = 200  # curves that share a grid; bounds the memory


def fit_logistic_curves(n: Sizes, y: FloatArray) -> tuple[FloatArray, BoolArray]:
    """The top, rate and middle that are nearest to each curve in least squares.

    Args:
        n: (sizes,), of two and more.
        y: (curves, sizes), N_eff or R; NaN where not known.

    Returns:
        (curves, 3), NaN for a curve with fewer than three sizes; and (curves,), whether the best
        parameters are finite ones. Where they are not, they describe the limit within rounding.
    """
    n, known = np.asarray(n, dtype=np.float64), np.isfinite(y)
    params, inside = np.full((y.shape[0], 3), np.nan), np.zeros(y.shape[0], np.bool_)
    fitted = np.flatnonzero(enough_sizes(n, known))
    for start in range(0, fitted.size, AT_ONCE):
        curves = fitted[start : start + AT_ONCE]
        surface = _Surface(n - n.min(), np.where(known[curves], y[curves], 0.0), known[curves])
        theta, inside[curves] = _best(surface)
        top = surface.at(theta).top
        params[curves] = np.stack([top, theta[:, 0], n.min() + theta[:, 1] / theta[:, 0]], axis=1)
    return params, inside


@dataclass(frozen=True)
class _Shape:
    """Sigmoids at (rate, shift), with their best tops, and the residuals; (curves, sizes) each."""

    up: FloatArray  # sigmoid(z), 0 at sizes not known
    down: FloatArray  # 1 - sigmoid(z)
    top: FloatArray  # (curves,)
    residual: FloatArray

    @property
    def sse(self) -> FloatArray:
        return np.asarray((self.residual**2).sum(axis=1))


@dataclass(frozen=True)
class _Surface:
    """Sums of squares over (rate, shift), theta (curves, 2), with z = rate x - shift."""

    x: FloatArray  # (sizes,), N from the smallest size on
    y: FloatArray  # (curves, sizes), 0 where not known
    known: BoolArray  # (curves, sizes)

    def take(self, curves: IntArray) -> "_Surface":
        return _Surface(self.x, self.y[curves], self.known[curves])

    @cached_property
    def fastest(self) -> float:
        """The rate at which neighbouring sizes are a step apart."""
        return STEEP / float(np.diff(np.unique(self.x)).min())

    def at(self, theta: FloatArray) -> _Shape:
        z = theta[:, :1] * self.x - theta[:, 1:]
        up, down = (np.where(self.known, _sigmoid(part), 0.0) for part in (z, -z))
        top = (up * self.y).sum(axis=1) / np.maximum((up**2).sum(axis=1), 1e-300)
        return _Shape(up, down, top, self.y - top[:, None] * up)

    def corners(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where the limits begin: lowest and highest (rate, shift), each (curves, 2). Those of the
        shift depend on the rate.
        """
        rate = np.clip(theta[:, 0], -self.fastest, self.fastest)
        ends = np.sort(rate[:, None] * np.array([0.0, self.x.max()]), axis=1)
        fastest = np.full(rate.size, self.fastest)
        return np.stack([-fastest, ends[:, 0] - FLAT], 1), np.stack([fastest, ends[:, 1] + FLAT], 1)

    def derivatives(self, theta: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Gradient (curves, 2) of SSE/2, its Hessian, and Gauss-Newton's, both (curves, 2, 2).

        With g = sigmoid(z), e = y - top g and subscripts for derivatives by rate and shift:
        gradient_i = -top e.g_i; Hessian_ij = top^2 g_i.g_j - top e.g_ij - h_i h_j / g.g, where
        h_i = top g.g_i - e.g_i (the top follows the other two). Gauss-Newton's has no e in it.
        """
        shape = self.at(theta)
        g, top, e = shape.up, shape.top[:, None], shape.residual
        first = np.stack([self.x * g * shape.down, -g * shape.down], axis=1)
        bend = g * shape.down * (shape.down - g)
        second = np.stack([bend * self.x**2, -bend * self.x, bend], axis=1)
        own, cross, pull = (np.einsum("bij,bj->bi", first, part) for part in (g, e, e))
        square = (g**2).sum(axis=1)[:, None, None]
        inner = top[:, :, None] ** 2 * (first @ first.transpose(0, 2, 1))
        gauss = inner - _outer(top * own) / square
        rr, rs, ss = (top * np.einsum("bij,bj->bi", second, e)).T
        curved = np.stack([np.stack([rr, rs], -1), np.stack([rs, ss], -1)], axis=1)
        return -top * pull, inner - curved - _outer(top * own - cross) / square, gauss


def _sigmoid(z: FloatArray) -> FloatArray:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -500.0, 500.0))))


def _outer(vector: FloatArray) -> FloatArray:
    return np.asarray(vector[:, :, None] * vector[:, None, :])


def _best(surface: _Surface) -> tuple[FloatArray, BoolArray]:
    """The lowest (rate, shift) of each curve, and whether it is a minimum and no limit."""
    owner, start = _starts(surface)
    theta, settled = _polish(surface.take(owner), start)
    sse = surface.take(owner).at(theta).sse
    order = np.lexsort((sse, owner))
    best = order[np.unique(owner[order], return_index=True)[1]]
    theta = theta[best]
    z = theta[:, :1] * surface.x - theta[:, 1:]
    limit = (z.max(axis=1) < -NEAR) | (z.min(axis=1) > NEAR) | (np.abs(theta[:, 0]) >= surface.fastest)
    return theta, settled[best] & ~limit


def _starts(surface: _Surface) -> tuple[IntArray, FloatArray]:
    """Dips of each curve's profile over the rate: the curve's number, and (rate, shift)."""
    x = np.unique(surface.x)
    rates = np.geomspace(0.3 / x.max(), surface.fastest, 30)
    rates = np.r_[-rates[::-1], rates]
    shifts = (rates[:, None, None] * x[:, None] + np.linspace(-8.0, 8.0, 17)).reshape(rates.size, -1)
    g = _sigmoid(rates[:, None, None] * surface.x - shifts[:, :, None]).reshape(-1, surface.x.size)
    square = surface.known.astype(np.float64) @ (g**2).T
    gain = np.where(square > 0, (surface.y @ g.T) ** 2 / np.where(square > 0, square, 1.0), 0.0)
    gain = gain.reshape(-1, *shifts.shape)  # by how much the curve lowers the sum of squares
    place = gain.argmax(axis=2)
    profile = gain.max(axis=2)
    padded = np.pad(profile, ((0, 0), (1, 1)), constant_values=-np.inf)
    peaks = np.where((profile >= padded[:, :-2]) & (profile >= padded[:, 2:]), profile, -np.inf)
    chosen = np.argsort(-peaks, axis=1, kind="stable")[:, :STARTS]
    owner, slot = np.nonzero(np.isfinite(np.take_along_axis(peaks, chosen, axis=1)))
    rate = chosen[owner, slot]
    return owner, np.stack([rates[rate], shifts[rate, place[owner, rate]]], axis=1)


def _polish(surface: _Surface, start: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Damped Newton steps for all curves together until each has settled."""
    theta, damping = start.copy(), np.full(start.shape[0], 1e-3)
    sse, total = surface.at(theta).sse, (surface.y**2).sum(axis=1)
    moving = np.arange(start.shape[0])
    for _ in range(STEPS):
        if not moving.size:
            break
        here, part = theta[moving], surface.take(moving)
        there = here - _step(part, here, damping[moving])
        there = np.clip(there, *part.corners(there))
        sse_there = part.at(there).sse
        gain = sse[moving] - sse_there
        better = gain >= 0
        theta[moving] = np.where(better[:, None], there, here)
        sse[moving] = np.where(better, sse_there, sse[moving])
        damping[moving] = np.maximum(np.where(better, damping[moving] * 0.1, damping[moving] * 10.0), 1e-10)
        still = (np.abs(there - here) <= TOLERANCE * (1.0 + np.abs(here))).all(axis=1)
        level = better & (gain <= 1e-15 * sse[moving] + 1e-20 * total[moving])  # downhill no more than rounding
        moving = moving[~(still | level)]
    settled = np.ones(start.shape[0], np.bool_)
    settled[moving] = False
    return theta, settled


def _step(surface: _Surface, theta: FloatArray, damping: FloatArray) -> FloatArray:
    """The damped Newton step of each curve, (curves, 2), zero where a limit holds a parameter."""
    low, high = surface.corners(theta)
    gradient, exact, gauss = surface.derivatives(theta)
    held = ((theta <= low) & (gradient >= 0)) | ((theta >= high) & (gradient <= 0))
    gradient = np.where(held, 0.0, gradient)
    tied = held[:, :, None] | held[:, None, :]
    exact, gauss = (np.where(tied, np.eye(2), hessian) for hessian in (exact, gauss))
    convex = (exact[:, 0, 0] > 0) & (exact[:, 1, 1] > 0) & (_determinant(exact) > 0)
    hessian = np.where(convex[:, None, None], exact, gauss)
    floor = 1e-8 * (surface.y**2).sum(axis=1, keepdims=True)  # where the curve is flat, steps would be wild
    scale = damping[:, None] * (np.einsum("bii->bi", gauss) + floor)
    a, b, d = hessian[:, 0, 0] + scale[:, 0], hessian[:, 0, 1], hessian[:, 1, 1] + scale[:, 1]
    det = np.maximum(a * d - b * b, 1e-12 * a * d + 1e-300)
    steps = d * gradient[:, 0] - b * gradient[:, 1], a * gradient[:, 1] - b * gradient[:, 0]
    return np.asarray(np.stack(steps, axis=1) / det[:, None])


def _determinant(matrix: FloatArray) -> FloatArray:
    return np.asarray(matrix[:, 0, 0] * matrix[:, 1, 1] - matrix[:, 0, 1] ** 2)
