"""The laws as shapes that bend by one or two numbers, whatever else they have being linear: what any weighting of a
curve's sizes can be fitted with.

Given the bends, the best of what is linear is a projection (Golub and Pereyra 1973), so a search is over a small box,
which a grid covers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from headcount.laws.estimate import C_BOUNDS, LAWS
from headcount.laws.forms import ringelmann
from headcount.measures.arrays import FloatArray

_STEEP = 1000.0  # z between two sizes at which a logistic curve is a step, wherever they lie


@dataclass(frozen=True)
class Bend:
    """A law's shape.

    Attributes:
        axes: sizes (sizes,) -> for each bend its values, ascending, from one end of the box to the other.
        basis: sizes (sizes,) and bends (points, bends) -> (points, linear, sizes), curves of R that the law adds up;
            the curve itself where nothing is linear.
        parameters: of the law; those that are no bend are factors of the curves in its basis.
        bends: how many of them bend it.
        bounded: whether the ends of the box are bounds of the law. Else only limits of the form lie there.
    """

    axes: Callable[[FloatArray], list[FloatArray]]
    basis: Callable[[FloatArray, FloatArray], FloatArray]
    parameters: int
    bends: int = 1
    bounded: bool = False

    def residuals(self, basis: FloatArray, z: FloatArray, whiten: FloatArray) -> FloatArray:
        """What is left of a whitened curve once the law is taken from it, (points, sizes).

        Args:
            basis: (points, linear, sizes), of the law at each point's bends.
            z: the curve of R, whitened; (sizes,), or each point's own, (points, sizes).
            whiten: what whitens a curve from the left; (sizes, sizes), or each point's own, (points, sizes, sizes).
        """
        curves = basis @ np.swapaxes(whiten, -1, -2)
        if not self.factors:
            return np.asarray(z - curves[:, 0])
        left = np.broadcast_to(z, curves[:, 0].shape)
        units: list[FloatArray] = []
        for curve in np.moveaxis(curves, 1, 0):
            unit = _across(_across(curve, units), units)  # twice is enough (Giraud et al. 2005)
            units.append(unit / np.sqrt(_dot(unit, unit)))
            left = _across(left, units[-1:])
        return left

    @property
    def factors(self) -> bool:
        """Whether the curves of the basis have factors that are fitted."""
        return self.parameters > self.bends


def _dot(one: FloatArray, other: FloatArray) -> FloatArray:
    """Of each row with its fellow, (points, 1)."""
    return np.asarray(np.einsum("ps,ps->p", one, other)[:, None])


def _across(curve: FloatArray, units: Sequence[FloatArray]) -> FloatArray:
    """What of each row is at right angles to all of its units."""
    for unit in units:
        curve = curve - unit * _dot(unit, curve)
    return curve


def _ringelmann(law: str) -> Bend:
    c = np.r_[0.0, np.geomspace(1e-3, C_BOUNDS[1], 60)]

    def basis(n: FloatArray, at: FloatArray) -> FloatArray:
        return ringelmann(n, at[:, :1], at[:, 1:] if at.shape[1] > 1 else 0.0)[:, None]

    low, high = LAWS[law]
    beta = [] if low == high else [np.linspace(low, high, round((high - low) / 0.05) + 1)]
    return Bend(lambda _n: [c, *beta], basis, 1 + len(beta), 1 + len(beta), bounded=True)


def _exponents(_n: FloatArray) -> list[FloatArray]:
    """Densest near 0; at the ends all sizes but one are alike."""
    return [np.sinh(np.linspace(-6.0, 6.0, 121)) / np.sinh(6.0) * 40.0]


def _straight(n: FloatArray, exponent: FloatArray) -> FloatArray:
    """A constant and (N^exponent - 1) / exponent, scaled to one at its largest; ln N where the exponent is 0."""
    x = exponent * np.log(n / np.where(exponent > 0, n.max(), n.min()))
    bent = np.where(np.abs(exponent) < 1e-9, np.log(n), np.expm1(x) / np.where(exponent == 0.0, 1.0, exponent))
    return np.stack([np.ones(bent.shape), bent / np.abs(bent).max(axis=1, keepdims=True)], axis=1)


def _sigmoid(n: FloatArray, at: FloatArray) -> FloatArray:
    """By z at the smallest and the largest size, scaled to 1 where it is largest: so an exponential has a place too."""
    share = (n - n.min()) / np.ptp(n)
    z = at[:, :1] + (at[:, 1:] - at[:, :1]) * share
    log = -np.logaddexp(0.0, -z)
    return np.asarray(np.exp(log - log.max(axis=1, keepdims=True)))[:, None]


def _ends(_n: FloatArray) -> list[FloatArray]:
    axis = np.sinh(np.linspace(-5.0, 5.0, 61)) / np.sinh(5.0) * _STEEP
    return [axis, axis]


BENDS = {
    **{law: _ringelmann(law) for law in LAWS},
    "latane": Bend(_exponents, lambda n, at: np.exp(at * np.log(n))[:, None], 1),
    "latane_slope": Bend(_exponents, lambda n, at: np.exp(at * np.log(n / n.min()))[:, None], 2),
    "power": Bend(_exponents, lambda n, at: _straight(n, at) / n, 3),
    "power_on_r": Bend(_exponents, _straight, 3),
    "logistic": Bend(_ends, lambda n, at: _sigmoid(n, at) / n, 3, bends=2),
    "logistic_on_r": Bend(_ends, _sigmoid, 3, bends=2),
}
"""Each law of `compared.COMPARED`. Latane's with a free amplitude is a curve here, not a regression of logarithms."""
