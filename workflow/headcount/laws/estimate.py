"""Point estimates of Ringelmann's and Kish's laws from one curve, and of all laws side by side."""

import math

import numpy as np

from headcount.laws.fit import Fit, describe, regime, size_flags, usable
from headcount.laws.forms import Sizes, ringelmann
from headcount.laws.least_squares import NO_C, Bounds, CurveFits, fit_curves
from headcount.measures.arrays import FloatArray

C_BOUNDS = (0.0, 20.0)  # arXiv 2606.02646, section 4
# Laws of one form, by the range of beta.
LAWS = {"ringelmann": (0.0, 1.0), "ringelmann_free": (-2.0, 1.0), "kish": (0.0, 0.0)}


def fit_ringelmann(n: Sizes, r: FloatArray, free: bool = False, c_bounds: tuple[float, float] = C_BOUNDS) -> Fit:
    """Ringelmann's law: unweighted least squares of R on 1 / (1 + c (N - 1) N^-beta), N >= 2.

    Source: arXiv 2606.02646, eq. 2, K.1 step 5. A beta of 0 at the bound is common there (21 of 28
    published cells) and hides a correlation that rises with N; so read the free fit beside the
    bounded one.

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (sizes,), efficiencies N_eff / N; NaN is ignored.
        free: beta in [-2, 1] instead of the paper's [0, 1]. With a bound of -1 intervals of agents who conform in
            large teams only lost their width there.
        c_bounds: range of c.

    Returns:
        params c and beta, dimensionless. Both NaN with fewer than two sizes; beta NaN where c = 0.
    """
    return _fit("ringelmann_free" if free else "ringelmann", n, r, c_bounds)


def fit_kish(n: Sizes, r: FloatArray, c_bounds: tuple[float, float] = C_BOUNDS) -> Fit:
    """Kish's law: unweighted least squares of R on 1 / (1 + (N - 1) rho), N >= 2.

    Source: arXiv 2606.02646, app. B; rope pulling (1913) gives .118, printed .12.

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (sizes,), efficiencies N_eff / N; NaN is ignored.
        c_bounds: range of rho.

    Returns:
        param rho; NaN where no size has a value. One size is enough.
    """
    return _fit("kish", n, r, c_bounds)


def fit_all(n: Sizes, n_eff: FloatArray) -> dict[str, object]:
    """Every law on one curve, as JSON: what `headcount fit` prints.

    Args:
        n: (sizes,), team sizes.
        n_eff: (sizes,), effective team sizes, in agents; NaN where not known.

    Returns:
        the sizes used, and under "laws" each law's params, quality, regime and flags. Power law
        and logistic stand twice: fitted to N_eff, and to R (`_on_r`), since the paper does not say
        which it used.
    """
    from headcount.laws.alternatives import fit_latane, fit_latane_slope, fit_logistic, fit_power

    sizes = np.asarray(n, dtype=np.float64).ravel()
    r = np.asarray(n_eff, dtype=np.float64).ravel() / sizes
    fits = [
        fit_ringelmann(sizes, r),
        fit_ringelmann(sizes, r, free=True),
        fit_kish(sizes, r),
        fit_latane_slope(sizes, r),
        fit_latane(sizes, r),
        *(fit(sizes, r, on_r=on_r) for fit in (fit_power, fit_logistic) for on_r in (False, True)),
    ]
    used, _ = usable(sizes, r)
    return {"sizes": used.tolist(), "laws": {fit.law: fit.as_json() for fit in fits}}


def bound_flags(fits: CurveFits, curve: int = 0) -> list[str]:
    """Flags of one curve among `fits`: bounds it is pushed against, and trouble of the search."""
    ends = {-1: "lower", 1: "upper"}
    flags = [
        f"{name}_at_{ends[int(side)]}_bound"
        for name, side in zip(("c", "beta"), fits.at_bound[curve], strict=True)
        if side
    ]
    return flags + ([] if fits.converged[curve] else ["not_converged"])


def fit_each(law: str, n: Sizes, r: FloatArray, c_bounds: tuple[float, float] = C_BOUNDS) -> list[Fit]:
    """One of `LAWS` on each of several curves over the same sizes.

    Args:
        n: (sizes,), team sizes; N = 1 is ignored.
        r: (curves, sizes), efficiencies; NaN is ignored.
        c_bounds: range of c.
    """
    fits = fit_curves(n, np.where(r > 0, r, np.nan), Bounds(c_bounds, LAWS[law]))
    return [_described(law, n, curve, fits, place) for place, curve in enumerate(r)]


def _fit(law: str, n: Sizes, r: FloatArray, c_bounds: tuple[float, float]) -> Fit:
    n, r = np.asarray(n, dtype=np.float64).ravel(), np.asarray(r, dtype=np.float64).ravel()
    return fit_each(law, n, r[None], c_bounds)[0]


def _described(law: str, n: Sizes, r: FloatArray, fits: CurveFits, place: int) -> Fit:
    known, values = usable(n, r)
    c, beta = float(fits.c[place]), float(fits.beta[place])
    flags = size_flags(n, r) + bound_flags(fits, place)
    model = ringelmann(known, c, beta)
    if law == "kish":
        return describe(law, {"rho": c}, known, values, model, [flag for flag in flags if flag != "two_sizes"])
    if c <= NO_C:
        beta, flags = math.nan, [*flags, "beta_unidentified"]
    return describe(law, {"c": c, "beta": beta}, known, values, model, flags, regime(beta))
