"""The laws that are compared, each as something that is fitted to many curves at once and then says
what N_eff would be at any size.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headcount.laws.alternatives import fit_latane, fit_latane_slope, fit_logistic, fit_power
from headcount.laws.estimate import C_BOUNDS, LAWS, fit_kish, fit_ringelmann
from headcount.laws.exponents import fit_latane_curves, fit_power_curves
from headcount.laws.fit import Fit
from headcount.laws.forms import Sizes, latane, logistic, power, ringelmann
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.logistic_curves import fit_logistic_curves
from headcount.measures.arrays import BoolArray, FloatArray

# Sizes (sizes,), efficiencies (curves, sizes) with NaN where not known, range of c -> (curves, parameters).
Estimate = Callable[[FloatArray, FloatArray, tuple[float, float]], FloatArray]


@dataclass(frozen=True)
class Law:
    """A law among those compared.

    Attributes:
        fit: one curve's sizes and efficiencies -> its estimates, their quality and flags.
        estimate: the same estimates for many curves, as an array.
        n_eff: sizes (sizes,) and each parameter (curves, 1) -> (curves, sizes), in agents.
    """

    fit: Callable[[Sizes, FloatArray], Fit]
    estimate: Estimate
    n_eff: Callable[..., FloatArray]

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
        n = np.asarray(n, dtype=np.float64)
        known = np.where(r > 0, r, np.nan)[:, n >= 2]
        params = self.estimate(n[n >= 2], known, c_bounds)
        return np.asarray(self.n_eff(np.asarray(at, dtype=np.float64), *params.T[:, :, None]))


def _ringelmann(law: str) -> Law:
    def estimate(n: FloatArray, r: FloatArray, c_bounds: tuple[float, float]) -> FloatArray:
        fits = fit_curves(n, r, Bounds(c_bounds, LAWS[law]))
        return np.stack([fits.c, fits.beta], axis=1)

    def fit(n: Sizes, r: FloatArray) -> Fit:
        return fit_kish(n, r) if law == "kish" else fit_ringelmann(n, r, free=law == "ringelmann_free")

    return Law(fit, estimate, _in_agents(ringelmann))


def _three(
    fit: Callable[[Sizes, FloatArray, bool], Fit],
    curves: Callable[[Sizes, FloatArray], tuple[FloatArray, BoolArray]],
    form: Callable[..., FloatArray],
    on_r: bool,
) -> Law:
    def estimate(n: FloatArray, r: FloatArray, _c_bounds: tuple[float, float]) -> FloatArray:
        return curves(n, r if on_r else n * r)[0]

    return Law(lambda n, r: fit(n, r, on_r), estimate, _in_agents(form) if on_r else form)


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
    "latane": Law(fit_latane, lambda n, r, _c_bounds: fit_latane_curves(n, r), _in_agents(latane)),
    "latane_slope": Law(fit_latane_slope, _latane_slopes, _in_agents(latane)),
    "power": _three(fit_power, fit_power_curves, power, False),
    "power_on_r": _three(fit_power, fit_power_curves, power, True),
    "logistic": _three(fit_logistic, fit_logistic_curves, logistic, False),
    "logistic_on_r": _three(fit_logistic, fit_logistic_curves, logistic, True),
}
