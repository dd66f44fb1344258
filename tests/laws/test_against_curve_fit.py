"""Every law's least squares against SciPy's curve_fit, on 1,000 random profiles each.

Half of the profiles are curves of Ringelmann's law with noise, also with a correlation that rises with the
size, so that bounds are active on many; the other half are efficiencies that no law would give. curve_fit
starts beside our estimate, and on every fifth profile also from afar: it must find the same curve, or none
that is better.
"""

import numpy as np
import pytest
from scipy.optimize import curve_fit

from headcount.laws.alternatives import fit_latane_slope
from headcount.laws.exponents import fit_latane_curves, fit_power_curves
from headcount.laws.forms import kish, latane, logistic, power, ringelmann
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.logistic_curves import fit_logistic_curves

N = np.array([2.0, 3, 5, 7, 10, 15, 20, 30])
LAWFUL, ALL = 500, 1000


def profiles(seed):
    """Efficiencies, (ALL, sizes)."""
    rng = np.random.default_rng(seed)
    c, beta = rng.uniform(0.05, 1, (LAWFUL, 1)), rng.uniform(-0.2, 0.7, (LAWFUL, 1))
    lawful = ringelmann(N, c, beta) * (1 + 0.03 * rng.standard_normal((LAWFUL, N.size)))
    return np.concatenate([lawful, rng.uniform(1 / N, 1, (ALL - LAWFUL, N.size))])


def theirs(form, y, near, far, **how):
    """The fitted values and SSE of curve_fit's best solution of one profile; NaN where it gives up."""
    best = np.full(y.size, np.nan)
    for start in (near, *far):
        try:
            theta, _ = curve_fit(form, N, y, p0=start, **how)
        except (RuntimeError, ValueError):
            continue
        model = form(N, *theta)
        if not ((best - y) ** 2).sum() <= ((model - y) ** 2).sum():
            best = model
    return best, ((best - y) ** 2).sum()


def compare(form, y, params, far, **how):
    """Our fitted values and SSE, then curve_fit's: (profiles, sizes), (profiles,), twice."""
    rng = np.random.default_rng(1)
    ours = np.array([form(N, *theta) for theta in params])
    found = []
    for i, theta in enumerate(params):
        near = theta * (1 + 0.02 * rng.standard_normal(theta.size))
        if "bounds" in how:
            low, high = how["bounds"]
            near = np.clip(near, np.asarray(low) + 1e-3, np.asarray(high) - 1e-3)
        found.append(theirs(form, y[i], near, far if i % 5 == 0 else (), **how))
    models, sse = zip(*found, strict=True)
    return ours, ((ours - y) ** 2).sum(axis=1), np.array(models), np.array(sse)


@pytest.mark.parametrize("beta", [(0, 1), (-1, 1)])
def test_ringelmann(beta):
    r, bounds = profiles(2), Bounds(beta=beta)
    fits = fit_curves(N, r, bounds)
    active = (fits.at_bound != 0).any(axis=1)
    assert min(active.sum(), (~active).sum()) > 100
    params = np.stack([fits.c, fits.beta], axis=1)
    how = {"bounds": bounds.corners(), "method": "dogbox", "jac": slopes, "ftol": 1e-14, "xtol": 1e-14}
    ours, sse, curves, their_sse = compare(ringelmann, r, params, [(0.3, 0.5)], **how)
    np.testing.assert_allclose(fits.sse, sse, atol=1e-14)
    np.testing.assert_allclose(sse, their_sse, atol=1e-12)
    np.testing.assert_allclose(ours, curves, atol=1e-6)


def slopes(n, c, beta):
    x = (n - 1) * n**-beta
    p = 1 / (1 + c * x)
    return np.stack([-x * p**2, c * x * np.log(n) * p**2], axis=1)


def test_kish():
    r = profiles(3)
    fits = fit_curves(N, r, Bounds(beta=(0, 0)))
    jac = lambda n, rho: slopes(n, rho, 0.0)[:, :1]  # noqa: E731
    how = {"bounds": ([0], [20]), "method": "dogbox", "jac": jac, "ftol": 1e-14, "xtol": 1e-14}
    ours, sse, curves, their_sse = compare(kish, r, fits.c[:, None], [(0.3,), (3,)], **how)
    np.testing.assert_allclose(sse, their_sse, atol=1e-12)
    np.testing.assert_allclose(ours, curves, atol=1e-6)


def test_latane():
    r = profiles(4)
    t = fit_latane_curves(N, r)
    ours, sse, curves, their_sse = compare(latane, r, t, [(0.1,), (0.9,)], ftol=1e-14, xtol=1e-14)
    np.testing.assert_allclose(sse, their_sse, atol=1e-12)
    np.testing.assert_allclose(ours, curves, atol=1e-6)


def test_latanes_slope():
    for r in profiles(5):
        (slope, intercept), _ = curve_fit(lambda x, a, b: a * x + b, np.log(N), np.log(r))
        params = fit_latane_slope(N, r).params
        assert (params["t"], params["amplitude"]) == pytest.approx((1 + slope, np.exp(intercept)), abs=1e-6)


@pytest.mark.filterwarnings("ignore")  # SciPy's, of powers that overflow and of covariances it cannot tell
@pytest.mark.parametrize("on_r", [False, True])
@pytest.mark.parametrize(
    ("fit", "form", "far"),
    [
        (fit_power_curves, power, [(0, 1, 0.5), (1, -1, -1)]),
        (fit_logistic_curves, logistic, [(2, 0.2, 2), (1, -0.1, 9)]),
    ],
)
def test_three_parameters(fit, form, far, on_r):
    """Nothing that curve_fit finds is better. It finds the same curve of a lawful profile, unless it is stuck, or
    finite parameters are not the best."""
    r = profiles(6)
    y = r if on_r else N * r
    params, inside = fit(N, y)
    ours, sse, curves, their_sse = compare(form, y, params, far, ftol=1e-14, xtol=1e-14, maxfev=1000)
    known = np.isfinite(their_sse)
    assert known.mean() > 0.9
    assert (sse - their_sse)[known].max() < 1e-6
    finite = np.flatnonzero(inside[:LAWFUL])
    reached = finite[their_sse[finite] - sse[finite] < 1e-12]
    np.testing.assert_allclose(ours[reached], curves[reached], atol=1e-6)
    assert reached.size >= 0.97 * finite.size
