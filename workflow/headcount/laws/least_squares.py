"""Least squares for Ringelmann's law on many curves at once.

The problem is small (two parameters in a box) but not convex, and a bootstrap poses it a thousand
times. So:

1. *Cover the box.* The residuals of every curve are taken at every point of one grid over (c,
   beta); since all curves share the sizes, this is a matrix product. In the coordinates (ln c,
   beta) the curve is R = sigmoid(beta ln N - ln (N - 1) - ln c), which moves by at most 1/4 per
   unit of ln c and ln(N)/4 per unit of beta, however wild the data. So every curve of the box is
   within .07 of one on the grid at every size (see `_grid`), and only a minimum narrower than that
   could hide. Every grid-local minimum (the best `STARTS` of them) becomes a start.
2. *Polish* each start (`newton`).
3. *Keep the best.* That nothing hid is proven curve by curve in the tests, by interval branch and
   bound over the whole box. Of 19,000 curves of pure noise (two to eight sizes, up to 3,000; beta
   from 0 and from -1) none missed what a denser grid and ten starts found; from one start 11 did.
"""

from dataclasses import dataclass

import numpy as np

from headcount.laws.forms import Sizes, ringelmann
from headcount.laws.newton import Bounds, Problem, polish
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

__all__ = ["Bounds", "CurveFits", "fill", "fit_curves", "grid", "identified", "minima", "starts", "unfitted"]

STARTS = 4
CACHED = 12_000  # grid points of some curves, whose fields stay in the processor's cache
NO_C = 1e-9  # or less: every agent counts
BOX = Bounds()  # of the paper
SAME = 1e-6  # how near two of a curve's minima are that are one


@dataclass(frozen=True)
class CurveFits:
    """Least-squares estimates of many curves.

    Attributes:
        c, beta: (curves,); NaN where a curve has too few sizes.
        sse: (curves,), sum of squared residuals over R.
        at_bound: (curves, 2), for c and beta: -1 at the lower bound, 1 at the upper, and the fit
            would improve beyond it; 0 otherwise, also for a fixed parameter.
        converged: (curves,).
    """

    c: FloatArray
    beta: FloatArray
    sse: FloatArray
    at_bound: IntArray
    converged: BoolArray

    @property
    def parameters(self) -> FloatArray:
        """c and beta, (curves, 2); beta is NaN where c is 0, as any would do."""
        return np.stack([self.c, np.where(self.c > NO_C, self.beta, np.nan)], axis=1)


def fit_curves(n: Sizes, r: FloatArray, bounds: Bounds = BOX) -> CurveFits:
    """Bounded, unweighted least squares of R = 1 / (1 + c (N - 1) N^-beta) to many curves.

    minimise sum over N >= 2 of (R(N) - R_hat(N))^2 (arXiv 2606.02646, K.1 step 5). N = 1 never
    moves the estimate, as R(1) = 1 for all parameters.

    Args:
        n: (sizes,), team sizes.
        r: (curves, sizes), efficiencies; NaN where a curve has no value, and that size is left out
            of that curve.
        bounds: where the estimates must lie.

    Returns:
        estimates of each curve; NaN for a curve with fewer than two sizes, or none if beta is
        fixed.
    """
    n = np.asarray(n, dtype=np.float64)
    r = np.atleast_2d(np.asarray(r, dtype=np.float64))[:, n >= 2]
    n = n[n >= 2]
    fits = unfitted(r.shape[0])
    curves = np.flatnonzero(identified(n, r, fixed_beta=bounds.beta[0] == bounds.beta[1]))
    if curves.size:
        problem = Problem.of(n, r[curves], bounds)
        fill(fits, curves, problem, *starts(problem))
    return fits


def fill(fits: CurveFits, curves: IntArray, problem: Problem, owner: IntArray, start: FloatArray) -> None:
    """Write the best of what the starts lead to into the rows `curves` of `fits`.

    Args:
        fits: of all curves.
        curves: (some,), those of the problem.
        problem: some of the curves.
        owner, start: (starts,) place in the problem, and (starts, 2) c and beta; one or more of each curve.
    """
    found = polish(problem.take(owner), start)
    order = np.lexsort((found.sse, owner))
    best = order[np.flatnonzero(np.diff(owner[order], prepend=-1))]
    theta = found.theta[best]
    fits.c[curves], fits.beta[curves], fits.sse[curves] = theta[:, 0], theta[:, 1], found.sse[best]
    fits.at_bound[curves] = _pushed(problem.bounds, theta, found.gradient[best])
    fits.converged[curves] = found.settled[best]


def minima(problem: Problem) -> tuple[IntArray, FloatArray]:
    """All minima of each curve that its starts lead to: its number, ascending, and (c, beta)."""
    owner, start = starts(problem)
    theta = polish(problem.take(owner), start).theta
    order = np.lexsort((*np.round(theta.T, 12), owner))
    owner, theta = owner[order], theta[order]
    apart = (np.abs(np.diff(theta, axis=0, prepend=np.inf)) > SAME * (1.0 + np.abs(theta))).any(axis=1)
    new = apart | (np.diff(owner, prepend=-1) > 0)
    return owner[new], theta[new]


def identified(n: FloatArray, r: FloatArray, fixed_beta: bool) -> BoolArray:
    """Curves (curves, sizes) with two sizes or more, or one if beta is fixed; (curves,)."""
    known = np.isfinite(r)
    if fixed_beta or not n.size:
        return np.asarray(known.any(axis=1))
    smallest = np.where(known, n, np.inf).min(axis=1)
    largest = np.where(known, n, -np.inf).max(axis=1)
    return np.asarray(largest > smallest)


def unfitted(curves: int) -> CurveFits:
    """No estimate of so many curves."""
    nan = np.full((3, curves), np.nan)
    return CurveFits(nan[0], nan[1], nan[2], np.zeros((curves, 2), np.int64), np.ones(curves, np.bool_))


def grid(n: FloatArray, bounds: Bounds) -> tuple[FloatArray, FloatArray]:
    """Values of c and beta so close that R moves by less than .14 from one to the next.

    c is even in its logarithm, from where the largest team is still within .005 of R = 1.
    """
    (c_low, c_high), (beta_low, beta_high) = bounds.c, bounds.beta
    largest = n.max()
    first = max(c_low, min(c_high, 0.005 / ((largest - 1.0) * largest**-beta_low)))
    c = np.geomspace(first, c_high, int(np.log(c_high / first) / 0.2) + 2)
    steps = int((beta_high - beta_low) * np.log(largest) / 0.34) + 1
    return np.unique(np.r_[c_low, c]), np.unique(np.linspace(beta_low, beta_high, steps + 1))


def starts(problem: Problem) -> tuple[IntArray, FloatArray]:
    """The best grid-local minima of each curve: its number, ascending, and (c, beta).

    A few curves at a time: their fields over the grid then stay in the processor's cache.
    """
    c, beta = grid(problem.n, problem.bounds)
    model = ringelmann(problem.n, c[:, None, None], beta[:, None]).reshape(-1, problem.n.size)
    table = np.concatenate([(model**2).T, -2.0 * model.T])
    data = np.concatenate([problem.known, problem.r], axis=1)  # numbers: a product of Booleans would not use BLAS
    step = max(CACHED // len(model), 1)
    owners, points = [], []
    for first in range(0, len(data), step):
        sse = data[first : first + step] @ table  # up to a constant of the curve
        owner, point = _lowest(sse.reshape(-1, c.size, beta.size))
        owners.append(owner + first)
        points.append(point)
    point = np.concatenate(points)
    return np.concatenate(owners), np.stack([c[point // beta.size], beta[point % beta.size]], axis=1)


def _lowest(field: FloatArray) -> tuple[IntArray, IntArray]:
    """The `STARTS` lowest local minima of each of several fields (curves, c, beta): its number, and the point."""
    sse = field.reshape(len(field), -1)
    low = _local_minima(field).reshape(sse.shape)
    low[np.arange(len(sse)), sse.argmin(axis=1)] = True  # the best point always, also on a plateau
    owner, point = np.divmod(np.flatnonzero(low), sse.shape[1])
    order = np.lexsort((sse[owner, point], owner))
    rank = np.arange(owner.size) - np.searchsorted(owner, owner)
    best = order[rank < STARTS]
    return owner[best], point[best]


def _local_minima(field: FloatArray) -> BoolArray:
    """Points of (curves, c, beta) below all eight neighbours."""
    padded = np.pad(field, ((0, 0), (1, 1), (1, 1)), constant_values=np.inf)
    beside = np.minimum(padded[:, :, :-2], padded[:, :, 2:])
    row = np.minimum(beside, padded[:, :, 1:-1])
    around = np.minimum(row[:, :-2], row[:, 2:])
    return np.asarray(field < np.minimum(around, beside[:, 1:-1], out=around))


def _pushed(bounds: Bounds, theta: FloatArray, gradient: FloatArray) -> IntArray:
    """Which bound each parameter is pushed against, (curves, 2): -1, 0 or 1."""
    low, high = bounds.corners()
    below, above = (theta <= low) & (gradient > 1e-10), (theta >= high) & (gradient < -1e-10)
    return np.where(low == high, 0, above.astype(np.int64) - below.astype(np.int64))
