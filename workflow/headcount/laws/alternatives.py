"""The laws that Ringelmann's is compared with: Latane's, a power law, a logistic curve."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headcount.laws.exponents import fit_latane_curves, fit_power_curves
from headcount.laws.fit import Fit, describe, size_flags, usable
from headcount.laws.forms import Sizes, latane, logistic, power
from headcount.laws.logistic_curves import fit_logistic_curves
from headcount.measures.arrays import BoolArray, FloatArray


def fit_latane_slope(n: Sizes, r: FloatArray) -> Fit:
    """Latane's exponent as the paper has it: one plus the slope of ln R on ln N.

    ln R = ln A + (t - 1) ln N, N >= 2, A free, by ordinary least squares (arXiv 2606.02646, app. B:
    only this reading gives the printed t = .55 for rope pulling). The amplitude A is not part of
    the law and should be near 1.

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (sizes,), efficiencies N_eff / N; NaN is ignored.

    Returns:
        params t and amplitude; NaN with fewer than two sizes.
    """
    known, values = usable(n, r)
    flags = size_flags(n, r)
    t = amplitude = math.nan
    if np.unique(known).size > 1:
        slope, intercept = np.polyfit(np.log(known), np.log(values), 1)
        t, amplitude = 1.0 + float(slope), float(np.exp(intercept))
    params = {"t": t, "amplitude": amplitude}
    return describe("latane_slope", params, known, values, latane(known, t, amplitude), flags)


def fit_latane(n: Sizes, r: FloatArray) -> Fit:
    """Latane's law itself: least squares of R on N^(t - 1), N >= 2 (Latane et al. 1979).

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (sizes,), efficiencies N_eff / N; NaN is ignored.

    Returns:
        param t; NaN where no size has a value. One size is enough.
    """
    return fit_each_latane(n, np.ravel(r)[None])[0]


def fit_each_latane(n: Sizes, r: FloatArray) -> list[Fit]:
    """`fit_latane` of several curves, (curves, sizes)."""
    n, r = in_teams(n, r)
    return [_latane(n, *each) for each in zip(r, fit_latane_curves(n, r)[:, 0].tolist(), strict=True)]


def _latane(n: FloatArray, r: FloatArray, t: float) -> Fit:
    known, values = usable(n, r)
    flags = [flag for flag in size_flags(n, r) if flag != "two_sizes"]
    return describe("latane", {"t": t}, known, values, latane(known, t), flags)


def fit_power(n: Sizes, r: FloatArray, on_r: bool = False) -> Fit:
    """A power law with an offset, a + b N^exponent: least squares on N_eff (or on R), N >= 2.

    Source: arXiv 2606.02646, Table 13, which does not say whether N_eff or R was fitted. A curve
    that only a limit of the form fits best, such as a logarithm, is flagged `not_converged`: a and
    b have no finite best, while the values at the sizes are a fit.

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (sizes,), efficiencies N_eff / N; NaN is ignored.
        on_r: minimise the error of R instead of N_eff.

    Returns:
        params a, b and exponent; NaN with fewer than three sizes. Three are interpolated where
        possible.
    """
    return fit_each_of_three("power", n, np.ravel(r)[None], on_r)[0]


def fit_logistic(n: Sizes, r: FloatArray, on_r: bool = False) -> Fit:
    """A logistic curve, top / (1 + exp(-rate (N - middle))): least squares on N_eff (or on R), N
    >= 2.

    Source: arXiv 2606.02646, Table 13, which does not say whether N_eff or R was fitted. A curve
    that has no inflection in its data lets top and middle run off together, to an exponential
    (`not_converged`); its values at the sizes are still a fit. On R this is the rule: efficiencies
    fall from the first size on.

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (sizes,), efficiencies N_eff / N; NaN is ignored.
        on_r: minimise the error of R instead of N_eff.

    Returns:
        params top, rate and middle; NaN with fewer than three sizes. Three are interpolated where
        possible.
    """
    return fit_each_of_three("logistic", n, np.ravel(r)[None], on_r)[0]


@dataclass(frozen=True)
class Three:
    """A form with three parameters, and what fits it to many curves."""

    names: tuple[str, str, str]
    fit: Callable[[Sizes, FloatArray], tuple[FloatArray, BoolArray]]
    form: Callable[..., FloatArray]


THREE = {
    "power": Three(("a", "b", "exponent"), fit_power_curves, power),
    "logistic": Three(("top", "rate", "middle"), fit_logistic_curves, logistic),
}


def fit_each_of_three(law: str, n: Sizes, r: FloatArray, on_r: bool = False) -> list[Fit]:
    """`fit_power` or `fit_logistic`, as `law` names it, of several curves, (curves, sizes)."""
    n, r = in_teams(n, r)
    params, inside = THREE[law].fit(n, r if on_r else n * r)
    return [_of_three(law, n, *each, on_r) for each in zip(r, params.tolist(), inside.tolist(), strict=True)]


def _of_three(law: str, n: FloatArray, r: FloatArray, params: list[float], inside: bool, on_r: bool) -> Fit:
    """A three-parameter curve on N_eff or R; not fitted with fewer than three sizes."""
    known, values = usable(n, r)
    model = THREE[law].form(known, *params)
    sizes = np.unique(known).size
    flags = ["few_sizes"] if sizes < 3 else [flag for flag in size_flags(n, r) if flag == "size_without_value"]
    flags += ["interpolates"] if sizes == 3 else []
    flags += ["not_converged"] if sizes >= 3 and not inside else []
    named = dict(zip(THREE[law].names, params, strict=True))
    return describe(f"{law}_on_r" if on_r else law, named, known, values, model if on_r else model / known, flags)


def in_teams(n: Sizes, r: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The sizes of two and more, and the efficiencies there, (curves, sizes); NaN where not above 0."""
    n, r = np.asarray(n, dtype=np.float64).ravel(), np.asarray(r, dtype=np.float64)
    return n[n >= 2], np.where(np.isfinite(r) & (r > 0), r, np.nan)[:, n >= 2]
