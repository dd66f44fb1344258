"""Intervals on data whose truth is known, against the workflow's own intervals and SciPy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from headcount.calibration.offers import basic, bca, jackknife_t, jackknife_t_ln, jackknife_t_plain, percentile, wilson
from headcount.measures.intervals import Jackknife, Percentile, bootstrap_means
from headcount.measures.scales import ANY, KISH, SHARE, Scales


def means(data, interval, rng):
    """Means of data (sets, items): of all items (sets, 1), and under an interval's weights (draws, sets, 1)."""
    weights = interval.weights(data.shape[1], rng)
    draws = weights @ data.T / weights.sum(axis=1, keepdims=True)
    return data.mean(axis=1, keepdims=True), draws[:, :, None]


def covered(ends, truth):
    low, high = ends
    return float(((low[:, 0] <= truth) & (truth <= high[:, 0])).mean())


@pytest.mark.parametrize("items", [24, 150])
def test_every_interval_holds_a_normal_mean_about_as_often_as_it_says(items):
    rng = np.random.default_rng(1)
    data = rng.normal(3.0, 2.0, size=(3000, items))
    point, left = means(data, Jackknife(), rng)
    _, draws = means(data, Percentile(), rng)
    # Percentile and BCa use the spread of M items without its t: at 24 items they hold the mean in .93.
    short = stats.norm.cdf(stats.norm.ppf(0.975) * np.sqrt((items - 1) / items)) * 2 - 1 - 0.02
    for ends, least in (
        (jackknife_t(point, left, Scales.of([ANY])), 0.94),
        (jackknife_t_plain(point, left), 0.94),
        (percentile(draws), short),
        (basic(point, draws), short),
        (bca(point, draws, left), short),
    ):
        assert least <= covered(ends, 3.0) <= 0.962


def test_a_share_near_its_end_is_held_on_its_own_scale_and_missed_by_a_plain_t():
    rng = np.random.default_rng(2)
    data = (rng.random((4000, 24)) < 0.06).astype(float)
    point, left = means(data, Jackknife(), rng)
    exact = stats.binom.pmf(np.arange(25), 24, 0.06)
    flat = exact[0]  # data sets without a single one, whose plain interval has no width
    assert covered(jackknife_t_plain(point, left), 0.06) <= 1 - flat + 0.02
    assert covered(jackknife_t(point, left, Scales.of([SHARE], items=24)), 0.06) >= 0.93


def test_the_default_interval_of_a_proportion_is_wilsons_with_t():
    rng = np.random.default_rng(3)
    data = (rng.random((50, 40)) < rng.random((50, 1))).astype(float)
    point, left = means(data, Jackknife(), rng)
    low, high = jackknife_t(point, left, Scales.of([SHARE], items=40))
    p, t2 = point[:, 0], stats.t.ppf(0.975, 39) ** 2 / np.where((point[:, 0] * (1 - point[:, 0])) > 0, 39, 40)
    centre, half = (p + t2 / 2) / (1 + t2), np.sqrt(t2 * p * (1 - p) + t2**2 / 4) / (1 + t2)
    np.testing.assert_allclose(low[:, 0], centre - half, atol=1e-12)
    np.testing.assert_allclose(high[:, 0], centre + half, atol=1e-12)


def test_wilson_is_scipys():
    found = wilson(np.array([[0.0, 3 / 24, 0.5, 1.0]]), 24)
    for place, count in enumerate((0, 3, 12, 24)):
        expected = stats.binomtest(count, 24).proportion_ci(method="wilson")
        assert (found[0][0, place], found[1][0, place]) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_bca_is_scipys():
    data = np.random.default_rng(4).exponential(size=30)
    expected = stats.bootstrap((data,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(5))
    rng = np.random.default_rng(6)
    point, left = means(data[None], Jackknife(), rng)
    _, draws = means(data[None], Percentile(20_000), rng)
    low, high = bca(point, draws, left)
    assert (low[0, 0], high[0, 0]) == pytest.approx(tuple(expected.confidence_interval), abs=0.02)


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 130), st.integers(0, 2**32 - 1))
def test_the_workflow_s_own_intervals_are_among_the_offers(items, seed):
    data = np.random.default_rng(seed).gamma(2.0, size=(3, items))
    for interval in (Jackknife(), Percentile(60)):
        point, draws = means(data, interval, np.random.default_rng(seed))
        low, high = percentile(draws) if isinstance(interval, Percentile) else jackknife_t_plain(point, draws)
        for place, values in enumerate(data):
            weights = interval.weights(items, np.random.default_rng(seed))
            expected = interval(values[:, None], lambda each: each, weights, 0.95)
            assert (low[place, 0], high[place, 0]) == pytest.approx((expected[0][0], expected[1][0]), rel=1e-9)
        assert bootstrap_means(data[0][:, None], weights)[:, 0] == pytest.approx(draws[:, 0, 0])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 60), st.integers(2, 40), st.integers(0, 2**32 - 1), st.floats(0.0, 1.0))
def test_intervals_on_their_own_scale_stay_in_range_and_hold_their_estimate(items, n, seed, chance):
    rng = np.random.default_rng(seed)
    data = (rng.random((4, items)) < chance).astype(float)
    agreement, left = means(data, Jackknife(), rng)
    for scale, most, theta, without in (
        (SHARE, 1.0, agreement, left),
        (KISH, n, n / (1 + (n - 1) * agreement), n / (1 + (n - 1) * left)),
    ):
        scales = Scales.of([scale], n, items)
        low, high = jackknife_t(theta, without, scales)
        slack = 1e-9 * most
        assert (low >= scales.least - slack).all()
        assert (high <= most + slack).all()
        assert ((low <= theta + slack) & (theta <= high + slack)).all()
        assert (high > low).all()


def test_logarithms_are_multiplied_as_the_data_are():
    rng = np.random.default_rng(7)
    data = rng.gamma(2.0, size=(5, 50))
    point, left = means(data, Jackknife(), rng)
    low, high = jackknife_t_ln(point, left, np.array([True]))
    np.testing.assert_allclose(np.sqrt(low * high), point, rtol=1e-9)
    scaled = jackknife_t_ln(3.0 * point, 3.0 * left, np.array([True]))
    np.testing.assert_allclose(scaled, (3.0 * low, 3.0 * high), rtol=1e-9)
