"""Intraclass correlation, Cronbach's alpha and split halves: a textbook's numbers, statsmodels, and known truths."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.anova import anova_lm

from headcount.ledger.reliability import cronbach_alpha, icc, icc_interval, split_half

# Six targets, four judges (Shrout and Fleiss 1979, Table 2); their ICC(2,1) is .29.
JUDGES = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)


def test_icc_of_shrout_and_fleiss():
    assert icc(JUDGES) == pytest.approx(0.29, abs=0.005)


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(3, 8), st.integers(2, 4))
def test_icc_is_that_of_the_two_way_analysis_of_variance(seed, n, k):
    ratings = np.random.default_rng(seed).normal(size=(n, k)) + np.random.default_rng(seed + 1).normal(size=(n, 1))
    frame = pd.DataFrame(
        {"y": ratings.ravel(), "target": np.repeat(np.arange(n), k), "rater": np.tile(np.arange(k), n)}
    )
    squares = anova_lm(smf.ols("y ~ C(target) + C(rater)", frame).fit())
    msb, msj, mse = (squares.loc[name, "mean_sq"] for name in ("C(target)", "C(rater)", "Residual"))
    assert icc(ratings) == pytest.approx((msb - mse) / (msb + (k - 1) * mse + k * (msj - mse) / n))


def test_icc_counts_a_shift_between_passes_against_agreement():
    first = np.random.default_rng(0).random(50)
    assert icc(np.stack([first, first], axis=1)) == pytest.approx(1.0)
    assert icc(np.stack([first, first + 0.5], axis=1)) < 0.7


def test_rows_with_a_hole_are_left_out_and_nothing_says_nothing():
    holed = np.vstack([JUDGES, [np.nan, 1, 2, 3]])
    assert icc(holed) == icc(JUDGES)
    assert cronbach_alpha(holed) == cronbach_alpha(JUDGES)
    assert np.isnan([icc(np.ones((5, 2))), icc(JUDGES[:1]), icc(JUDGES[:, :1]), cronbach_alpha(np.ones((4, 3)))]).all()


def test_interval_of_icc_is_wider_when_a_questions_agents_are_drawn_together():
    rng = np.random.default_rng(4)
    question = np.repeat(rng.normal(size=40), 3)[:, None]
    passes = question + 0.5 * rng.normal(size=(120, 2))
    low, high = icc_interval(passes, np.random.default_rng(0))
    wide = icc_interval(passes, np.random.default_rng(0), np.repeat(np.arange(40), 3))
    assert wide[0] < low < icc(passes) < high < wide[1]


def test_a_draw_of_every_target_once_is_the_estimate():
    """Targets drawn in clusters of which there is one: every draw is the data."""
    assert icc_interval(JUDGES, np.random.default_rng(0), np.zeros(6, dtype=int), 10) == pytest.approx(
        (icc(JUDGES),) * 2
    )


@given(st.integers(0, 2**32 - 1), st.integers(2, 8))
def test_cronbach_alpha_is_the_standard_formula_of_covariances(seed, k):
    items = np.random.default_rng(seed).normal(size=(12, k)) + np.random.default_rng(seed + 9).normal(size=(12, 1))
    covariance = np.cov(items, rowvar=False)
    expected = k / (k - 1) * (1 - np.trace(covariance) / covariance.sum())
    assert cronbach_alpha(items) == pytest.approx(expected)
    assert cronbach_alpha(np.repeat(items[:, :1], k, axis=1)) == pytest.approx(1.0)


def test_split_half_of_one_split_is_spearman_and_browns():
    values = np.random.default_rng(5).random((9, 2))
    r = np.corrcoef(values.T)[0, 1]
    assert split_half(values, np.random.default_rng(0), 1) == pytest.approx(2 * r / (1 + r))


def test_split_half_comes_near_the_reliability_of_parallel_parts():
    """Parts = truth + noise of variance v: the mean of k parts has reliability 1 / (1 + v / k)."""
    rng = np.random.default_rng(6)
    values = rng.normal(size=(4000, 1)) + np.sqrt(2.0) * rng.normal(size=(4000, 8))
    assert split_half(values, rng, 20) == pytest.approx(1 / (1 + 2.0 / 8), abs=0.02)
    assert split_half(values, rng, 20) == pytest.approx(cronbach_alpha(values), abs=0.01)


@given(st.integers(0, 2**32 - 1))
def test_split_half_by_rank_is_unmoved_by_a_monotone_scale_of_whole_units(seed):
    rng = np.random.default_rng(seed)
    values = np.repeat(rng.random((6, 1)), 5, axis=1)  # every part of a unit alike
    assert split_half(values, rng, 5, ranks=True) == pytest.approx(1.0)
    assert np.isnan(split_half(values[:2], rng))
    holed = values.copy()
    holed[0, 0] = np.nan
    assert split_half(holed, rng, 5) == pytest.approx(1.0)
