"""Agreement as confidence: bins, their error, and Wilson's interval."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from headcount.measures.calibration import confidence_from_agreement, pooled, wilson

teams_of_counts = st.lists(st.lists(st.integers(0, 6), min_size=4, max_size=4), min_size=1, max_size=12).map(np.array)


def right_in_first_column(counts):
    return np.where(np.arange(counts.shape[1]) == 0, counts, 0)


def slow(counts, n, bins=10):
    """Per bin: teams, mean share, mean accuracy, and unanimous but wrong ones, in exact fractions."""
    found = {b: [] for b in range(bins)}
    for votes, size in zip(counts.tolist(), n.tolist(), strict=True):
        if not sum(votes):
            continue
        share = Fraction(max(votes), sum(votes))
        leaders = [i for i, count in enumerate(votes) if count == max(votes)]
        place = next(b for b in range(bins) if Fraction(b, bins) < share <= Fraction(b + 1, bins))
        agreed = share == 1 and sum(votes) >= min(2, size)
        found[place].append((share, Fraction(0 in leaders, len(leaders)), int(agreed and votes[0] == 0)))
    return found


@given(teams_of_counts, st.integers(0, 3))
def test_bins_are_those_of_every_team_looked_at(counts, silent):
    n = counts.sum(axis=1) + silent
    parts, expected = confidence_from_agreement(counts, right_in_first_column(counts), n), slow(counts, n)
    total = sum(map(len, expected.values()))
    assert parts.teams.tolist() == [len(teams) for teams in expected.values()]
    error = 0.0
    for place, teams in expected.items():
        if not teams:
            assert np.isnan([parts.share[place], parts.accuracy[place], parts.unanimous_wrong[place]]).all()
            continue
        share, accuracy, wrong = (float(sum(part)) / len(teams) for part in zip(*teams, strict=True))
        assert parts.share[place] == pytest.approx(share)
        assert parts.accuracy[place] == pytest.approx(accuracy)
        assert parts.unanimous_wrong[place] == pytest.approx(wrong)
        error += abs(share - accuracy) * len(teams) / total
    assert parts.calibration_error == pytest.approx(error if total else np.nan, nan_ok=True)


@given(teams_of_counts)
def test_all_bins_as_one_are_the_means_over_teams(counts):
    n = counts.sum(axis=1)
    whole = pooled(confidence_from_agreement(counts, right_in_first_column(counts), n))
    teams = [team for place in slow(counts, n).values() for team in place]
    assert whole.teams.tolist() == [len(teams)]
    for values, place in ((whole.share, 0), (whole.accuracy, 1), (whole.unanimous_wrong, 2)):
        expected = float(sum(team[place] for team in teams)) / len(teams) if teams else np.nan
        assert values[0] == pytest.approx(expected, nan_ok=True)


@given(teams_of_counts, st.permutations(range(4)))
def test_names_of_answers_do_not_matter(counts, order):
    n, correct = counts.sum(axis=1), right_in_first_column(counts)
    parts = confidence_from_agreement(counts, correct, n)
    other = confidence_from_agreement(counts[:, order], correct[:, order], n)
    np.testing.assert_array_equal(parts.accuracy, other.accuracy)
    np.testing.assert_array_equal(parts.share, other.share)


@pytest.mark.parametrize("size", [10, 7, 29])
def test_a_share_on_an_edge_is_in_the_bin_that_ends_there(size):
    """In floating point 3/10 is more than .3, and 0.1 * 3 is more still."""
    leading = np.arange(-(-size // 2), size + 1)
    counts = np.stack([leading, size - leading], axis=1)
    parts = confidence_from_agreement(counts, right_in_first_column(counts), np.full(leading.size, size))
    expected = [next(b for b in range(10) if Fraction(int(lead), size) <= Fraction(b + 1, 10)) for lead in leading]
    assert parts.teams.tolist() == np.bincount(expected, minlength=10).tolist()


def test_teams_right_as_often_as_they_agree_have_no_calibration_error():
    rng = np.random.default_rng(1)
    leading = rng.integers(6, 11, 60_000)
    right = rng.random(leading.size) < leading / 10
    counts = np.stack([leading, 10 - leading], axis=1)
    correct = np.where(np.stack([right, ~right], axis=1), counts, 0)
    parts = confidence_from_agreement(counts, correct, np.full(leading.size, 10))
    assert parts.calibration_error == pytest.approx(0, abs=0.01)
    always = confidence_from_agreement(counts, np.where([False, True], counts, 0), np.full(leading.size, 10))
    assert always.calibration_error == pytest.approx((leading / 10).mean())  # wrong however sure


def test_the_interval_is_wilsons():
    for n in (1, 4, 30, 2000):
        for right in (0, 1, n // 2, n):
            low, high = wilson(np.array([right / n]), np.array([n]), 0.9)
            theirs = binomtest(right, n).proportion_ci(0.9, method="wilson")
            assert (low[0], high[0]) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
            assert (low[0], high[0]) == pytest.approx(proportion_confint(right, n, 0.1, "wilson"), abs=1e-12)
    assert np.isnan(wilson(np.array([np.nan]), np.array([0]))).all()
