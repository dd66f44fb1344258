"""Diversity measures against SciPy and brute force; published numbers are in tests/laws."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from headcount.measures.diversity import (
    correlation_from_n_eff,
    entropy,
    n_eff_agreement,
    n_eff_answer,
    n_eff_from_correlation,
    pair_agreement,
)

team_counts = st.lists(st.integers(0, 9), min_size=1, max_size=6).map(np.array)
answered = team_counts.filter(lambda counts: counts.sum() > 0)
paired = team_counts.filter(lambda counts: counts.sum() > 1)


@given(answered)
def test_entropy_is_scipys(counts):
    assert entropy(counts[None])[0] == pytest.approx(stats.entropy(counts, base=2), abs=1e-12)


@given(answered)
def test_effective_answers_lie_between_one_and_the_number_of_different_ones(counts):
    size = n_eff_answer(counts[None])[0]
    assert 1 <= size <= (counts > 0).sum() + 1e-9


@given(paired)
def test_pair_agreement_is_the_share_of_equal_pairs(counts):
    answers = np.repeat(np.arange(counts.size), counts)
    equal = [a == b for a, b in combinations(answers, 2)]
    assert pair_agreement(counts[None])[0] == pytest.approx(np.mean(equal))


@given(paired)
def test_agreement_level_is_the_inverse_simpson_index_when_nobody_is_missing(counts):
    n = counts.sum()
    simpson = ((counts / n) ** 2).sum()
    assert n_eff_agreement(counts[None], np.array([n]))[0] == pytest.approx(1 / simpson)


@given(paired)
def test_the_papers_rescaling_of_agreement_with_replacement_gives_distinct_pair_agreement(counts):
    n = counts.sum()
    with_replacement = ((counts / n) ** 2).sum()
    rescaled = (n * with_replacement - 1) / (n - 1)
    assert pair_agreement(counts[None])[0] == pytest.approx(rescaled, abs=1e-12)


@given(team_counts, st.randoms())
def test_renaming_answers_changes_nothing(counts, random):
    renamed = counts.copy()
    random.shuffle(renamed)
    padded = np.append(renamed, 0)
    for measure in (entropy, n_eff_answer, pair_agreement):
        assert measure(padded[None]) == pytest.approx(measure(counts[None]), nan_ok=True)


@given(st.integers(2, 200), st.floats(0, 1))
def test_correlation_and_effective_size_are_inverses(n, rho):
    assert correlation_from_n_eff(n, n_eff_from_correlation(n, np.array(rho))) == pytest.approx(rho, abs=1e-9)


def test_extremes():
    counts = np.array([[5, 0, 0, 0, 0], [1, 1, 1, 1, 1]])
    assert entropy(counts) == pytest.approx([0, np.log2(5)])
    assert not np.signbit(entropy(counts)[0])
    assert n_eff_answer(counts) == pytest.approx([1, 5])
    assert pair_agreement(counts) == pytest.approx([1, 0])
    assert n_eff_agreement(counts, np.array([5, 5])) == pytest.approx([1, 5])


def test_too_few_valid_answers_give_no_value():
    counts = np.array([[0, 0], [1, 0], [2, 0]])
    assert np.isnan(entropy(counts)).tolist() == [True, False, False]
    assert np.isnan(pair_agreement(counts)).tolist() == [True, True, False]
    assert np.isnan(n_eff_agreement(counts, np.array([3, 3, 3]))).tolist() == [True, True, False]


def test_a_single_agent_is_one_agent_if_it_answers():
    assert n_eff_agreement(np.array([[1], [0]]), np.array([1, 1])) == pytest.approx([1, np.nan], nan_ok=True)


def test_one_agent_has_no_correlation():
    assert np.isnan(correlation_from_n_eff(1, np.array(1.0)))


def test_missing_answers_stay_in_the_nominal_size():
    """Eight of ten answer, six and two: efficiency divides by ten."""
    counts, n = np.array([[6, 2]]), np.array([10])
    rho = (6 * 5 + 2 * 1) / (8 * 7)
    assert n_eff_agreement(counts, n) == pytest.approx(10 / (1 + 9 * rho))
