"""The laws that are compared, each as something that is fitted to many curves at once and then says
what N_eff would be at any size.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from headcount.laws.alternatives import THREE, fit_each_latane, fit_each_of_three, fit_latane_slope, in_teams
from headcount.laws.estimate import C_BOUNDS, LAWS, fit_each
from headcount.laws.exponents import fit_latane_curves
from headcount.laws.fit import Fit
from headcount.laws.forms import Sizes, latane, ringelmann
from headcount.laws.least_squares import NO_C, Bounds, fit_curves
from headcount.laws.resamples import parameters_of
from headcount.measures.arrays import FloatArray

# Sizes (sizes,), efficiencies (curves, sizes) with NaN where not known, range of c -> (curves, parameters).
Estimate = Callable[[FloatArray, FloatArray, tuple[float, float]], FloatArray]


@dataclass(frozen=True)
class Law:
    """A law among those compared.

    Attributes:
        fits: sizes (sizes,) and efficiencies (curves, sizes) -> each curve's estimates, their quality and flags.
        estimate: the same estimates as an array.
        resamples: the same for the resamples (resamples, sizes) of each of several curves, one after the other, where
            there is a faster way; else None.
        n_eff: sizes (sizes,) and each parameter (curves, 1) -> (curves, sizes), in agents.
    """

    fits: Callable[[Sizes, FloatArray], list[Fit]]
    estimate: Estimate
    n_eff: Callable[..., FloatArray]
    resamples: Callable[[FloatArray, list[FloatArray], tuple[float, float]], FloatArray] | None = None

    def predict(self, n: Sizes, r: FloatArray, at: Sizes, c_bounds: tuple[float, float] = C_BOUNDS) -> FloatArray:
        """N_eff at some sizes, by what the law makes of others.

        Args:
            n: (sizes,), team sizes; N = 1 is ignored.
            r: (curves, sizes), efficiencies N_eff / N; NaN, or 0 and less, is left out of its curve.
            at: (at,), sizes to predict.
            c_bounds: range of c in Ringelmann's law and Kish's.

        Returns:
            (curves, at), in agents; NaN for a curve with too few sizes for the law.
        """
        return self.at(at, self.parameters(n, r, c_bounds))

    def parameters(self, n: Sizes, r: FloatArray, c_bounds: tuple[float, float] = C_BOUNDS) -> FloatArray:
        """Estimates, (curves, parameters); arguments as in `predict`."""
        return self.estimate(*in_teams(n, r), c_bounds)

    def of_resamples(self, n: Sizes, r: Sequence[FloatArray], c_bounds: tuple[float, float]) -> FloatArray:
        """`parameters` of the resamples of several curves, (resamples, sizes) each, one after the other."""
        if self.resamples is None:
            return self.parameters(n, np.concatenate(r), c_bounds)
        each = [in_teams(n, curve) for curve in r]
        return self.resamples(each[0][0], [known for _, known in each], c_bounds)

    def at(self, at: Sizes, params: FloatArray) -> FloatArray:
        """N_eff at some sizes by parameters (curves, parameters), (curves, at)."""
        return np.asarray(self.n_eff(np.asarray(at, dtype=np.float64), *params.T[:, :, None]))


def _ringelmann(law: str) -> Law:
    def estimate(n: FloatArray, r: FloatArray, c_bounds: tuple[float, float]) -> FloatArray:
        fits = fit_curves(n, r, Bounds(c_bounds, LAWS[law]))
        return np.stack([fits.c, fits.beta], axis=1)

    def resamples(n: FloatArray, r: list[FloatArray], c_bounds: tuple[float, float]) -> FloatArray:
        sizes = n.astype(np.int64)
        return np.concatenate(parameters_of([(sizes, curve) for curve in r], Bounds(c_bounds, LAWS[law])))

    return Law(lambda n, r: fit_each(law, n, r), estimate, _ringelmann_n_eff, resamples)


def _ringelmann_n_eff(n: FloatArray, c: FloatArray, beta: FloatArray | float = 0.0) -> FloatArray:
    """Without a beta where c is 0 too."""
    return n * ringelmann(n, c, np.where(c <= NO_C, 0.0, beta))


def _three(law: str, on_r: bool) -> Law:
    three = THREE[law]

    def estimate(n: FloatArray, r: FloatArray, _c_bounds: tuple[float, float]) -> FloatArray:
        return three.fit(n, r if on_r else n * r)[0]

    return Law(
        lambda n, r: fit_each_of_three(law, n, r, on_r), estimate, _in_agents(three.form) if on_r else three.form
    )


def _in_agents(efficiency: Callable[..., FloatArray]) -> Callable[..., FloatArray]:
    return lambda n, *params: n * efficiency(n, *params)


def _latane_slopes(n: FloatArray, r: FloatArray, _c_bounds: tuple[float, float]) -> FloatArray:
    """Regression of ln R on ln N, for many curves; t and amplitude, (curves, 2)."""
    known = np.isfinite(r)
    x, y = (np.where(known, np.log(value), 0.0) for value in (n, np.where(known, r, 1.0)))
    count = known.sum(axis=1, keepdims=True)
    centre = x.sum(axis=1, keepdims=True) / np.maximum(count, 1)
    off = np.where(known, x - centre, 0.0)
    spread = (off**2).sum(axis=1, keepdims=True)
    slope = (off * y).sum(axis=1, keepdims=True) / np.where(spread > 0, spread, np.nan)
    level = y.sum(axis=1, keepdims=True) / np.maximum(count, 1) - slope * centre
    return np.concatenate([1.0 + slope, np.exp(level)], axis=1)


COMPARED = {
    "ringelmann": _ringelmann("ringelmann"),
    "ringelmann_free": _ringelmann("ringelmann_free"),
    "kish": _ringelmann("kish"),
    "latane": Law(fit_each_latane, lambda n, r, _c_bounds: fit_latane_curves(n, r), _in_agents(latane)),
    "latane_slope": Law(lambda n, r: [fit_latane_slope(n, curve) for curve in r], _latane_slopes, _in_agents(latane)),
    "power": _three("power", False),
    "power_on_r": _three("power", True),
    "logistic": _three("logistic", False),
    "logistic_on_r": _three("logistic", True),
}
