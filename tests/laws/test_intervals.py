"""The item bootstrap against resampled rows, and its coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from headcount.laws.least_squares import Bounds, fit_curves
from headcount.measures.intervals import (
    Jackknife,
    Percentile,
    bootstrap_means,
    clipped,
    jackknife_error,
    percentile_interval,
)


@given(st.integers(1, 20), st.integers(0, 99))
def test_weighted_means_are_means_of_the_items_drawn(items, seed):
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((items, 3)) < 0.3, np.nan, rng.random((items, 3)))
    drawn = rng.integers(0, items, (5, items))
    weights = np.array([np.bincount(rows, minlength=items) for rows in drawn], dtype=float)
    for row, mean in zip(drawn, bootstrap_means(values, weights), strict=True):
        for column in range(3):
            known = values[row, column][np.isfinite(values[row, column])]
            assert mean[column] == pytest.approx(known.mean() if known.size else np.nan, nan_ok=True)


def test_one_missing_value_spreads_to_nothing():
    values = np.array([[1.0, np.nan], [3.0, 5.0]])
    assert bootstrap_means(values, np.ones((1, 2))).tolist() == [[2, 5]]
    assert np.isnan(bootstrap_means(values, np.array([[1.0, 0.0]]))).tolist() == [[False, True]]


def test_weights_are_a_draw_with_replacement_and_honour_their_generator():
    one, same, other = (Percentile(50).weights(40, np.random.default_rng(s)) for s in (1, 1, 2))
    assert (one.sum(axis=1) == 40).all()
    assert (one == same).all()
    assert (one != other).any()
    assert one.var() == pytest.approx(1 - 1 / 40, rel=0.1)


def test_percentiles_leave_out_draws_without_a_value():
    draws = np.c_[np.arange(101.0), np.full(101, np.nan), np.r_[np.arange(100.0), np.nan]]
    low, high = percentile_interval(draws, 0.9)
    assert (low[0], high[0]) == pytest.approx((5, 95))
    assert np.isnan([low[1], high[1]]).all()
    assert (low[2], high[2]) == pytest.approx((4.95, 94.05))


def test_no_draws_give_no_interval():
    assert np.isnan(percentile_interval(np.empty((0, 2)))).all()


def interval(method, values, estimator, level=0.95, seed=0):
    """Low, high and the estimates behind them."""
    return method(values, estimator, method.weights(len(values), np.random.default_rng(seed)), level)


@given(st.integers(3, 60), st.integers(0, 99))
def test_the_jackknife_of_a_mean_is_students_interval(items, seed):
    """With as many groups as items; SciPy is the judge."""
    values = np.random.default_rng(seed).normal(size=(items, 1))
    low, high, _ = interval(Jackknife(), values, lambda means: means)
    ends = stats.t.interval(0.95, items - 1, values.mean(), stats.sem(values[:, 0]))
    assert (low[0], high[0]) == pytest.approx(ends)


@given(st.integers(2, 40), st.integers(2, 12), st.integers(0, 99))
def test_each_group_is_left_out_once_and_groups_are_of_one_size(items, groups, seed):
    weights = Jackknife(groups).weights(items, np.random.default_rng(seed))
    assert weights.shape == (min(items, groups), items)
    assert ((weights == 0).sum(axis=0) == 1).all()
    assert np.ptp((weights == 0).sum(axis=1)) <= 1


def test_groups_are_left_out_as_one_would_by_hand():
    """Of a ratio of means, some values missing."""
    rng = np.random.default_rng(5)
    values = np.where(rng.random((23, 2)) < 0.2, np.nan, rng.uniform(1, 2, (23, 2)))
    method = Jackknife(6)
    weights = method.weights(23, np.random.default_rng(0))
    by_hand = []
    for row in weights:
        left = values[row == 1]
        by_hand.append(np.nanmean(left[:, 0]) / np.nanmean(left[:, 1]))
    error = np.sqrt(5 / 6 * sum((one - np.mean(by_hand)) ** 2 for one in by_hand))
    ratio = np.nanmean(values[:, 0]) / np.nanmean(values[:, 1])
    low, high, draws = method(values, lambda means: means[:, :1] / means[:, 1:], weights, 0.9)
    assert draws[:, 0] == pytest.approx(by_hand)
    assert (low[0], high[0]) == pytest.approx(stats.t.interval(0.9, 5, ratio, error))


@given(st.floats(-5, 5), st.floats(0.1, 5), st.integers(0, 99))
def test_the_jackknife_moves_and_stretches_with_the_values(shift, scale, seed):
    values = np.random.default_rng(seed).normal(size=(30, 2))
    one, other = (
        interval(Jackknife(10), those, lambda means: means, seed=seed) for those in (values, shift + scale * values)
    )
    for end in (0, 1):
        assert other[end] == pytest.approx(shift + scale * one[end])


def test_a_group_that_cannot_be_left_out_leaves_no_interval():
    values = np.where(np.arange(10)[:, None] == 3, 1.0, np.nan)
    low, high, _ = interval(Jackknife(), values, lambda means: means)
    assert np.isnan([low[0], high[0]]).all()
    assert np.isnan(jackknife_error(np.array([[1.0], [np.nan], [2.0]]))).all()
    assert np.isnan(jackknife_error(np.empty((0, 3)))).tolist() == [True] * 3


def test_items_without_a_value_make_nobody_surer():
    values = np.full((100, 1), np.nan)
    values[[3, 50, 77], 0] = 1.0, 2.0, 4.0
    low, high, _ = interval(Jackknife(), values, lambda means: means)
    ends = stats.t.interval(0.95, 2, 7 / 3, stats.sem([1.0, 2.0, 4.0]))
    assert (low[0], high[0]) == pytest.approx(ends)


def test_items_that_do_not_differ_bound_nothing():
    low, high, draws = interval(Jackknife(), np.full((30, 2), 0.3), lambda means: means.sum(axis=1, keepdims=True))
    assert np.isnan([low[0], high[0]]).all()
    assert draws[:, 0] == pytest.approx(0.6)


def test_no_weights_give_no_jackknife_either():
    low, high, draws = Jackknife()(np.ones((4, 2)), lambda means: means, np.empty((0, 4)), 0.95)
    assert np.isnan([low, high]).all()
    assert draws.shape == (0, 2)


def test_ends_stay_within_the_range_of_a_parameter():
    low, high = clipped(np.array([-0.2, 0.4]), np.array([0.3, 1.7]), 0.0, np.array([1.0, 1.5]))
    assert (low.tolist(), high.tolist()) == ([0, 0.4], [0.3, 1.5])


@pytest.mark.parametrize("method", [Percentile(100), Jackknife()], ids=lambda method: method.name)
def test_intervals_of_a_correlation_cover_it(method):
    """Agents who follow the item's answer with probability sqrt(.4) agree by .4."""
    rng, sizes, hits = np.random.default_rng(0), np.array([2, 3, 5, 10]), 0

    def estimator(means):
        r = 1 / (1 + (sizes - 1) * means)
        return fit_curves(sizes, r, Bounds(beta=(0, 0))).c[:, None]

    runs = 100
    for _ in range(runs):
        follows = rng.random((200, 10)) < np.sqrt(0.4)  # the same agents at every size
        f = np.stack([follows[:, :n].sum(axis=1) for n in sizes], axis=1)
        agreement = f * (f - 1) / (sizes * (sizes - 1))
        low, high, _ = method(agreement, estimator, method.weights(200, rng), 0.9)
        hits += low[0] <= 0.4 <= high[0]
    assert hits / runs == pytest.approx(0.9, abs=0.1)


@given(st.integers(0, 30), st.floats(0.5, 0.999), st.integers(0, 99))
def test_percentiles_are_numpys_of_the_draws_that_have_a_value(draws, level, seed):
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((draws, 5)) < 0.3, rng.choice([np.nan, np.inf]), rng.normal(size=(draws, 5)))
    ends = percentile_interval(values, level)
    for column in range(5):
        known = values[np.isfinite(values[:, column]), column]
        tails = [50 * (1 - level), 50 * (1 + level)]
        expected = np.percentile(known, tails) if known.size else [np.nan, np.nan]
        assert [end[column] for end in ends] == pytest.approx(list(expected), nan_ok=True)
