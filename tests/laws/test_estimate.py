"""Point estimates: what they say of ordinary, extreme and insufficient curves."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.laws.estimate import fit_all, fit_kish, fit_ringelmann
from headcount.laws.fit import r_squared, regime
from headcount.laws.flags import FLAGS, check
from headcount.laws.forms import kish, ringelmann

N = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30])
LAWS = {
    "ringelmann",
    "ringelmann_free",
    "kish",
    "latane_slope",
    "latane",
    "power",
    "power_on_r",
    "logistic",
    "logistic_on_r",
}


@given(st.floats(0.01, 4), st.floats(-0.9, 0.99))
def test_an_exact_curve_is_recovered_and_explained(c, beta):
    fit = fit_ringelmann(N, ringelmann(N, c, beta), free=True)
    assert (fit.params["c"], fit.params["beta"]) == pytest.approx((c, beta), abs=1e-6)
    assert fit.r2 == pytest.approx(1)
    assert fit.rmse_n_eff == pytest.approx(0, abs=1e-6)


@given(st.floats(0.01, 1))
def test_kish_recovers_a_constant_correlation(rho):
    assert fit_kish(N, kish(N, rho)).params["rho"] == pytest.approx(rho)


def test_consensus_is_one_agent_at_every_size():
    fit = fit_ringelmann(N, 1 / N)
    assert (fit.params["c"], fit.params["beta"]) == pytest.approx((1, 0), abs=1e-9)
    assert (fit.regime, fit.flags) == ("hard_ceiling", [])


def test_independence_leaves_beta_open():
    fit = fit_ringelmann(N, np.ones(N.size))
    assert fit.params["c"] == 0
    assert np.isnan(fit.params["beta"])
    assert fit.regime is None
    assert fit.flags == ["beta_unidentified", "r2_undefined"]


def test_one_size_has_a_correlation_and_no_exponent():
    n, r = np.array([1, 5]), np.array([1, 0.4])
    fit = fit_ringelmann(n, r)
    assert np.isnan([fit.params["c"], fit.params["beta"]]).all()
    assert fit.flags == ["one_size"]
    assert fit_kish(n, r).params["rho"] == pytest.approx(0.375)


def test_two_sizes_are_interpolated_and_said_to_be():
    fit = fit_ringelmann(np.array([2, 10]), np.array([0.7, 0.3]))
    assert fit.rmse_n_eff == pytest.approx(0, abs=1e-9)
    assert fit.flags == ["two_sizes"]


def test_a_size_without_a_value_is_left_out_and_said_to_be():
    r = ringelmann(N, 0.4, 0.2)
    fit = fit_ringelmann(N, np.where(N == 7, np.nan, r))
    assert (fit.params["c"], fit.params["beta"]) == pytest.approx((0.4, 0.2))
    assert fit.flags == ["size_without_value"]


def test_a_rising_correlation_is_flagged_and_the_free_fit_shows_it():
    r = ringelmann(N, 0.5, -0.09)
    assert fit_ringelmann(N, r).flags == ["beta_at_lower_bound"]
    assert fit_ringelmann(N, r, free=True).params["beta"] == pytest.approx(-0.09)


@pytest.mark.parametrize(
    ("beta", "name"),
    [
        (-0.3, "hard_ceiling"),
        (0, "hard_ceiling"),
        (0.1, "hard_ceiling"),
        (0.11, "sublinear"),
        (0.99, "sublinear"),
        (1, "linear"),
        (np.nan, None),
    ],
)
def test_regimes(beta, name):
    assert regime(beta) == name


def test_r2_is_the_squared_correlation_of_a_linear_fit():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 20))
    model = np.polyval(np.polyfit(x, y, 1), x)
    assert r_squared(y, model) == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2)
    assert np.isnan(r_squared(np.ones(3), np.ones(3)))


@settings(max_examples=10)
@given(
    st.lists(st.sampled_from([1, 2, 3, 5, 10, 30]), min_size=1, max_size=6, unique=True),
    st.sampled_from(["nan", "consensus", "independent", "law", "noise"]),
    st.integers(0, 9),
)
def test_no_curve_crashes_and_every_answer_is_json(sizes, kind, seed):
    n = np.array(sizes)
    n_eff = {
        "nan": np.full(n.size, np.nan),
        "consensus": np.ones(n.size),
        "independent": n.astype(float),
        "law": n * ringelmann(n, 0.3, 0.2),
        "noise": np.random.default_rng(seed).uniform(1, n),
    }[kind]
    result = fit_all(n, n_eff)
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert set(result["laws"]) == LAWS
    assert {flag for law in result["laws"].values() for flag in law["flags"]} <= set(FLAGS)


def test_a_flag_must_have_a_meaning():
    assert check(["one_size", "no_sizes", "one_size"]) == ["no_sizes", "one_size"]
    with pytest.raises(KeyError, match="unheard_of"):
        check(["unheard_of"])
