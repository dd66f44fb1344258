"""Votes and correctness of teams so small that the numbers can be counted by hand."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from headcount.measures.aggregators import n_eff_weighted
from headcount.measures.ballots import cast_ballots, count_ballots
from headcount.measures.correctness import (
    icc,
    icc_change,
    icc_conditioned,
    n_eff_correctness,
    right_in_pairs,
    share,
    squared_accuracy,
)
from headcount.measures.votes import chance_of_correct, leaders, plurality, ties, unanimous

YES, NO, NAN = True, False, np.nan


@pytest.fixture(autouse=True)
def _no_warnings():
    """What has no value is NaN without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_ballots_are_as_wide_as_the_team_with_most_candidates():
    team, answer = np.array([0, 2, 0, 2, 2, 0, 3]), np.array([4, 1, 2, 1, 0, 2, -1])
    ballots, column = cast_ballots(team, answer, np.array([NO, YES, YES, YES, NO, YES, YES]), 5)
    assert_array_equal(column, [1, 1, 0, 1, 0, 0, -1])
    assert ballots.counts.dtype == ballots.correct.dtype == int
    assert_array_equal(ballots.candidates, [[2, 4], [-1, -1], [0, 1], [-1, -1], [-1, -1]])
    assert_array_equal(ballots.counts, [[2, 1], [0, 0], [1, 2], [0, 0], [0, 0]])
    assert_array_equal(ballots.correct, [[2, 0], [0, 0], [0, 2], [0, 0], [0, 0]])


def test_ballots_of_one_answer_have_one_column():
    ballots = count_ballots(np.array([0, 1, 1]), np.zeros(3, int), np.ones(3, bool), 3)
    assert_array_equal(ballots.candidates, [[0], [0], [-1]])
    assert_array_equal(ballots.counts, [[1], [2], [0]])
    assert_array_equal(ballots.correct, [[1], [2], [0]])


def test_ballots_without_answers_have_an_empty_column():
    for answers in ([], [-1, -1]):
        team = np.zeros(len(answers), int)
        ballots = count_ballots(team, np.array(answers, int), np.ones(len(answers), bool), 2)
        assert_array_equal(ballots.candidates, [[-1], [-1]])
        assert_array_equal(ballots.counts, [[0], [0]])
        assert_array_equal(ballots.correct, [[0], [0]])


COUNTS = np.array([[2, 1, 0], [1, 1, 0], [0, 2, 2], [1, 1, 1], [0, 0, 0], [0, 0, 1]])
CORRECT = np.array([[2, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 1]])


def test_leaders_ties_and_chances_counted_by_hand():
    assert leaders(COUNTS).astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 1]]
    assert ties(COUNTS).tolist() == [NO, YES, YES, YES, NO, NO]
    assert_allclose(chance_of_correct(COUNTS, CORRECT), [1, 1 / 2, 0, 1 / 3, 0, 1], rtol=1e-12)


def test_only_tied_candidates_are_ranked_and_the_smallest_rank_wins():
    asked = []

    def later_columns_first(team, column):
        asked.extend(zip(team.tolist(), column.tolist(), strict=True))
        return 9 - column

    assert plurality(COUNTS, later_columns_first).tolist() == [0, 1, 2, 2, -1, 2]
    assert asked == [(1, 0), (1, 1), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2)]
    assert plurality(COUNTS, lambda _team, column: column).tolist() == [0, 0, 1, 0, -1, 2]
    assert plurality(np.zeros((2, 1), int), later_columns_first).tolist() == [-1, -1]


def test_unanimity_needs_two_voices_in_a_team_of_two_or_more():
    counts = np.array([[1, 0], [1, 0], [2, 0], [0, 2], [1, 1], [0, 0], [0, 0]])
    assert unanimous(counts, np.array([1, 2, 2, 3, 2, 1, 2])).tolist() == [YES, NO, YES, YES, NO, NO, NO]


def test_effective_size_of_weighted_votes():
    weights = np.array([[1.0, 1.0, 0.0], [3.0, 1.0, 0.0], [0.2, 0.2, 0.2], [0.0, 0.0, 5.0], [0.0, 0.0, 0.0]])
    assert_allclose(n_eff_weighted(weights), [2, 4 / 3**0.75, 3, 1, NAN], rtol=1e-12)


def test_right_in_pairs_is_the_share_of_right_agents_times_the_pairs():
    n_correct, n_valid, pairs = np.array([[1.0, 2.0, 1.0, 0.0], [3.0, 4.0, 1.0, 0.0], [3.0, 6.0, 0.0, 0.0]])
    assert_allclose(right_in_pairs(n_correct, n_valid, pairs), [1, 3, 0, 0], rtol=1e-12)


def test_correlation_of_two_items_by_hand():
    """Items AAB and ABB of three agents, A right: p = 1/2; of six pairs one is right twice, so E = 1/6."""
    rho = icc(np.array(3.0), np.array(1.0), np.array(6.0))
    assert rho == pytest.approx((1 / 6 - 1 / 4) / (1 / 4))
    assert n_eff_correctness(3, rho) == pytest.approx(3 / (1 - 2 / 3))
    assert np.isnan(icc(np.array(6.0), np.array(6.0), np.array(6.0)))
    assert np.isnan(icc(np.array(0.0), np.array(0.0), np.array(6.0)))


@pytest.mark.parametrize(
    ("n", "rho", "n_eff"),
    [
        (1, 0.3, 1.0),
        (1, NAN, 1.0),
        (1, -5.0, 1.0),
        (2, 0.5, 4 / 3),
        (2, NAN, NAN),
        (2, -1.0, NAN),
        (2, -0.999, 2000.0),
        (3, -0.25, 6.0),
        (3, -0.5, NAN),
        (3, -0.6, NAN),
        (5, 0.0, 5.0),
    ],
)
def test_effective_size_by_correctness(n, rho, n_eff):
    assert n_eff_correctness(n, np.array(rho)) == pytest.approx(n_eff, nan_ok=True)
    assert n_eff_correctness(np.array([n]), np.array([rho])) == pytest.approx([n_eff], nan_ok=True)


def test_squared_accuracy_and_shares_of_nothing():
    assert_allclose(squared_accuracy(np.array([3, 0]), np.array([4, 0]), np.array([3, 0])), [9 / 16, NAN], rtol=1e-12)
    assert_allclose(share(np.array([1.0, 1.0, 1.0, 0.0]), np.array([4.0, -2.0, 0.0, 0.0])), [0.25, -0.5, NAN, NAN])


def test_change_of_correlation_by_hand():
    assert icc_conditioned(np.array(0.5), np.array(0.6), np.array(0.4)) == pytest.approx(0.5)
    assert icc_change(np.array(0.5), np.array(0.6), np.array(0.35)) == pytest.approx(0.6)
