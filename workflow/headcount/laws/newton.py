"""Damped Newton steps on Ringelmann's law in a box of (c, beta), for many curves at once.

From each start, Newton steps with the exact 2 x 2 Hessian where it is positive definite and Gauss-Newton's where it is
not, damped (Levenberg-Marquardt), projected on the box; a parameter at a bound that the gradient pushes outward is held
there. Quadratic convergence also where the residuals are large.

Near its minimum the sum of squares changes by less than its rounding, and tells no longer whether a step was good: one
is taken back only if it made things worse by more than that. Steps shrink by some factor or faster: a curve has settled
where a step by that factor shorter than its last would be negligible.

Sizes are rows here and curves are columns, so that NumPy's inner loops run over curves. The sums over sizes that a step
needs are products with (1, ln N, ln^2 N).
"""

from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray

STEPS = 200
TOLERANCE = 1e-12  # of a step
NEGLIGIBLE = 1e-15  # of the next step
ROUNDING = 1e-15  # of a residual
BLOCK = 2048  # curves whose arrays stay in the processor's cache
FIRST_STEPS = 8  # of a block; its few stragglers wait for those of all blocks


@dataclass(frozen=True)
class Bounds:
    """The box that (c, beta) must lie in. Equal ends fix beta: (0, 0) is Kish's law."""

    c: tuple[float, float] = (0.0, 20.0)
    beta: tuple[float, float] = (0.0, 1.0)

    def corners(self) -> tuple[FloatArray, FloatArray]:
        """Lower and upper corner, each (2,)."""
        return np.array([self.c[0], self.beta[0]]), np.array([self.c[1], self.beta[1]])


@dataclass(frozen=True)
class Problem:
    """Curves to be fitted.

    Attributes:
        n: (sizes,), team sizes of two and more.
        r: (curves, sizes), efficiencies, 0 where not known.
        known: (curves, sizes).
        bounds: where the estimates must lie.
    """

    n: FloatArray
    r: FloatArray
    known: BoolArray
    bounds: Bounds

    @classmethod
    def of(cls, n: FloatArray, r: FloatArray, bounds: Bounds) -> "Problem":
        """Curves (curves, sizes) with NaN where a value is not known."""
        known = np.isfinite(r)
        return cls(n, np.where(known, r, 0.0), known, bounds)

    def take(self, curves: IntArray) -> "Problem":
        """Some of its curves, in this order."""
        return Problem(self.n, self.r[curves], self.known[curves], self.bounds)


@dataclass(frozen=True)
class Polished:
    """Where the steps of each curve end.

    Attributes:
        theta: (curves, 2), c and beta.
        settled: (curves,), whether its next step would be negligible.
        sse: (curves,), sum of squared residuals there.
        gradient: (curves, 2), of SSE/2 by c and beta there.
    """

    theta: FloatArray
    settled: BoolArray
    sse: FloatArray
    gradient: FloatArray


def polish(problem: Problem, start: FloatArray) -> Polished:
    """Damped Newton steps in the box, for all curves together until each has settled.

    Args:
        problem: the curves.
        start: (curves, 2), where each begins.
    """
    count = start.shape[0]
    walk = _Walk(
        theta=start.T.copy(),
        damping=np.full(count, 1e-3),
        settled=np.zeros(count, np.bool_),
        sse=np.empty(count),
        gradient=np.empty((2, count)),
    )
    for first in range(0, count, BLOCK):
        walk.go(problem, np.arange(first, min(first + BLOCK, count)), FIRST_STEPS)
    walk.go(problem, np.flatnonzero(~walk.settled), STEPS - FIRST_STEPS)
    return Polished(walk.theta.T, walk.settled, walk.sse, walk.gradient.T)


@dataclass(frozen=True)
class _Columns:
    """Curves as columns: r and known (sizes, curves), known as 1 and 0; None where all are."""

    log_n: FloatArray  # (sizes, 1)
    log_others: FloatArray  # (sizes, 1), ln (N - 1)
    powers: FloatArray  # (3, sizes), 1, ln N, ln^2 N
    r: FloatArray
    known: FloatArray | None

    @classmethod
    def of(cls, problem: Problem) -> "_Columns":
        log_n = np.log(problem.n)[:, None]
        known = None if problem.known.all() else np.ascontiguousarray(problem.known.T, dtype=np.float64)
        powers = np.stack([np.ones(problem.n.size), log_n[:, 0], log_n[:, 0] ** 2])
        return cls(log_n, np.log(problem.n - 1.0)[:, None], powers, np.ascontiguousarray(problem.r.T), known)

    def take(self, curves: IntArray) -> "_Columns":
        known = None if self.known is None else self.known.take(curves, axis=1)
        return _Columns(self.log_n, self.log_others, self.powers, self.r.take(curves, axis=1), known)

    def slopes(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """SSE (curves,), and derivatives of SSE/2 by c and beta, (8, curves), at theta (2, curves).

        With x = (N - 1) N^-beta, L = ln N and p = 1 / (1 + c x):
        p_c = -x p^2, p_b = c x L p^2, p_cc = 2 x^2 p^3, p_cb = x L p^2 (1 - 2 c x p), p_bb = c x L^2 p^2 (2 c x p - 1).

        The rows are the gradient by c and beta; the Hessian by cc, cb and bb; and Gauss-Newton's, the same three.
        """
        c, beta = theta
        x = self.log_n * -beta
        x += self.log_others
        np.exp(x, out=x)
        p = c * x
        p += 1.0
        np.reciprocal(p, out=p)
        residual = p - self.r
        x *= p  # x p, from here on
        p *= x  # x p^2
        if self.known is not None:
            residual *= self.known
            p *= self.known
        sse = np.einsum("sc,sc->c", residual, residual)
        residual *= p
        gradient = self.powers[:2] @ residual
        twist = np.einsum("sc,sc->c", residual, x)
        x *= -2.0 * c
        x += 1.0
        x *= residual
        bend = self.powers[1:] @ x
        p *= p
        gauss = self.powers @ p
        gauss[1] *= -c
        gauss[2] *= c * c
        exact = gauss + np.stack([2.0 * twist, bend[0], -c * bend[1]])
        return sse, np.concatenate([[-gradient[0], c * gradient[1]], exact, gauss])


@dataclass(frozen=True)
class _Walk:
    """Where all curves are, and whether each has settled; (curves,), of c and beta (2, curves)."""

    theta: FloatArray
    damping: FloatArray
    settled: BoolArray
    sse: FloatArray
    gradient: FloatArray

    def go(self, problem: Problem, moving: IntArray, steps: int) -> None:
        """So many steps of some curves, fewer of those that settle."""
        low, high = (corner[:, None] for corner in problem.bounds.corners())
        columns = _Columns.of(problem.take(moving))
        here, damping, last = self.theta[:, moving], self.damping[moving], np.zeros(moving.size)
        sse, slopes = columns.slopes(here)
        for _ in range(steps):
            if not moving.size:
                return
            there = np.clip(here - _step(here, slopes, damping, low, high), low, high)
            sse_there, slopes_there = columns.slopes(there)
            better = np.sqrt(sse_there) <= np.sqrt(sse) + ROUNDING
            length = (np.abs(there - here) / (1.0 + np.abs(here))).max(axis=0)
            small = (length <= TOLERANCE) | (better & (length**2 <= NEGLIGIBLE * last))
            here, last = np.where(better, there, here), length
            slopes, sse = np.where(better, slopes_there, slopes), np.where(better, sse_there, sse)
            damping = damping * np.where(better, 0.1, 10.0)
            if small.any():
                self._put(moving, here, damping, sse, slopes)
                self.settled[moving[small]] = True
                on = np.flatnonzero(~small)
                moving, columns, sse, damping, last = moving[on], columns.take(on), sse[on], damping[on], last[on]
                here, slopes = here.take(on, axis=1), slopes.take(on, axis=1)
        self._put(moving, here, damping, sse, slopes)

    def _put(
        self, moving: IntArray, theta: FloatArray, damping: FloatArray, sse: FloatArray, slopes: FloatArray
    ) -> None:
        self.theta[:, moving], self.damping[moving] = theta, damping
        self.sse[moving], self.gradient[:, moving] = sse, slopes[:2]


def _step(theta: FloatArray, slopes: FloatArray, damping: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """The damped Newton step of each curve, (2, curves), zero for parameters held at a bound."""
    gradient, exact, gauss = slopes[:2], slopes[2:5], slopes[5:]
    held = ((theta <= low) & (gradient >= 0)) | ((theta >= high) & (gradient <= 0))
    if held.any():
        gradient = np.where(held, 0.0, gradient)
        tied, alone = np.stack([held[0], held.any(axis=0), held[1]]), np.array([[1.0], [0.0], [1.0]])
        exact, gauss = np.where(tied, alone, exact), np.where(tied, alone, gauss)
    convex = (exact[0] > 0) & (exact[2] > 0) & (exact[0] * exact[2] > exact[1] ** 2)
    a, b, d = exact if convex.all() else np.where(convex, exact, gauss)
    a, d = a + damping * gauss[0] + 1e-200, d + damping * gauss[2] + 1e-200
    det = np.maximum(a * d - b * b, 1e-300)
    return np.asarray(np.stack([d * gradient[0] - b * gradient[1], a * gradient[1] - b * gradient[0]]) / det)
