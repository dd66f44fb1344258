"""Associations by rank and their tests, against SciPy, statsmodels and brute force."""

from itertools import permutations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from published_ledger import RATE, columns, families, model_rows
from scipy import stats

from headcount.ledger.families import effective_families, family_bootstrap
from headcount.ledger.partials import rank_partial, rank_partial_test
from headcount.ledger.permutations import permute, rank_test
from headcount.ledger.ranks import (
    associate,
    bonett_wright_interval,
    fisher_interval,
    power,
    rank_correlation,
    rows_for_power,
)


def two_columns():
    return st.integers(3, 5).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n).map(np.array)] * 2)
    )


@settings(max_examples=25)
@given(two_columns())
def test_permutation_counts_are_those_of_every_arrangement(pair):
    x, y = pair
    test = rank_test(x, y)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan([test.statistic, test.p_two_sided, test.p_one_sided]).all()
        return
    observed = stats.spearmanr(x, y).statistic
    all_of_them = [stats.spearmanr(x, order).statistic for order in permutations(y.tolist())]
    assert test.as_extreme == sum(abs(rho) >= abs(observed) - 1e-9 for rho in all_of_them)
    sign = -1 if test.statistic < 0 else 1
    assert test.as_directed == sum(sign * rho >= abs(observed) - 1e-9 for rho in all_of_them)


def test_permutation_p_is_that_of_scipy():
    x, y = columns(families().drop("Meta"), "alpha", "init_acc")
    scipy = stats.permutation_test(
        (x,),
        lambda order: rank_correlation(order, y),
        permutation_type="pairings",
        n_resamples=np.inf,
        vectorized=False,
    )
    assert rank_test(x, y).p_two_sided == pytest.approx(scipy.pvalue)


@given(two_columns(), st.floats(0.1, 3))
def test_ranks_alone_count(pair, scale):
    x, y = pair
    test, moved = rank_test(x, y), rank_test(np.exp(scale * x), y)
    assert (moved.as_extreme, moved.as_directed) == (test.as_extreme, test.as_directed)
    turned = rank_test(-x, y)
    assert turned.statistic == pytest.approx(-test.statistic, nan_ok=True)
    assert turned.as_extreme == test.as_extreme


def test_random_orders_come_near_all_orders():
    x, y = columns(families(), "debate_revision_proxy", RATE)
    sampled = rank_test(x, y, np.random.default_rng(7), exact_up_to=6, draws=20_000)
    assert not sampled.exact
    assert sampled.p_two_sided == pytest.approx(444 / 5040, abs=0.009)


def test_a_permutation_test_of_a_mean_difference_is_fishers_exact_test():
    first = np.array([1, 1, 1, 1, 0, 1, 0, 0, 0])  # 4 of 5 against 1 of 4
    test = permute(lambda orders: first[orders][:, :5].sum(axis=1) - 25 / 9, 9)
    assert test.p_one_sided == pytest.approx(stats.fisher_exact([[4, 1], [1, 3]], alternative="greater").pvalue)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_rank_partial_is_the_t_test_of_a_regression_on_ranks(seed, controls):
    data = np.random.default_rng(seed).normal(size=(2 + controls, 12))
    partial = rank_partial(data[0], data[1], list(data[2:]))
    ranks = stats.rankdata(data, axis=1)
    fit = sm.OLS(ranks[1], sm.add_constant(np.stack([ranks[0], *ranks[2:]], axis=1))).fit()
    assert partial.df == fit.df_resid
    assert partial.p_t == pytest.approx(fit.pvalues[1], abs=1e-9)
    assert partial.rho * np.sqrt(partial.df / (1 - partial.rho**2)) == pytest.approx(fit.tvalues[1], rel=1e-6, abs=1e-9)


def test_a_control_that_says_all_of_x_leaves_nothing():
    x = np.arange(6.0)
    partial, test = rank_partial(x, x[::-1] ** 2, [3 * x]), rank_partial_test(x, x[::-1] ** 2, [3 * x])
    assert np.isnan([partial.rho, partial.p_t, test.statistic, test.p_two_sided]).all()


def test_rank_partial_without_controls_is_spearman():
    x, y = columns(families(), "alpha", RATE)
    without, plain = rank_partial_test(x, y, []), rank_test(x, y)
    assert without.statistic == pytest.approx(plain.statistic)
    assert (without.as_extreme, without.as_directed) == (plain.as_extreme, plain.as_directed)


@given(st.floats(-0.95, 0.95), st.integers(6, 50))
def test_bonett_wright_is_wider_than_fisher_and_both_hold_rho(rho, n):
    low, high = fisher_interval(rho, n)
    wide_low, wide_high = bonett_wright_interval(rho, n)
    assert wide_low <= low < rho < high <= wide_high
    assert (low, high) == pytest.approx(tuple(stats.pearsonr(*correlated(rho, n)).confidence_interval()), abs=1e-6)


def correlated(rho, n):
    """Two columns of n rows whose Pearson correlation is exactly rho."""
    x = np.linspace(-1, 1, n)
    other = x**2 - np.mean(x**2)
    return x / np.linalg.norm(x), rho * x / np.linalg.norm(x) + np.sqrt(1 - rho**2) * other / np.linalg.norm(other)


def test_no_interval_where_there_is_none():
    assert np.isnan(fisher_interval(1.0, 9)).all()
    assert np.isnan(fisher_interval(0.5, 3)).all()
    assert np.isnan(power(0.5, 4, controls=1))
    with pytest.raises(ValueError, match="no number of rows"):
        rows_for_power(0.0)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=20))
def test_effective_families_lie_between_one_and_their_number(labels):
    assert 1 - 1e-12 <= effective_families(labels) <= len(set(labels)) + 1e-12


def test_family_bootstrap_draws_whole_families():
    rows = model_rows()
    low, high, known = family_bootstrap(rows, "alpha", RATE, np.random.default_rng(3), draws=500)
    assert -1 <= low < associate(rows["alpha"], rows[RATE]).rho <= high <= 1
    assert 0.9 < known <= 1
    alone = rows[rows["family"] == "Qwen"]  # one family: every draw is the rows themselves
    assert family_bootstrap(alone, "alpha", RATE, np.random.default_rng(3), draws=20)[:2] == pytest.approx(
        (associate(alone["alpha"], alone[RATE]).rho,) * 2
    )
