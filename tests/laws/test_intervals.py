"""The item bootstrap against resampled rows, and its coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.laws.least_squares import Bounds, fit_curves
from headcount.measures.intervals import Percentile, bootstrap_means, percentile_interval


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


def test_intervals_of_a_correlation_cover_it():
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
        method = Percentile(100)
        low, high, _ = method(agreement, estimator, method.weights(200, rng), 0.9)
        hits += low[0] <= 0.4 <= high[0]
    assert hits / runs == pytest.approx(0.9, abs=0.1)
