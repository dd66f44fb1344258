"""p-values against SciPy, statsmodels, counts, and what is printed."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.weightstats import ztost

from headcount.laws.p_values import bootstrap_p, mcnemar_p, tost_p


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_that_of_statsmodels_and_the_binomial_test(b, c):
    ours = mcnemar_p(np.array(b), np.array(c))
    assert ours == pytest.approx(mcnemar([[0, b], [c, 0]], exact=True).pvalue)
    assert ours == pytest.approx(binomtest(b, b + c).pvalue if b + c else 1)
    assert ours == mcnemar_p(np.array(c), np.array(b))


@pytest.mark.parametrize(("task", "only_first", "only_second"), [("gsm_hard", 66, 47), ("gpqa", 8, 9)])
def test_printed_p_values_of_process_loss_follow_from_the_printed_accuracies(published, task, only_first, only_second):
    """Table 7: the exact test on counts that agree with the printed difference gives the printed p-value."""
    row = pd.read_csv(published / "table07_steiner.csv").set_index("task").loc[task]
    items = {"gsm_hard": 1017, "gpqa": 198}[task]
    assert 100 * (only_first - only_second) / items == pytest.approx(row["pl_social_pp"], abs=0.05)
    assert mcnemar_p(np.array(only_first), np.array(only_second)) == pytest.approx(row["p_value"], abs=5e-4)


def test_printed_equivalence(published_checks):
    (check,) = published_checks("max one-sided normal p at +-5pp")
    low, high = check.inputs["ci"]
    error = np.array((high - low) / (2 * norm.ppf(0.975)))
    ours = tost_p(np.array(check.inputs["diff"]), error, check.inputs["margin"])
    assert ours == pytest.approx(check.recomputed, rel=1e-3)
    assert ours < check.printed  # an upper bound there


def test_all_printed_process_losses_are_equivalences(published):
    """p < .02 on all three tasks (arXiv 2606.02646, section 5.4), from the intervals of Table 7."""
    rows = pd.read_csv(published / "table07_steiner.csv")
    error = (rows["pl_social_ci_high"] - rows["pl_social_ci_low"]) / (2 * norm.ppf(0.975))
    ours = tost_p(rows["pl_social_pp"].to_numpy(), error.to_numpy(), 5.0)
    assert len(ours) == 3
    assert (ours < 0.02).all()


@given(st.integers(0, 9999), st.floats(0.01, 0.3))
def test_equivalence_is_that_of_statsmodels_on_complete_data(seed, margin):
    rng = np.random.default_rng(seed)
    first, second = rng.random((2, 60)) < 0.6
    difference = first.astype(float) - second
    error = difference.std(ddof=1) / np.sqrt(difference.size)
    expected, *_ = ztost(difference, -margin, margin)
    assert tost_p(difference.mean(), error, margin) == pytest.approx(expected, abs=1e-12)


def test_without_spread_nothing_is_equivalent():
    assert np.isnan(tost_p(np.zeros(2), np.array([0.0, np.nan]), 0.05)).all()


def test_bootstrap_p_counts_draws_on_the_lesser_side():
    draws = np.array([[0.1, 0.0, -1.0, np.nan], [0.2, 0.0, -1.0, np.nan], [-0.1, 0.0, np.nan, np.nan]])
    assert bootstrap_p(draws) == pytest.approx([2 * 2 / 4, 1, 2 * 1 / 3, np.nan], nan_ok=True)


@given(st.integers(0, 999))
def test_bootstrap_p_has_no_favourite_side_and_is_never_0(seed):
    draws = np.random.default_rng(seed).normal(0.5, 1, (99, 3)).round(1)
    p = bootstrap_p(draws)
    assert p.tolist() == bootstrap_p(-draws).tolist()
    assert ((p >= 2 / 100) & (p <= 1)).all()


def test_bootstrap_p_is_near_the_normal_one():
    draws = np.random.default_rng(0).normal(1, 1, (200_000, 1))
    assert bootstrap_p(draws)[0] == pytest.approx(2 * norm.sf(1), abs=0.005)


def test_no_draws_no_p():
    assert np.isnan(bootstrap_p(np.empty((0, 2)))).all()
