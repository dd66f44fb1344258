"""Intervals on the scale of their parameter, against Wilson's and against the logarithm taken by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from headcount.measures.diversity import n_eff_from_correlation
from headcount.measures.intervals import Jackknife, Percentile
from headcount.measures.scales import ANY, DIFFERENCE, KISH, LOG, OF_TEAM, SHARE, Scale, Scales, scaled_interval

JACKKNIFE = Jackknife()
ENDS = st.floats(0.001, 0.999)


def interval(values, scales, estimator=lambda means: means, method=JACKKNIFE, level=0.95):
    weights = method.weights(len(values), np.random.default_rng(0))
    return method(values, estimator, weights, level, scales)[:2]


@given(st.integers(1, 79))
def test_of_a_proportion_it_is_wilsons_interval(right):
    """With the standard error of a proportion and z; statsmodels is the judge."""
    z, p = stats.norm.ppf(0.975), right / 80
    margin = z * np.sqrt(p * (1 - p) / 80)
    low, high = scaled_interval(np.array([p]), np.array([margin]), z, Scales.of([SHARE], items=80))
    assert (low[0], high[0]) == pytest.approx(proportion_confint(right, 80, method="wilson"))


@pytest.mark.parametrize("right", [0, 40])
def test_where_no_item_differs_it_is_wilsons_with_t(right):
    values = (np.arange(40) < right)[:, None].astype(float)
    low, high = interval(values, Scales.of([SHARE], items=40))
    t = stats.t.ppf(0.975, 39)
    ends = (0, t**2 / (40 + t**2)) if right == 0 else (40 / (40 + t**2), 1)
    assert (low[0], high[0]) == pytest.approx(ends)


def test_what_is_no_mean_of_items_keeps_a_plain_interval_at_its_end():
    """A law may give a correlation above 1: its error is no proportion's, and not 0 either."""
    values = np.random.default_rng(4).normal(1.1, 0.5, (20, 1))
    low, high = interval(values, Scales.of([SHARE]))
    t = stats.t.interval(0.95, 19, values.mean(), stats.sem(values[:, 0]))
    assert (low[0], high[0]) == pytest.approx((t[0], 1))


@given(ENDS, st.floats(0.0001, 0.5), st.floats(-3, 3), st.floats(0.1, 9))
def test_a_share_of_any_range_is_that_of_0_to_1_stretched(p, error, least, span):
    of_unit, of_range = Scales.of([SHARE]), Scales.of([Scale("share", least, least + span)])
    theta = np.array([least + span * p])
    own = of_range.back(*scaled_interval(of_range.there(theta), np.array([error]), 2.0, of_range))
    unit = scaled_interval(np.array([p]), np.array([error]), 2.0, of_unit)
    assert np.ravel(own) == pytest.approx(least + span * np.ravel(unit))
    assert least - 1e-9 <= own[0][0] <= theta[0] + 1e-9
    assert theta[0] - 1e-9 <= own[1][0] <= least + span + 1e-9


@given(ENDS, st.floats(0.0001, 0.5))
def test_its_ends_solve_its_equation(p, error):
    low, high = scaled_interval(np.array([p]), np.array([error]), 2.0, Scales.of([SHARE]))
    for q in (low[0], high[0]):
        assert (p - q) ** 2 == pytest.approx(error**2 * q * (1 - q) / (p * (1 - p)), rel=1e-6, abs=1e-12)


def test_a_positive_number_has_students_interval_of_its_logarithm():
    rng = np.random.default_rng(1)
    values = rng.lognormal(size=(15, 1))
    low, high = interval(values, Scales.of([LOG]))
    logs = np.log([np.delete(values, i).mean() for i in range(15)])
    error = np.sqrt(14 / 15 * ((logs - logs.mean()) ** 2).sum())
    assert np.log([low[0], high[0]]) == pytest.approx(stats.t.interval(0.95, 14, np.log(values.mean()), error))


def test_a_number_whose_logarithm_is_lost_keeps_a_plain_interval():
    """0 once a group is left out, so that ln 0 would spoil the error."""
    values = np.array([[1.0], *[[0.0]] * 9])
    low, high = interval(values, Scales.of([LOG]))
    t = stats.t.interval(0.95, 9, 0.1, 0.1)
    assert (low[0], high[0]) == pytest.approx((0, t[1]))


def test_an_effective_size_by_kish_has_the_interval_of_its_agreement():
    agreement = np.random.default_rng(2).beta(2, 3, size=(50, 1))
    n = np.array([7])
    low, high = interval(agreement, Scales.of([KISH], n, 50), lambda means: n_eff_from_correlation(n, means))
    of_share = interval(agreement, Scales.of([SHARE], items=50))
    assert (low[0], high[0]) == pytest.approx(tuple(n_eff_from_correlation(n, end)[0] for end in reversed(of_share)))


@pytest.mark.parametrize("method", [Percentile(50), Jackknife()], ids=lambda method: method.name)
def test_ends_stay_within_the_range(method):
    rng = np.random.default_rng(3)
    values = np.c_[rng.random((6, 2)) < 0.2, rng.normal(0.9, 1, (6, 2)), rng.uniform(1, 5, (6, 1))]
    scales = Scales.join([Scales.of([SHARE, SHARE, DIFFERENCE, ANY]), Scales.of([OF_TEAM], 5)])
    low, high = interval(values, scales, method=method, level=0.999)
    assert ((low >= scales.least) & (high <= scales.most)).all()
    assert (low <= high).all()


@pytest.mark.parametrize("same", [0.0, -1.0, 0.25])
def test_a_difference_that_is_the_same_on_every_item_may_yet_be_another_on_others(same):
    """By the share of items that differ, of which none was seen: Wilson's interval with t, as for a share."""
    low, high = interval(np.full((40, 1), same), Scales.of([DIFFERENCE], items=40))
    _, most = interval(np.zeros((40, 1)), Scales.of([SHARE], items=40))
    assert (low[0], high[0]) == pytest.approx((max(same - most[0], -1), same + most[0]))


def test_a_share_that_is_the_same_on_every_item_has_the_error_of_a_proportion():
    low, high = interval(np.full((40, 1), 0.5), Scales.of([SHARE], items=40))
    t = stats.t.ppf(0.975, 39)
    assert (low[0], high[0]) == pytest.approx(proportion_confint(20, 40, 2 * stats.norm.sf(t), method="wilson"))


@pytest.mark.parametrize("scale", [ANY, LOG, SHARE, Scale("plain", -2, 1)])
def test_without_items_that_differ_nothing_else_has_an_interval(scale):
    assert np.isnan(interval(np.full((40, 1), 0.5), Scales.of([scale]))).all()


def test_a_mean_of_few_of_the_items_has_their_degrees_of_freedom():
    """Four items of a hundred have a value: t with 3 degrees of freedom, whatever else is known of the others."""
    rng = np.random.default_rng(6)
    values = rng.normal(size=(100, 2))
    values[4:, 0] = np.nan
    low, high = interval(values, Scales.of([ANY, ANY], items=np.array([4, 100])))
    few = values[:4, 0]
    left = np.r_[[np.delete(few, i).mean() for i in range(4)], np.full(96, few.mean())]
    error = np.sqrt(99 / 100 * ((left - left.mean()) ** 2).sum())
    assert (low[0], high[0]) == pytest.approx(stats.t.interval(0.95, 3, few.mean(), error))
    assert error > stats.sem(few)
    assert (low[1], high[1]) == pytest.approx(stats.t.interval(0.95, 99, values[:, 1].mean(), stats.sem(values[:, 1])))
