"""Diversity, agreement as confidence, weights and groups of teams so small that the numbers can be counted by hand."""

import warnings

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from headcount.errors import UserError
from headcount.measures.ballots import count_ballots
from headcount.measures.calibration import confidence_from_agreement, pooled, wilson
from headcount.measures.diversity import (
    correlation_from_n_eff,
    entropy,
    n_eff_agreement,
    n_eff_answer,
    n_eff_from_correlation,
    pair_agreement,
    pairs_among,
)
from headcount.measures.families import family_of
from headcount.measures.groups import distinct_rows, factorise, group, unfilled_seat
from headcount.measures.seats import columns_of
from headcount.measures.weights import (
    block_weights,
    confidence_weights,
    filled,
    probability_weights,
    top_weights,
    upper_weights,
)

NAN = np.nan


@pytest.fixture(autouse=True)
def _no_warnings():
    """What has no value is NaN, or infinite, without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_two_of_three_agree():
    counts, n = np.array([[2, 1, 0]]), np.array([3])
    assert entropy(counts)[0] == pytest.approx(np.log2(3) - 2 / 3)
    assert n_eff_answer(counts)[0] == pytest.approx(3 / 2 ** (2 / 3))
    assert pair_agreement(counts)[0] == pytest.approx(1 / 3)
    assert n_eff_agreement(counts, n)[0] == pytest.approx(9 / 5)
    assert n_eff_agreement(counts, n + 1)[0] == pytest.approx(2)  # a fourth agent is silent


def test_where_teams_are_too_small_to_agree():
    counts = np.array([[1], [0], [1], [0], [2]])
    assert_allclose(n_eff_agreement(counts, np.array([1, 1, 2, 2, 2])), [1, NAN, NAN, NAN, 1])
    assert_allclose(n_eff_answer(counts), [1, NAN, 1, NAN, 1])
    assert pairs_among(np.array([0, 1, 2, 3, 5])).tolist() == [0, 0, 1, 3, 10]


def test_kishs_formula_both_ways():
    n, rho = np.array([1, 2, 3, 3, 11]), np.array([0.7, 0.5, 1.0, -0.5, 0.1])
    n_eff = n_eff_from_correlation(n, rho)
    assert_allclose(n_eff, [1, 4 / 3, 1, np.inf, 5.5])
    assert_allclose(correlation_from_n_eff(n, n_eff), [NAN, 0.5, 1, -0.5, 0.1])
    assert n_eff.dtype == np.float64


COUNTS = np.array([[3, 1], [2, 2], [0, 0], [4, 0], [0, 1], [0, 2]])
RIGHT = COUNTS * [1, 0]
N = np.array([4, 4, 4, 4, 3, 2])


def test_bins_of_six_teams():
    parts = confidence_from_agreement(COUNTS, RIGHT, N, bins=4)
    assert_allclose(parts.low, [0, 0.25, 0.5, 0.75])
    assert_allclose(parts.high, [0.25, 0.5, 0.75, 1])
    assert parts.teams.tolist() == [0, 1, 1, 3]
    assert_allclose(parts.share, [NAN, 0.5, 0.75, 1])
    assert_allclose(parts.accuracy, [NAN, 0.5, 1, 1 / 3])
    assert_allclose(parts.unanimous_wrong, [NAN, 0, 0, 1 / 3])
    assert_allclose(parts.error, [NAN, 0, 0.25, 2 / 3])
    assert parts.calibration_error == pytest.approx((0.25 + 2) / 5)


def test_all_six_teams_in_one_bin():
    whole = pooled(confidence_from_agreement(COUNTS, RIGHT, N))
    assert (whole.low.tolist(), whole.high.tolist(), whole.teams.tolist()) == ([0], [1], [5])
    assert_allclose([whole.share[0], whole.accuracy[0], whole.unanimous_wrong[0]], [0.85, 0.5, 0.2])
    assert whole.calibration_error == pytest.approx(0.35)


def test_teams_that_say_nothing_are_in_no_bin():
    parts = confidence_from_agreement(np.zeros((2, 1), int), np.zeros((2, 1), int), np.array([2, 1]))
    assert parts.teams.tolist() == [0] * 10
    assert np.isnan([parts.share, parts.accuracy, parts.unanimous_wrong]).all()
    assert np.isnan(parts.calibration_error)
    assert np.isnan([pooled(parts).share, pooled(parts).accuracy, pooled(parts).unanimous_wrong]).all()


def test_wilsons_interval_of_two_of_four():
    """(1/2 + z^2/8 -+ z sqrt(1/16 + z^2/64)) / (1 + z^2/4) with z = 1.959964 is 1/2 -+ 0.349961."""
    low, high = wilson(np.array([0.5, 0.5]), np.array([4, 0]))
    assert_allclose(low, [0.150039, NAN], atol=1e-6)
    assert_allclose(high, [0.849961, NAN], atol=1e-6)


def test_unsure_votes_take_the_lower_median_of_their_team():
    team = np.array([0, 1, 0, 0, 3, 1, 1, 1, 1, 3])
    value = np.array([NAN, 4.0, 3.0, 1.0, NAN, 2.0, NAN, 3.0, 1.0, np.inf])
    assert filled(team, value, 5).tolist() == [1, 4, 3, 1, 1, 2, 2, 3, 1, 1]
    odd = filled(np.zeros(4, int), np.array([5.0, NAN, 1.0, 3.0]), 1)
    assert odd.tolist() == [5, 3, 1, 3]
    assert filled(np.array([0, 2]), np.array([7.0, 8.0]), 3).tolist() == [7, 8]
    assert filled(np.array([0, 1, 0, 1]), np.array([NAN, 4.0, 9.0, 5.0]), 2).tolist() == [9, 4, 9, 5]  # one is known


def test_weights_by_confidence_and_by_probability():
    team = np.array([0, 0, 1, 1, 3])
    assert confidence_weights(team, np.array([0.0, 40.0, 0.0, 0.0, 0.5]), 5).tolist() == [0, 40, 1, 1, 0.5]
    assert_allclose(probability_weights(team, np.log([0.2, 0.4, 1e-300, 2e-300, 0.9]), 5), [0.5, 1, 0.5, 1, 1])
    assert top_weights(team, np.array([-2.0, -1.0, -3.0, -3.0, -9.0]), 5).tolist() == [0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("value", "weight"),
    [
        ([3, 1, 2], [1, 1, 1]),
        ([3, 1, 2, 4], [1, 0, 1, 1]),
        ([1, 1, 2, 3], [1 / 2, 1 / 2, 1, 1]),
        ([2, 1, 2, 2, 3, 2, 3, 3], [3 / 4, 0, 3 / 4, 3 / 4, 1, 3 / 4, 1, 1]),
        ([5, 5, 5, 5], [3 / 4] * 4),
        ([9], [1]),
    ],
)
def test_the_lowest_quartile_has_no_weight(value, weight):
    """In the second of three teams; the first has one vote, the last has none."""
    team, values = np.r_[0, np.ones(len(value), int)], np.r_[0.0, value]
    assert_allclose(upper_weights(team, values, 3), [1, *weight])


def test_blocks_weigh_one():
    weight = block_weights(np.array([0, 0, 0, 1, 1]), np.array([0, 1, 1, 1, 1]))
    assert weight.tolist() == [1, 0.5, 0.5, 0.5, 0.5]
    assert block_weights(np.zeros(0, int), np.zeros(0, int)).size == 0


def test_columns_of_answers_among_the_candidates():
    team, answer = np.array([0, 0, 2, 2, 2]), np.array([3, 1, 3, -1, 0])
    ballots = count_ballots(team, answer, np.zeros(5, bool), 3)
    assert columns_of(ballots, team, answer).tolist() == [1, 0, 1, -1, 0]
    nobody = count_ballots(np.array([0]), np.array([-1]), np.zeros(1, bool), 1)
    assert columns_of(nobody, np.array([0]), np.array([-1])).tolist() == [-1]


def test_families_by_name():
    table = pa.table({"model": ["m3", "m1", "m2", "m1"]})
    place, names = family_of(table, {"m1": "b", "m2": "a", "m3": "a", "m4": "c"})
    assert (place.tolist(), names) == ([0, 1, 0, 1], ["a", "b"])
    with pytest.raises(UserError) as error:
        family_of(table, {"m3": "b", "m1": "a"})
    assert str(error.value) == "answers: model 'm2' is not on the team, so its family is not known (m1, m3)."


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [4, 2, 0, 1, 3]])
def test_groups_of_five_rows(order):
    one, two = np.array([0, 0, 1, 1, 2])[order], np.array([0, 3, 0, 0, 1])[order]
    groups = group([one, two])
    assert groups.of_row.tolist() == np.array([0, 1, 2, 2, 3])[order].tolist()
    assert groups.size.tolist() == [1, 1, 2, 1]
    assert_array_equal(np.c_[one, two][groups.first], [[0, 0], [0, 3], [1, 0], [2, 1]])


def test_no_rows_are_no_groups():
    groups = group([np.zeros(0, int), np.zeros(0, int)])
    assert [array.size for array in (groups.of_row, groups.first, groups.size)] == [0, 0, 0]
    factor = factorise(pa.chunked_array([], pa.string()))
    assert (factor.codes.size, len(factor.values)) == (0, 0)


def test_distinct_rows_in_order():
    table = np.array([[2, 1], [0, 5], [2, 1], [0, 4], [2, 0]])
    rows, of_row = distinct_rows(table)
    assert rows.tolist() == [[0, 4], [0, 5], [2, 0], [2, 1]]
    assert of_row.tolist() == [3, 1, 3, 0, 2]
    assert_array_equal(rows[of_row], table)
    assert distinct_rows(np.zeros((0, 2), int))[0].shape == (0, 2)


@pytest.mark.parametrize(
    ("agents", "problem"),
    [
        ([1, 1, 2, 3], None),
        ([1, 3, 1, 2], None),
        ([1, 1, 2, 2], (1, "agent 2 stands twice")),
        ([2, 1, 2, 3], (0, "agent 2 is not one of 1 to 1")),
        ([0, 1, 2, 3], (0, "agent 0 is not one of 1 to 1")),
        ([1, 1, 2, 4], (1, "agent 4 is not one of 1 to 3")),
        ([1, 2, 3, 3], (1, "agent 1 has no row")),
        ([1, 1, 1, 3], (1, "agent 1 stands twice")),
    ],
)
def test_seats_that_are_not_filled_once(agents, problem):
    groups = group([np.array([0, 1, 1, 1])])
    assert unfilled_seat(groups, np.array([1, 3]), np.array(agents)) == problem
