"""Intervals and their scales on numbers that can be worked out by hand, and what has no interval."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from headcount.measures.intervals import (
    INTERVALS,
    Jackknife,
    Percentile,
    bootstrap_means,
    clipped,
    jackknife_error,
    percentile_interval,
    shared_weights,
)
from headcount.measures.scales import (
    ANY,
    DIFFERENCE,
    KISH,
    LOG,
    OF_TEAM,
    POSITIVE,
    SHARE,
    Scale,
    Scales,
    scaled_interval,
)

NAN, INF = np.nan, np.inf


@pytest.fixture(autouse=True)
def _no_warnings():
    """What has no value is NaN without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def same(estimates):
    return estimates


def test_the_two_kinds_of_intervals_by_name():
    assert INTERVALS["percentile"](7) == Percentile(7)
    assert INTERVALS["jackknife_t"](7) == Jackknife()
    assert (Percentile().draws, Percentile().name) == (300, "percentile")
    assert (Jackknife().groups, Jackknife().name) == (100, "jackknife_t")


def test_item_weights_are_those_of_their_seed_team_and_task():
    """Pinned: published intervals rest on them."""
    asked = [(1, "a", "t"), (2, "a", "t"), (1, "b", "t"), (1, "a", "u")]
    drawn = [shared_weights(Percentile(2), 4, *key).tolist() for key in asked]
    assert drawn[0] == [[0.0, 1.0, 2.0, 1.0], [1.0, 1.0, 2.0, 0.0]]
    assert all(one != drawn[0] for one in drawn[1:])
    assert shared_weights(Percentile(2), 4, 1, "a", "t").tolist() == drawn[0]
    assert shared_weights(Jackknife(2), 4, 1, "a", "t").sum(axis=0).tolist() == [1, 1, 1, 1]


def test_weights_of_a_jackknife_leave_out_groups_of_one_size():
    weights = Jackknife(2).weights(5, np.random.default_rng(0))
    assert weights.shape == (2, 5)
    assert sorted(weights.sum(axis=1)) == [2, 3]
    assert Jackknife(1).weights(3, np.random.default_rng(0)).tolist() == [[0, 0, 0]]
    assert Jackknife().weights(0, np.random.default_rng(0)).shape == (0, 0)
    assert weights.dtype == np.float64


def test_weighted_means_by_hand():
    values = np.array([[1.0, NAN, NAN], [3.0, 5.0, NAN]])
    weights = np.array([[1.0, 1.0], [3.0, 1.0], [0.5, 0.0]])
    assert_allclose(bootstrap_means(values, weights), [[2, 5, NAN], [1.5, 5, NAN], [1, NAN, NAN]])


@pytest.mark.parametrize(
    ("draws", "level", "low", "high"),
    [
        ([4, 0, 3, 1, 2], 0.5, 1, 3),
        ([4, 0, 3, 1, 2], 0.9, 0.2, 3.8),
        ([4, NAN, 3, INF, 2, -INF], 0.5, 2.5, 3.5),
        ([7], 0.5, 7, 7),
        ([NAN, INF], 0.5, NAN, NAN),
        ([], 0.5, NAN, NAN),
    ],
)
def test_percentiles_between_draws(draws, level, low, high):
    ends = percentile_interval(np.array(draws, float)[:, None], level)
    assert_allclose(np.ravel(ends), [low, high])


def test_ends_of_95_percent_unless_told():
    assert_allclose(np.ravel(percentile_interval(np.arange(41.0)[:, None])), [1, 39])


def test_errors_of_a_jackknife_by_hand():
    assert_allclose(jackknife_error(np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])), [np.sqrt(4 / 3), 0])
    assert_allclose(jackknife_error(np.array([[1.0], [3.0]])), [1])
    assert_allclose(jackknife_error(np.array([[1.0, 2.0]])), [NAN, NAN])
    assert_allclose(jackknife_error(np.array([[1.0], [NAN], [3.0]])), [NAN])


@pytest.mark.parametrize("scales", [None, Scales.of([ANY])])
def test_the_jackknife_of_three_items(scales):
    """Means without one of 1, 2 and 6 are 4, 3.5 and 1.5; t with two degrees of freedom."""
    values, method = np.array([[1.0], [2.0], [6.0]]), Jackknife()
    low, high, left = method(values, same, method.weights(3, np.random.default_rng(0)), 0.9, scales)
    margin = stats.t.ppf(0.95, 2) * np.sqrt(2 / 3 * (1 + 0.25 + 2.25))
    assert_allclose([low[0], high[0]], [3 - margin, 3 + margin])
    assert sorted(left[:, 0]) == [1.5, 3.5, 4]


@pytest.mark.parametrize("one", [0.3, 1000.0, -1000.0])
def test_items_that_all_say_the_same_bound_nothing_whatever_they_say(one):
    values, method = np.tile([one, 0.7], (4, 1)), Jackknife()
    low, high, left = method(values, same, method.weights(4, np.random.default_rng(0)), 0.9)
    assert np.isnan([low, high]).all()
    assert_allclose(left, values)
    values[0, 1] = 0.8
    low, high, _ = method(values, same, method.weights(4, np.random.default_rng(0)), 0.9)
    assert low[1] < 0.725 < high[1]
    assert_allclose([low[0], high[0]], [one, one])  # some item differs in something


def test_the_range_cuts_an_interval_off():
    values, method = np.array([[1.0], [2.0], [6.0]]), Jackknife()
    weights = method.weights(3, np.random.default_rng(0))
    low, high, _ = method(values, same, weights, 0.9, Scales.of([Scale("plain", 0.0, 5.0)]))
    assert [low[0], high[0]] == [0, 5]
    low, high, draws = Percentile(3)(values, same, np.eye(3), 0.9, Scales.of([Scale("plain", 2.0, 5.0)]))
    assert_allclose([low[0], high[0]], [2, 5])
    assert draws.tolist() == values.tolist()
    low, high, _ = Percentile(3)(values, same, np.eye(3), 0.5)
    assert_allclose([low[0], high[0]], [1.5, 4])
    assert np.ravel(clipped(np.array([-1.0]), np.array([9.0]), 0.0, 5.0)).tolist() == [0, 5]


def test_fewer_items_than_groups_have_fewer_degrees_of_freedom():
    values, method = np.array([[1.0], [2.0], [6.0], [3.0]]), Jackknife()
    weights = method.weights(4, np.random.default_rng(0))
    (low_4, high_4, _), (low_2, high_2, _), (low_1, high_1, _) = (
        method(values, same, weights, 0.9, Scales.of([ANY], items=items)) for items in (4, 2, 1)
    )
    ratio = stats.t.ppf(0.95, 1) / stats.t.ppf(0.95, 3)
    assert (high_2 - low_2) / (high_4 - low_4) == pytest.approx(ratio)
    assert_allclose([low_1, high_1], [low_2, high_2])


SCALES = Scales.of(
    [ANY, LOG, SHARE, Scale("share", 1.0, 5.0), KISH, OF_TEAM, POSITIVE], n=3, items=[0, 0, 4, 4, 4, 4, 0]
)


def test_scales_of_parameters():
    assert SCALES.kind.tolist() == ["plain", "log", "share", "share", "kish", "share", "plain"]
    assert SCALES.least.tolist() == [-INF, 0, 0, 1, 1, 1, 0]
    assert SCALES.most.tolist() == [INF, INF, 1, 5, 3, 3, INF]
    assert SCALES.items.tolist() == [0, 0, 4, 4, 4, 4, 0]
    assert Scales.of([SHARE, SHARE], items=7).items.tolist() == [7, 7]
    assert Scales.of([SHARE]).items.tolist() == [0]
    assert Scales.of([KISH, OF_TEAM], n=np.array([2, 9])).most.tolist() == [2, 9]
    joined = Scales.join([SCALES, Scales.of([DIFFERENCE], items=2)])
    assert joined.kind.tolist() == [*SCALES.kind, "plain"]
    assert (joined.least[-1], joined.most[-1], joined.items[-1]) == (-1, 1, 2)


def test_there_and_back():
    theta = np.array([7.0, np.e, 0.25, 2.0, 9 / 5, 2.0, 4.0])
    there = [7, 1, 0.25, 0.25, 1 / 3, 0.5, 4]
    assert_allclose(SCALES.there(theta), there)
    assert_allclose(SCALES.there(np.stack([theta, theta])), [there, there])
    more = np.array(there) + 0.1
    low, high = SCALES.back(np.array(there, float), more)
    assert_allclose(low[[0, 1, 2, 3, 5, 6]], theta[[0, 1, 2, 3, 5, 6]])
    assert_allclose(high[[0, 1, 2, 3, 5, 6]], [7.1, np.e * np.exp(0.1), 0.35, 2.4, 2.2, 4.1])
    assert_allclose([low[4], high[4]], [3 / (1 + 2 * more[4]), 9 / 5])  # less agreement is more agents


def test_what_has_no_place_on_a_scale():
    logs = Scales.of([LOG, LOG, LOG, ANY, KISH], n=3)
    assert_allclose(logs.there(np.array([0.0, -1.0, NAN, INF, 0.0])), [NAN] * 5)
    assert_allclose(Scales.of([KISH], n=1).there(np.array([1.0])), [NAN])
    low, high = Scales.of([LOG, KISH], n=3).back(np.array([800.0, -0.5]), np.array([900.0, NAN]))
    assert_allclose([low, high], [[INF, NAN], [INF, NAN]])


def test_clipping_is_to_each_own_range():
    low, high = SCALES.clip(np.full(7, -9.0), np.full(7, 9.0))
    assert low.tolist() == [-9, 0, 0, 1, 1, 1, 0]
    assert high.tolist() == [9, 9, 1, 5, 3, 3, 9]
    low, high = SCALES.clip(np.full(7, 9.0), np.full(7, -9.0))  # an estimate may lie beyond its range
    assert low.tolist() == [9, 9, 1, 5, 3, 3, 9]
    assert high.tolist() == [-9, 0, 0, 1, 1, 1, 0]


@pytest.mark.parametrize(
    ("scale", "items", "theta", "margin", "low", "high"),
    [
        (ANY, 0, 2.0, 0.5, 1.5, 2.5),
        (ANY, 10, 2.0, 0.0, 2.0, 2.0),
        (SHARE, 0, 0.5, 0.1, 0.5 - np.sqrt(0.0104) / 1.04, 0.5 + np.sqrt(0.0104) / 1.04),
        (SHARE, 0, 0.2, 0.2, 0.26 - np.sqrt(0.04 + 1 / 64) / 1.25, 0.26 + np.sqrt(0.04 + 1 / 64) / 1.25),  # k = 1/4
        (SHARE, 10, 0.0, 0.0, 0.0, 2 / 7),
        (SHARE, 10, 1.0, 0.0, 5 / 7, 1.0),
        (SHARE, 1, 0.0, 0.0, 0.0, 4 / 5),
        (SHARE, 1, 0.5, 0.0, 0.5 - np.sqrt(0.2), 0.5 + np.sqrt(0.2)),
        (DIFFERENCE, 1, 0.1, 0.0, -0.7, 0.9),
        (SHARE, 10, 0.5, 0.0, 0.5 - np.sqrt(0.14) / 1.4, 0.5 + np.sqrt(0.14) / 1.4),
        (SHARE, 10, 0.0, 0.1, 0.0, 2 / 7),
        (SHARE, 10, -0.2, 0.1, 0.0, 2 / 7),  # agreement below chance: the end of the range
        (SHARE, 10, 1.2, 0.1, 5 / 7, 1.0),
        (SHARE, 10, 0.5, 0.1, 0.5 - np.sqrt(0.0104) / 1.04, 0.5 + np.sqrt(0.0104) / 1.04),
        (SHARE, 0, 0.5, 0.0, 0.5, 0.5),
        (SHARE, 0, 0.0, 0.1, NAN, NAN),
        (SHARE, 0, 1.2, 0.1, NAN, NAN),
        (SHARE, 10, 0.0, NAN, NAN, NAN),
        (SHARE, 0, NAN, 0.1, NAN, NAN),
        (DIFFERENCE, 10, 0.3, 0.0, 0.3 - 2 / 7, 0.3 + 2 / 7),
        (DIFFERENCE, 0, 0.3, 0.0, 0.3, 0.3),
        (DIFFERENCE, 10, 0.3, 0.1, 0.2, 0.4),
        (Scale("plain", -2.0, 2.0), 10, 0.3, 0.0, 0.3 - 4 / 7, 0.3 + 4 / 7),
        (LOG, 10, 0.3, 0.0, 0.3, 0.3),
    ],
)
def test_an_interval_with_a_quantile_of_two(scale, items, theta, margin, low, high):
    ends = scaled_interval(np.array([theta]), np.array([margin]), 2.0, Scales.of([scale], items=items))
    assert_allclose(np.ravel(ends), [low, high], atol=1e-12)


def test_what_is_clipped_lies_within_the_range_on_either_side():
    low, high = clipped(np.array([-2.0, 0.5, 3.0]), np.array([-1.0, 0.7, 4.0]), 0.0, 1.0)
    assert (low.tolist(), high.tolist()) == ([0, 0.5, 1], [0, 0.7, 1])
