"""Information criteria against statsmodels, and errors at sizes left out against refits one at a time."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.tools import eval_measures

from headcount.laws.compared import COMPARED
from headcount.laws.forms import ringelmann
from headcount.laws.quality import aicc, bic, held_out_errors, left_out_errors

N = np.array([2, 3, 5, 7, 10, 15, 20, 30])
N_EFF = N * ringelmann(N, 0.4, 0.2) * (1 + 0.02 * np.random.default_rng(0).standard_normal(N.size))


@given(st.integers(1, 4), st.integers(7, 40), st.integers(0, 99))
def test_criteria_are_statsmodels_but_for_their_constant(parameters, points, seed):
    rng = np.random.default_rng(seed)
    fit = sm.OLS(rng.standard_normal(points), rng.standard_normal((points, parameters))).fit()
    constant = points * (np.log(2 * np.pi) + 1)
    of_variance = parameters + 1
    assert aicc(fit.ssr, points, parameters) + constant == pytest.approx(
        eval_measures.aicc(fit.llf, points, of_variance)
    )
    assert bic(fit.ssr, points, parameters) + constant == pytest.approx(eval_measures.bic(fit.llf, points, of_variance))


def test_criteria_have_no_value_with_too_few_points_or_no_error():
    assert np.isnan(aicc(0.1, 5, 3))
    assert np.isfinite(aicc(0.1, 6, 3))
    assert np.isnan(bic(0.1, 3, 3))
    assert np.isfinite(bic(0.1, 4, 3))
    assert np.isnan([aicc(0.0, 8, 2), bic(0.0, 8, 2), aicc(np.nan, 8, 2), bic(np.nan, 8, 2)]).all()


@pytest.mark.parametrize("law", COMPARED)
def test_errors_at_left_out_sizes_are_those_of_refits_without_them(law):
    errors = left_out_errors(N, N_EFF, COMPARED[law].predict)
    for place, n in enumerate(N):
        rest = np.delete(np.arange(N.size), place)
        refit = COMPARED[law].predict(N[rest], (N_EFF / N)[None, rest], np.array([n]))[0, 0]
        assert errors[place] == pytest.approx(refit / N_EFF[place] - 1, abs=1e-6)


def test_a_law_that_holds_predicts_every_left_out_size():
    n_eff = N * ringelmann(N, 0.4, 0.2)
    assert left_out_errors(N, n_eff, COMPARED["ringelmann"].predict) == pytest.approx(0, abs=1e-8)


def test_too_few_others_predict_nothing():
    assert np.isnan(left_out_errors(N[:3], N_EFF[:3], COMPARED["power"].predict)).all()
    assert np.isnan(left_out_errors(N[:2], N_EFF[:2], COMPARED["ringelmann"].predict)).all()
    assert np.isfinite(left_out_errors(N[:2], N_EFF[:2], COMPARED["kish"].predict)).all()


def test_held_out_errors():
    rmse, share = held_out_errors(np.array([2.0, 4.0, np.nan, 1.0]), np.array([1.0, 5.0, 3.0, np.nan]))
    assert (rmse, share) == pytest.approx((1.0, (1 / 2 + 1 / 4) / 2))
    assert np.isnan(held_out_errors(np.array([np.nan]), np.array([1.0]))).all()


def test_the_papers_worked_example_is_off_by_four_percent():
    """arXiv 2606.02646, K.1: predicted 1.72, observed 1.79."""
    assert held_out_errors(np.array([1.79]), np.array([1.72]))[1] == pytest.approx(0.04, abs=0.005)
