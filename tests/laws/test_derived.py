"""Numbers of a team's row that no file holds."""

from collections import Counter
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.laws.derived import derived, n_eff_missing_one, n_eff_missing_own


def entropy(symbols) -> float:
    return -sum(c / len(symbols) * log2(c / len(symbols)) for c in Counter(symbols).values())


@given(st.lists(st.sampled_from("ABC"), max_size=6), st.integers(0, 4))
def test_a_missing_answer_as_an_answer(given_answers, silent):
    if not given_answers and not silent:
        return
    n = np.array([len(given_answers) + silent], dtype=float)
    h = np.array([entropy(given_answers) if given_answers else np.nan])
    ingredients = h, np.array([float(len(given_answers))]), n
    own, one = [*given_answers, *range(silent)], [*given_answers, *["-"] * silent]
    assert n_eff_missing_own(*ingredients)[0] == pytest.approx(2 ** entropy(own))
    assert n_eff_missing_one(*ingredients)[0] == pytest.approx(2 ** entropy(one))


def columns(**changed):
    """A row for each value of the columns given."""
    names = ("n", "n_valid", "agreement", "n_correct", "correct_pairs", "pairs")
    counts = ("n_valid", "agreement", "n_correct", "correct_pairs", "pairs")
    rows = max(len(values) for values in changed.values())
    default = {name: np.ones(rows) for name in (*names, "k", *(f"first_{name}" for name in counts))}
    return default | {name: np.array(values, dtype=float) for name, values in changed.items()}


def test_bands_meet_in_the_middle_one():
    first = [0.39, 0.4, 7 / 10, 0.71, np.nan]
    found = derived(columns(first_agreement=first, agreement=[1, 2, 3, 4, 5]))
    held = {
        band: np.flatnonzero(np.isfinite(found[f"agreement_{band}"])).tolist() for band in ("low", "middle", "high")
    }
    assert held == {"low": [0], "middle": [1, 2], "high": [3]}
    assert found["agreement_high"][3] == 4


def test_others_are_those_heard_or_all_where_nobody_is():
    assert derived(columns(n=[5, 5, 5, 1], k=[4, 2, 0, 0]))["others"].tolist() == [4, 2, 4, 0]


def test_shifts_are_against_plurality_and_only_where_there_is_one():
    right = {"vote_correct_filtered": [1, 0, 1, np.nan], "vote_correct_plurality": [0, 1, 1, 1]}
    found = derived(columns(**right))
    np.testing.assert_array_equal(found["vote_shift_filtered"], [1, -1, 0, np.nan])
    assert "vote_shift_plurality" not in found
    del right["vote_correct_plurality"]
    assert not any(name.startswith("vote_shift") for name in derived(columns(**right)))


def test_means_over_all_teams_have_no_sensitivity_to_missing_answers():
    assert "n_eff_missing_own" not in derived(columns(n=[3]))
    with_entropy = columns(n=[3], n_valid=[2], entropy=[1], n_eff_answer=[2])
    assert derived(with_entropy)["r_over_valid"].tolist() == [1]
