"""Correlation of correctness against pairs counted one by one, Fleiss' kappa, and the variance of items."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.inter_rater import fleiss_kappa

from headcount.measures.correctness import (
    icc,
    icc_change,
    icc_conditioned,
    n_eff_correctness,
    right_in_pairs,
    squared_accuracy,
)

COMPLETE = arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(2, 7)), elements=st.sampled_from([0.0, 1.0]))
WITH_GAPS = arrays(
    np.float64, st.tuples(st.integers(2, 12), st.integers(2, 7)), elements=st.sampled_from([0.0, 1.0, np.nan])
)


def counts(x):
    """Pairs whose first agent is right, who are both right, and who both answered; each (items,)."""
    right, valid = np.nansum(x, axis=1), np.isfinite(x).sum(axis=1)
    pairs = valid * (valid - 1) / 2
    return right_in_pairs(right, valid, pairs), right * (right - 1) / 2, pairs


def of(x):
    return icc(*(count.sum() for count in counts(x)))


def of_pairs(x):
    """By definition: every pair of agents of an item, both orders."""
    answered = [[value for value in row if value == value] for row in x]
    ordered = [pair for row in answered for pair in permutations(row, 2)]
    p, products = np.mean([a for a, _ in ordered]), [a * b for a, b in ordered]
    return (np.mean(products) - p**2) / (p * (1 - p))


def of_pairs_accuracy(x):
    """Share of right agents among those of pairs; NaN without any."""
    right, _, pairs = (count.sum() for count in counts(x))
    return right / pairs if pairs else np.nan


def varies(x):
    return 0 < np.nanmean(x) < 1


@given(WITH_GAPS)
def test_icc_is_that_of_all_pairs(x):
    assume(0 < of_pairs_accuracy(x) < 1)
    assert of(x) == pytest.approx(of_pairs(x))


@given(COMPLETE, st.randoms(use_true_random=False))
def test_agents_of_one_mind_are_one_voter_whoever_is_silent(x, random):
    assume(varies(x[:, :1]))
    alike = np.repeat(x[:, :1], 6, axis=1)
    for row in alike:
        row[random.sample(range(6), random.randint(0, 4))] = np.nan
    assert of(alike) == pytest.approx(1)


@given(COMPLETE)
def test_icc_of_complete_data_is_fleiss_kappa(x):
    assume(varies(x))
    table = np.stack([x.sum(axis=1), (1 - x).sum(axis=1)], axis=1)
    assert of(x) == pytest.approx(fleiss_kappa(table, method="fleiss"), abs=1e-12)


@given(COMPLETE)
def test_icc_of_complete_data_follows_from_the_variance_of_items(x):
    assume(varies(x))
    n, p, v = x.shape[1], x.mean(), x.mean(axis=1).var()
    rho = of(x)
    assert rho == pytest.approx((n * v / (p * (1 - p)) - 1) / (n - 1), abs=1e-12)
    assert -1 / (n - 1) - 1e-9 <= rho <= 1 + 1e-9
    if v > 1e-6:
        assert n_eff_correctness(n, rho) == pytest.approx(p * (1 - p) / v)


@given(WITH_GAPS, st.randoms(use_true_random=False))
def test_order_of_agents_and_items_changes_nothing(x, random):
    shuffled = [random.sample(list(row), len(row)) for row in x]
    random.shuffle(shuffled)
    np.testing.assert_allclose(of(np.array(shuffled)), of(x), atol=1e-12)


def test_icc_has_shape_of_its_counts_and_no_value_where_nothing_varies():
    x = np.array([[[1, 0], [1, 1]], [[1, 1], [1, 1]], [[0, 0], [0, 0]]], dtype=float)
    sums = zip(*(counts(data) for data in x), strict=True)
    values = icc(*(np.array(count).sum(axis=1) for count in sums))
    assert values.shape == (3,)
    assert np.isfinite(values).tolist() == [True, False, False]
    assert np.isnan(icc(*map(np.array, (0.0, 0.0, 0.0))))  # teams of one


def test_items_alike_leave_no_finite_effective_size():
    x = np.array([[1.0, 0.0, 0.0]] * 4)
    assert of(x) == pytest.approx(-1 / 2)
    assert np.isnan(n_eff_correctness(3, of(x)))
    assert np.isnan(n_eff_correctness(3, np.array(-0.7)))


def test_effective_size_of_a_team_of_one_is_one_and_of_agents_alike_too():
    n = np.array([1, 2, 5])
    assert n_eff_correctness(n, np.array([np.nan, 1.0, 1.0])).tolist() == [1, 1, 1]
    assert n_eff_correctness(n, np.zeros(3)).tolist() == [1, 2, 5]


def test_a_known_correlation_comes_back():
    """Agents who are right by the item's draw with probability sqrt(.3), else by their own: correlation .3."""
    rng = np.random.default_rng(0)
    shared = rng.random((40_000, 1)) < 0.6
    follows = rng.random((40_000, 6)) < np.sqrt(0.3)
    x = np.where(follows, shared, rng.random((40_000, 6)) < 0.6).astype(float)
    assert of(x) == pytest.approx(0.3, abs=0.01)


@given(st.integers(0, 9), st.integers(1, 9))
def test_squared_accuracy(m, n):
    assume(m <= n)
    assert squared_accuracy(*(np.array(float(count)) for count in (m, n, m * (m - 1) / 2))) == pytest.approx(
        (m / n) ** 2
    )


def means(first, last):
    """Means over items of pairs both right and of round 1, by definition."""

    def pairs(x):
        return np.mean([np.mean([a * b for a, b in combinations(row, 2)]) for row in x])

    p1 = first.mean(axis=1)
    return {"both": pairs(last), "first": p1.mean(), "squared": (p1**2).mean(), "both_first": pairs(first)}


@given(COMPLETE)
def test_where_nothing_changes(x):
    mean = means(x, x)
    assume(mean["first"] - mean["both_first"] > 1e-9)  # some team is of two minds
    paper = icc_conditioned(mean["both"], mean["first"], mean["squared"])
    assert paper == pytest.approx(-1 / (x.shape[1] - 1))
    assert icc_change(mean["both"], mean["first"], mean["both_first"]) == pytest.approx(0, abs=1e-9)


def test_where_teams_become_of_one_mind_at_the_accuracy_they_had():
    first = np.array([[1, 1, 0, 0], [1, 1, 0, 0]], dtype=float)
    last = np.array([[1, 1, 1, 1], [0, 0, 0, 0]], dtype=float)
    mean = means(first, last)
    assert icc_change(mean["both"], mean["first"], mean["both_first"]) == pytest.approx(1)
    assert icc_conditioned(mean["both"], mean["first"], mean["squared"]) == pytest.approx(1)


def test_conditioned_correlations_may_exceed_one_and_need_teams_of_two_minds():
    mean = means(np.array([[1.0, 0.0, 0.0]]), np.ones((1, 3)))
    assert icc_conditioned(mean["both"], mean["first"], mean["squared"]) > 1
    mean = means(np.ones((2, 3)), np.ones((2, 3)))
    assert np.isnan(icc_conditioned(mean["both"], mean["first"], mean["squared"]))
    assert np.isnan(icc_change(mean["both"], mean["first"], mean["both_first"]))


def test_the_papers_conditioned_correlation_is_high_for_agents_who_never_talk():
    """Why `icc_change` stands beside it, and why neither shows talk: independent agents whose accuracy rises."""
    rng = np.random.default_rng(1)
    p = rng.beta(2, 2, 5000)[:, None]
    first, last = (rng.random((5000, 10)) < q for q in (p, np.sqrt(p)))
    mean = means(first.astype(float)[:400], last.astype(float)[:400])
    assert icc_conditioned(mean["both"], mean["first"], mean["squared"]) > 0.9
