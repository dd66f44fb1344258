"""The laws that Ringelmann's is compared with: Latane's, a power law, a logistic curve."""

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import least_squares

from headcount.laws.fit import Fit, describe, size_flags, usable
from headcount.laws.forms import Sizes, latane, logistic, power
from headcount.measures.arrays import FloatArray

POLISHED = 4  # starts that the search goes on from


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
    known, values = usable(n, r)
    starts = np.array([[0.0], [0.5], [1.0]])
    (t,), flags = _best(latane, known, values, starts) if known.size else ((math.nan,), [])
    flags += [flag for flag in size_flags(n, r) if flag != "two_sizes"]
    return describe("latane", {"t": t}, known, values, latane(known, t), flags)


def fit_power(n: Sizes, r: FloatArray, on_r: bool = False) -> Fit:
    """A power law with an offset, a + b N^exponent: least squares on N_eff (or on R), N >= 2.

    Source: arXiv 2606.02646, Table 13, which does not say whether N_eff or R was fitted. For each
    exponent of a grid a and b are linear, and the best such solutions are the starts.

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (sizes,), efficiencies N_eff / N; NaN is ignored.
        on_r: minimise the error of R instead of N_eff.

    Returns:
        params a, b and exponent; NaN with fewer than three sizes. Three are interpolated where
        possible.
    """

    def starts(known: FloatArray, y: FloatArray) -> FloatArray:
        exponents = np.array([-2.0, -1.0, -0.5, -0.1, 0.1, 0.3, 0.6, 1.0, 2.0])
        return np.array([[*_linear(y, np.ones_like(known), known**e), e] for e in exponents])

    return _fit_three("power", ("a", "b", "exponent"), power, starts, n, r, on_r)


def fit_logistic(n: Sizes, r: FloatArray, on_r: bool = False) -> Fit:
    """A logistic curve, top / (1 + exp(-rate (N - middle))): least squares on N_eff (or on R), N
    >= 2.

    Source: arXiv 2606.02646, Table 13, which does not say whether N_eff or R was fitted. For each
    (rate, middle) of a grid top is linear, and the best such solutions are the starts. A curve
    that has no inflection in its data lets top and middle run off together (`not_converged`); its
    values at the sizes are still a fit.

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (sizes,), efficiencies N_eff / N; NaN is ignored.
        on_r: minimise the error of R instead of N_eff.

    Returns:
        params top, rate and middle; NaN with fewer than three sizes. Three are interpolated where
        possible.
    """

    def starts(known: FloatArray, y: FloatArray) -> FloatArray:
        rates, middles = (
            (-0.3, -0.1, -0.03, 0.03, 0.1, 0.3, 1.0),
            np.linspace(-2, 1, 13) * known.max(),
        )
        return np.array([[*_linear(y, logistic(known, 1.0, k, m)), k, m] for k in rates for m in middles])

    return _fit_three("logistic", ("top", "rate", "middle"), logistic, starts, n, r, on_r)


def _fit_three(
    law: str,
    names: tuple[str, str, str],
    form: Callable[..., FloatArray],
    starts: Callable[[FloatArray, FloatArray], FloatArray],
    n: Sizes,
    r: FloatArray,
    on_r: bool,
) -> Fit:
    """A three-parameter curve on N_eff or R; not fitted with fewer than three sizes."""
    known, values = usable(n, r)
    law = f"{law}_on_r" if on_r else law
    sizes = np.unique(known).size
    if sizes < 3:
        nothing = dict.fromkeys(names, math.nan)
        return describe(law, nothing, known, values, np.full(known.size, np.nan), ["few_sizes"])
    y = values if on_r else known * values
    params, flags = _best(form, known, y, starts(known, y))
    flags += ["interpolates"] if sizes == 3 else []
    flags += [flag for flag in size_flags(n, r) if flag == "size_without_value"]
    model = form(known, *params)
    named = dict(zip(names, params, strict=True))
    return describe(law, named, known, values, model if on_r else model / known, flags)


def _best(
    form: Callable[..., FloatArray], n: FloatArray, y: FloatArray, starts: FloatArray
) -> tuple[tuple[float, ...], list[str]]:
    """SciPy's solution from the best few of many starts (starts, parameters), and its flags."""

    def residual(params: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            return np.nan_to_num(form(n, *params) - y, nan=1e6, posinf=1e6, neginf=-1e6)

    cost = np.array([(residual(start) ** 2).sum() for start in starts])
    chosen = starts[np.argsort(cost, kind="stable")[:POLISHED]]
    fits = [least_squares(residual, start, x_scale="jac", max_nfev=300) for start in chosen]
    best = min(fits, key=lambda fit: float(fit.cost))
    return tuple(float(value) for value in best.x), [] if best.success else ["not_converged"]


def _linear(y: FloatArray, *basis: FloatArray) -> list[float]:
    """Least-squares coefficients of y on the basis."""
    coefficients: list[float] = np.linalg.lstsq(np.stack(basis, axis=1), y, rcond=None)[0].tolist()
    return coefficients
