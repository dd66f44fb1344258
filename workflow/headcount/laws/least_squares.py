"""Least squares for Ringelmann's law on many curves at once.

The problem is small (two parameters in a box) but not convex, and a bootstrap poses it a thousand
times. So:

1. *Cover the box.* The residuals of every curve are taken at every point of one grid over (c,
   beta); since all curves share the sizes, this is a matrix product. In the coordinates (ln c,
   beta) the curve is R = sigmoid(beta ln N - ln (N - 1) - ln c), which moves by at most 1/4 per
   unit of ln c and ln(N)/4 per unit of beta, however wild the data. So every curve of the box is
   within .07 of one on the grid at every size (see `_grid`), and only a minimum narrower than that
   could hide. Every grid-local minimum (the best `STARTS` of them) becomes a start.
2. *Polish.* From each start, Newton steps with the exact 2 x 2 Hessian where it is positive
   definite and Gauss-Newton's where it is not, damped (Levenberg-Marquardt), projected on the box;
   a parameter at a bound that the gradient pushes outward is held there. Quadratic convergence
   also where the residuals are large.
3. *Keep the best.* That nothing hid is proven curve by curve in the tests, by interval branch and
   bound over the whole box. Of 19,000 curves of pure noise (two to eight sizes, up to 3,000; beta
   from 0 and from -1) none missed what a denser grid and ten starts found; from one start 11 did.
"""

from dataclasses import dataclass

import numpy as np

from headcount.laws.forms import Sizes, ringelmann
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

STARTS = 4
CACHED = 256
STEPS = 200
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Bounds:
    """The box that (c, beta) must lie in. Equal ends fix beta: (0, 0) is Kish's law."""

    c: tuple[float, float] = (0.0, 20.0)
    beta: tuple[float, float] = (0.0, 1.0)

    def corners(self) -> tuple[FloatArray, FloatArray]:
        """Lower and upper corner, each (2,)."""
        return np.array([self.c[0], self.beta[0]]), np.array([self.c[1], self.beta[1]])


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


def fit_curves(n: Sizes, r: FloatArray, bounds: Bounds = Bounds()) -> CurveFits:
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
    fits = _unfitted(r.shape[0])
    curves = np.flatnonzero(_identified(n, r, fixed_beta=bounds.beta[0] == bounds.beta[1]))
    if curves.size:
        problem = _Problem(n, np.nan_to_num(r[curves]), np.isfinite(r[curves]), bounds)
        _fill(fits, curves, problem)
    return fits


@dataclass(frozen=True)
class _Problem:
    n: FloatArray  # (sizes,)
    r: FloatArray  # (curves, sizes), 0 where not known
    known: BoolArray  # (curves, sizes)
    bounds: Bounds

    def take(self, curves: IntArray) -> "_Problem":
        return _Problem(self.n, self.r[curves], self.known[curves], self.bounds)

    def sse(self, theta: FloatArray) -> FloatArray:
        """Sum of squared residuals at (c, beta), theta (curves, 2); (curves,)."""
        model = ringelmann(self.n, theta[:, :1], theta[:, 1:])
        return np.asarray((np.where(self.known, model - self.r, 0.0) ** 2).sum(axis=1))

    def derivatives(self, theta: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Gradient (curves, 2) of SSE/2, its Hessian, and Gauss-Newton's, both (curves, 2, 2).

        With x = (N - 1) N^-beta, L = ln N and p = 1 / (1 + c x):
        p_c = -x p^2, p_b = c x L p^2, p_cc = 2 x^2 p^3, p_cb = x L p^2 (1 - 2 c x p), p_bb = c x
        L^2 p^2 (2 c x p - 1).
        """
        c, log_n = theta[:, :1], np.log(self.n)
        x = (self.n - 1.0) * self.n ** -theta[:, 1:]
        p = 1.0 / (1.0 + c * x)
        q = np.where(self.known, p * p, 0.0)
        residual = np.where(self.known, p - self.r, 0.0)
        slope = np.stack([-x * q, c * x * log_n * q], axis=1)
        bend = 1.0 - 2.0 * c * x * p
        curve = [2.0 * x * x * q * p, x * log_n * q * bend, -c * x * log_n**2 * q * bend]
        gauss = slope @ slope.transpose(0, 2, 1)
        cc, cb, bb = ((residual * second).sum(axis=1) for second in curve)
        exact = gauss + np.stack([np.stack([cc, cb], -1), np.stack([cb, bb], -1)], axis=1)
        return np.asarray((slope @ residual[:, :, None])[:, :, 0]), exact, gauss


def _identified(n: FloatArray, r: FloatArray, fixed_beta: bool) -> BoolArray:
    known = np.isfinite(r)
    if fixed_beta or not n.size:
        return np.asarray(known.any(axis=1))
    smallest = np.where(known, n, np.inf).min(axis=1)
    largest = np.where(known, n, -np.inf).max(axis=1)
    return np.asarray(largest > smallest)


def _unfitted(curves: int) -> CurveFits:
    nan = np.full((3, curves), np.nan)
    return CurveFits(nan[0], nan[1], nan[2], np.zeros((curves, 2), np.int64), np.ones(curves, np.bool_))


def _fill(fits: CurveFits, curves: IntArray, problem: _Problem) -> None:
    """Solve the problem and write its answers into the rows `curves` of `fits`."""
    owner, start = _all_starts(problem)
    theta, converged = _polish(problem.take(owner), start)
    sse = problem.take(owner).sse(theta)
    order = np.lexsort((sse, owner))
    best = order[np.flatnonzero(np.diff(owner[order], prepend=-1))]
    fits.c[curves], fits.beta[curves], fits.sse[curves] = theta[best, 0], theta[best, 1], sse[best]
    fits.at_bound[curves] = _pushed(problem, theta[best])
    fits.converged[curves] = converged[best]


def _grid(n: FloatArray, bounds: Bounds) -> tuple[FloatArray, FloatArray]:
    """Values of c and beta so close that R moves by less than .14 from one to the next.

    c is even in its logarithm, from where the largest team is still within .005 of R = 1.
    """
    (c_low, c_high), (beta_low, beta_high) = bounds.c, bounds.beta
    largest = n.max()
    first = max(c_low, min(c_high, 0.005 / ((largest - 1.0) * largest**-beta_low)))
    c = np.geomspace(first, c_high, int(np.log(c_high / first) / 0.2) + 2)
    steps = int((beta_high - beta_low) * np.log(largest) / 0.34) + 1
    return np.unique(np.r_[c_low, c]), np.unique(np.linspace(beta_low, beta_high, steps + 1))


def _all_starts(problem: _Problem) -> tuple[IntArray, FloatArray]:
    """`_starts` of a few curves at a time: their fields over the grid then stay in the processor's cache."""
    owners, starts = [], []
    for first in range(0, problem.r.shape[0], CACHED):
        owner, start = _starts(problem.take(np.arange(first, min(first + CACHED, problem.r.shape[0]))))
        owners.append(owner + first)
        starts.append(start)
    return np.concatenate(owners), np.concatenate(starts)


def _starts(problem: _Problem) -> tuple[IntArray, FloatArray]:
    """The best grid-local minima of each curve: its number, and (c, beta)."""
    c, beta = _grid(problem.n, problem.bounds)
    model = ringelmann(problem.n, c[:, None, None], beta[:, None]).reshape(-1, problem.n.size)
    known = problem.known.astype(np.float64)  # a product of Booleans would not use BLAS
    sse = known @ (model**2).T - 2.0 * problem.r @ model.T  # up to a constant of the curve
    field = sse.reshape(-1, c.size, beta.size)
    local = np.where(_local_minima(field).reshape(sse.shape), sse, np.inf)
    local[np.arange(sse.shape[0]), sse.argmin(axis=1)] = sse.min(axis=1)  # the best point always, also on a plateau
    rounds = []
    for _ in range(min(STARTS, local.shape[1])):
        point = local.argmin(axis=1)
        owner = np.flatnonzero(np.isfinite(local[np.arange(point.size), point]))
        rounds.append((owner, point[owner]))
        local[np.arange(point.size), point] = np.inf
    owner, point = (np.concatenate(part) for part in zip(*rounds, strict=True))
    return owner, np.stack([c[point // beta.size], beta[point % beta.size]], axis=1)


def _local_minima(field: FloatArray) -> BoolArray:
    """Points of (curves, c, beta) below all eight neighbours."""
    padded = np.pad(field, ((0, 0), (1, 1), (1, 1)), constant_values=np.inf)
    rows, columns = field.shape[1:]
    low = np.ones(field.shape, np.bool_)
    for i in range(3):
        for j in range(3):
            if (i, j) != (1, 1):
                low &= field < padded[:, i : i + rows, j : j + columns]
    return low


def _polish(problem: _Problem, start: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Damped Newton steps in the box, for all curves together until each has settled."""
    low, high = problem.bounds.corners()
    theta, damping = start.copy(), np.full(start.shape[0], 1e-3)
    sse = problem.sse(theta)
    moving = np.arange(start.shape[0])
    for _ in range(STEPS):
        if not moving.size:
            break
        here, part = theta[moving], problem.take(moving)
        there = np.clip(here - _step(part, here, damping[moving]), low, high)
        sse_there = part.sse(there)
        better = sse_there <= sse[moving]
        theta[moving] = np.where(better[:, None], there, here)
        sse[moving] = np.where(better, sse_there, sse[moving])
        damping[moving] = np.where(better, damping[moving] * 0.1, damping[moving] * 10.0)
        small = (np.abs(there - here) <= TOLERANCE * (1.0 + np.abs(here))).all(axis=1)
        moving = moving[~small]
    settled = np.ones(start.shape[0], np.bool_)
    settled[moving] = False
    return theta, settled


def _step(problem: _Problem, theta: FloatArray, damping: FloatArray) -> FloatArray:
    """The damped Newton step of each curve, (curves, 2), zero for parameters held at a bound."""
    low, high = problem.bounds.corners()
    gradient, exact, gauss = problem.derivatives(theta)
    held = ((theta <= low) & (gradient >= 0)) | ((theta >= high) & (gradient <= 0))
    gradient = np.where(held, 0.0, gradient)
    tied = held[:, :, None] | held[:, None, :]
    exact, gauss = (np.where(tied, np.eye(2), hessian) for hessian in (exact, gauss))
    convex = (exact[:, 0, 0] > 0) & (exact[:, 1, 1] > 0) & (_determinant(exact) > 0)
    hessian = np.where(convex[:, None, None], exact, gauss)
    scale = damping[:, None] * np.einsum("bii->bi", gauss) + 1e-200
    a, b, d = hessian[:, 0, 0] + scale[:, 0], hessian[:, 0, 1], hessian[:, 1, 1] + scale[:, 1]
    det = np.maximum(a * d - b * b, 1e-300)
    steps = d * gradient[:, 0] - b * gradient[:, 1], a * gradient[:, 1] - b * gradient[:, 0]
    return np.asarray(np.stack(steps, axis=1) / det[:, None])


def _determinant(matrix: FloatArray) -> FloatArray:
    return np.asarray(matrix[:, 0, 0] * matrix[:, 1, 1] - matrix[:, 0, 1] ** 2)


def _pushed(problem: _Problem, theta: FloatArray) -> IntArray:
    """Which bound each parameter is pushed against: -1, 0 or 1."""
    low, high = problem.bounds.corners()
    gradient, _, _ = problem.derivatives(theta)
    below, above = (theta <= low) & (gradient > 1e-10), (theta >= high) & (gradient < -1e-10)
    return np.where(low == high, 0, above.astype(np.int64) - below.astype(np.int64))
