"""Logistic curves as a surface: how far each of many measured curves is from every one of them, and its slopes there.

A logistic curve is top x sigmoid(z), z = rate x - shift with x counted from the smallest size. The top has its best
value at every (rate, shift).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray

STEEP = 40.0  # z between neighbours at which the curve is a step: half way, exp(-20) is left
FLAT = 20.0  # |z| beyond which sigmoid(z) is exponential or constant to exp(-20); the search ends there

Theta = tuple[FloatArray, FloatArray]  # rate and shift, or what belongs to each, (curves,) both


@dataclass(frozen=True)
class Hessian:
    """Second derivatives by rate and shift, (curves,) each."""

    rr: FloatArray
    rs: FloatArray
    ss: FloatArray

    def tied(self, rate: BoolArray, shift: BoolArray) -> "Hessian":
        """Those of the parameters that are free; of one that is held, those of the identity."""
        return Hessian(
            np.where(rate, 1.0, self.rr), np.where(rate | shift, 0.0, self.rs), np.where(shift, 1.0, self.ss)
        )


@dataclass(frozen=True)
class Shape:
    """Sigmoids at (rate, shift), with their best tops, and the residuals; (sizes, curves) each."""

    up: FloatArray  # sigmoid(z), 0 at sizes not known
    down: FloatArray  # 1 - sigmoid(z)
    top: FloatArray  # (curves,)
    residual: FloatArray

    @property
    def sse(self) -> FloatArray:
        return np.asarray((self.residual**2).sum(axis=0))


@dataclass(frozen=True)
class Surface:
    """Sums of squares over theta, (rate, shift), each (curves,), with z = rate x - shift.

    Sizes come first, as sums over the first axis are the fast ones.
    """

    x: FloatArray  # (sizes,), N from the smallest size on
    y: FloatArray  # (sizes, curves), 0 where not known
    known: BoolArray  # (sizes, curves)

    def take(self, curves: IntArray | BoolArray | slice) -> "Surface":
        return Surface(self.x, self.y[:, curves], self.known[:, curves])

    @cached_property
    def fastest(self) -> float:
        """The rate at which neighbouring sizes are a step apart."""
        return STEEP / float(np.diff(np.unique(self.x)).min())

    def at(self, theta: Theta) -> Shape:
        z = theta[0] * self.x[:, None] - theta[1]
        up, down = sigmoids(z)
        up, down = up * self.known, down * self.known
        top = (up * self.y).sum(axis=0) / np.maximum((up**2).sum(axis=0), 1e-300)
        return Shape(up, down, top, self.y - top * up)

    def corners(self, rate: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where the limits of the shift begin at a rate: the lowest and the highest, each (curves,)."""
        far = np.clip(rate, -self.fastest, self.fastest) * self.x.max()
        return np.minimum(far, 0.0) - FLAT, np.maximum(far, 0.0) + FLAT

    def clip(self, theta: Theta) -> Theta:
        """Theta, kept where the limits begin."""
        return np.clip(theta[0], -self.fastest, self.fastest), np.clip(theta[1], *self.corners(theta[0]))

    def derivatives(self, theta: Theta) -> tuple[Theta, Hessian, Hessian]:
        """Gradient of SSE/2, its Hessian, and Gauss-Newton's.

        With g = sigmoid(z), e = y - top g and subscripts for derivatives by rate and shift:
        gradient_i = -top e.g_i; Hessian_ij = top^2 g_i.g_j - top e.g_ij - h_i h_j / g.g, where
        h_i = top g.g_i - e.g_i (the top follows the other two). Gauss-Newton's has no e in it.
        """
        shape, x = self.at(theta), self.x[:, None]
        g, top, e = shape.up, shape.top, shape.residual
        by_shift = -g * shape.down
        by_rate = -x * by_shift
        bend = by_shift * (g - shape.down)
        own = (top * (g * by_rate).sum(axis=0), top * (g * by_shift).sum(axis=0))
        pull = ((e * by_rate).sum(axis=0), (e * by_shift).sum(axis=0))
        square = (g**2).sum(axis=0)
        inner = [top**2 * (a * b).sum(axis=0) for a, b in _pairs(by_rate, by_shift)]
        curve = bend * e
        curved = [top * (curve * x**2).sum(axis=0), -top * (curve * x).sum(axis=0), top * curve.sum(axis=0)]
        still = (own[0] - pull[0], own[1] - pull[1])
        gauss = [part - a * b / square for part, (a, b) in zip(inner, _pairs(*own), strict=True)]
        exact = [i - c - a * b / square for i, c, (a, b) in zip(inner, curved, _pairs(*still), strict=True)]
        return (-top * pull[0], -top * pull[1]), Hessian(*exact), Hessian(*gauss)


def _pairs(rate: FloatArray, shift: FloatArray) -> list[Theta]:
    """What a Hessian's three elements are made of."""
    return [(rate, rate), (rate, shift), (shift, shift)]


def sigmoids(z: FloatArray) -> Theta:
    """sigmoid(z) and 1 - sigmoid(z)."""
    fall = np.exp(-np.clip(z, -500.0, 500.0))
    up = 1.0 / (1.0 + fall)
    return up, fall * up
