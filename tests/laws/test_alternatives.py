"""The other laws: exact curves come back, and nothing SciPy finds elsewhere is better."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import differential_evolution, minimize_scalar

from headcount.laws.alternatives import fit_latane, fit_latane_slope, fit_logistic, fit_power
from headcount.laws.forms import latane, logistic, power, ringelmann

N = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30])
R = ringelmann(N, 0.35, 0.25) * (1 + 0.02 * np.random.default_rng(0).standard_normal(N.size))


@given(st.floats(0, 1))
def test_both_readings_of_latane_agree_on_an_exact_curve(t):
    assert fit_latane(N, latane(N, t)).params["t"] == pytest.approx(t, abs=1e-6)
    slope = fit_latane_slope(N, latane(N, t)).params
    assert (slope["t"], slope["amplitude"]) == pytest.approx((t, 1), abs=1e-9)


def test_latane_is_the_least_squares_of_a_line_search():
    best = minimize_scalar(lambda t: ((N ** (t - 1) - R)[1:] ** 2).sum(), bounds=(-1, 2), method="bounded")
    assert fit_latane(N, R).params["t"] == pytest.approx(best.x, abs=1e-5)


def test_latanes_slope_is_a_regression_without_the_team_of_one():
    slope, intercept = np.polyfit(np.log(N[1:]), np.log(R[1:]), 1)
    fit = fit_latane_slope(np.r_[N, 1], np.r_[R, 0.1])
    assert (fit.params["t"], fit.params["amplitude"]) == pytest.approx((1 + slope, np.exp(intercept)))


@settings(max_examples=8)
@given(st.floats(-1, 1), st.floats(0.3, 2), st.floats(0.2, 0.9))
def test_an_exact_power_law_is_recovered(a, b, exponent):
    n_eff = power(N, a, b, exponent)
    assume((n_eff > 0).all())  # a size of which a team is worth nobody is left out
    fit = fit_power(N, n_eff / N)
    assert tuple(fit.params.values()) == pytest.approx((a, b, exponent), abs=1e-4)


@settings(max_examples=8)
@given(st.floats(2, 8), st.floats(0.1, 0.5), st.floats(2, 10))
def test_an_exact_logistic_curve_is_recovered(top, rate, middle):
    fit = fit_logistic(N, logistic(N, top, rate, middle) / N)
    assert tuple(fit.params.values()) == pytest.approx((top, rate, middle), rel=1e-4)


@pytest.mark.parametrize("on_r", [False, True])
@pytest.mark.parametrize(
    ("fit", "form", "box"),
    [
        (fit_power, power, [(-20, 20), (-20, 20), (-3, 3)]),
        (fit_logistic, logistic, [(0, 40), (-2, 2), (-60, 60)]),
    ],
)
def test_no_global_search_finds_a_better_curve(fit, form, box, on_r):
    n, y = N[1:], (R if on_r else N * R)[1:]
    found = differential_evolution(lambda p: ((form(n, *p) - y) ** 2).sum(), box, rng=0, maxiter=150)
    ours = ((form(n, *fit(N, R, on_r=on_r).params.values()) - y) ** 2).sum()
    assert ours <= found.fun + 1e-9


def test_three_sizes_are_interpolated_and_said_to_be():
    fit = fit_power(N[1:4], R[1:4])
    assert fit.rmse_n_eff == pytest.approx(0, abs=1e-6)
    assert fit.flags == ["interpolates"]


def test_two_sizes_are_too_few_for_three_parameters():
    fit = fit_logistic(N[1:3], R[1:3])
    assert np.isnan(list(fit.params.values())).all()
    assert fit.flags == ["few_sizes"]
