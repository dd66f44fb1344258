"""Derived columns, quantities and pilots on numbers that can be worked out by hand."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from headcount.laws.audit import pilot_sizes
from headcount.laws.derived import derived, n_eff_missing_one, n_eff_missing_own
from headcount.laws.misfit import Noise
from headcount.laws.quantities import CORRECT, COST, DIVERSITY, of, share_of
from headcount.measures.scales import POSITIVE, SHARE

NAN = np.nan


@pytest.fixture(autouse=True)
def _no_warnings():
    """What has no value is NaN without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize(
    ("sizes", "pilot"),
    [
        ([2, 3, 5, 7, 10], [2, 3, 5]),
        ([2, 3, 7], [2, 3]),
        ([3, 5, 30], [3, 5]),
        ([3, 5, 10, 30], [3, 5]),
        ([2, 3, 5], [2, 3]),
        ([2, 7, 10], [2, 7]),
        ([3, 6, 9, 15, 30], [3, 6, 9]),
        ([4, 6, 9], [4, 6]),
        ([2, 3], []),
        ([9], []),
        ([], []),
    ],
)
def test_pilots_are_the_sizes_two_three_and_five_or_the_smallest(sizes, pilot):
    assert pilot_sizes(np.array(sizes, int)).tolist() == pilot


def test_missing_answers_as_answers():
    """Of four agents two are silent, and two agree, or differ, or all are silent, or none is."""
    entropy, n_valid, n = np.array([0.0, 1.0, NAN, 2.0]), np.array([2.0, 2.0, 0.0, 4.0]), np.full(4, 4.0)
    assert_allclose(n_eff_missing_own(entropy, n_valid, n), [2**1.5, 4, 4, 4])
    assert_allclose(n_eff_missing_one(entropy, n_valid, n), [2, 2**1.5, 1, 4])


ROWS = {name: np.array(values, float) for name, values in {
    "n": [3, 4, 2, 5],
    "k": [2, 0, 1, 0],
    "n_correct": [2, 1, 0, 0],
    "n_valid": [3, 2, 1, 0],
    "pairs": [3, 1, 0, 0],
    "correct_pairs": [1, 0, 0, 0],
    "agreement": [1 / 3, 1.0, NAN, NAN],
    "first_agreement": [0.4, 0.7, 0.39, NAN],
    "first_n_correct": [3, 2, 1, 0],
    "first_n_valid": [3, 4, 2, 0],
    "first_pairs": [3, 6, 1, 0],
    "first_correct_pairs": [3, 1, 0, 0],
    "n_eff_answer": [2, 1, 1, NAN],
    "vote_correct_plurality": [1, 0, 1, 0],
    "vote_correct_filtered": [0, 1, 1, 0],
}.items()}  # fmt: skip


def test_derived_columns_of_four_teams():
    columns = derived(ROWS)
    expected = {
        "others": [2, 3, 1, 4],
        "right_in_pairs": [2, 0.5, 0, 0],
        "first_right_in_pairs": [3, 3, 0.5, 0],
        "agreement_low": [NAN, NAN, NAN, NAN],
        "agreement_middle": [1 / 3, 1, NAN, NAN],
        "agreement_high": [NAN, NAN, NAN, NAN],
        "both": [1 / 3, 0, NAN, NAN],
        "both_first": [1, 1 / 6, NAN, NAN],
        "right_first": [1, 1 / 2, NAN, NAN],
        "right_first_squared": [1, 1 / 4, NAN, NAN],
        "vote_shift_filtered": [-1, 1, 0, 0],
    }
    assert set(columns) == set(expected)
    for name, values in expected.items():
        assert_allclose(columns[name], values, err_msg=name)


def test_bands_have_their_borders_at_four_and_seven_tenths():
    first = np.array([0.399, 0.4, 0.7, 0.701])
    columns = derived({name: np.resize(values, 4) for name, values in ROWS.items()} | {
        "first_agreement": first, "agreement": np.array([0.1, 0.2, 0.3, 0.4])
    })  # fmt: skip
    assert_allclose(columns["agreement_low"], [0.1, NAN, NAN, NAN])
    assert_allclose(columns["agreement_middle"], [NAN, 0.2, 0.3, NAN])
    assert_allclose(columns["agreement_high"], [NAN, NAN, NAN, 0.4])


def test_what_needs_an_entropy_or_a_vote_is_left_out_without_one():
    more = derived(ROWS | {"entropy": np.array([1.0, 0.0, 0.0, NAN])})
    assert_allclose(more["r_over_valid"], [2 / 3, 1 / 2, 1, NAN])
    assert_allclose(more["n_eff_missing_own"][1:3], [2**1.5, 2])
    assert_allclose(more["n_eff_missing_one"][1:3], [2, 2])
    without = {name: values for name, values in ROWS.items() if name != "vote_correct_plurality"}
    assert not any(name.startswith("vote_shift") for name in derived(without))


MEANS = np.array([[[0.5, 2.0, 4.0], [0.0, 0.0, 0.0]]])
SIZES = np.array([2, 5])


def test_means_and_ratios():
    assert of("tie").columns == ("tie",)
    assert_allclose(of("tie").value(MEANS, SIZES), [[0.5, 0]])
    one = of("x", "a", "b")
    assert (one.columns, one.counted, one.scale) == (("a", "b"), ("b",), POSITIVE)
    assert_allclose(one.value(MEANS, SIZES), [[0.25, NAN]])
    assert (share_of("x", "a").scale, share_of("x", "a").columns, share_of("x", "a").counted) == (SHARE, ("a",), ())


@pytest.mark.parametrize(
    ("name", "means", "values"),
    [
        ("n_eff_pooled_agreement", [[1, 2], [0, 0]], [4 / 3, NAN]),
        ("n_eff_correctness", [[0.5, 0.5, 1], [1, 1, 1]], [1, NAN]),
        ("rho_answer", [[4 / 3], [5 / 3]], [0.5, 0.5]),
        ("icc", [[0.5, 0.25, 1], [0.5, 0.5, 1]], [0, 1]),
        ("icc_conditioned", [[0.5, 0.6, 0.4], [0, 1, 1]], [0.5, NAN]),
        ("icc_change", [[0.5, 0.6, 0.35], [0, 1, 1]], [0.6, NAN]),
        ("agent_accuracy_missing_wrong", [[1], [1]], [0.5, 0.2]),
        ("missing", [[1], [4]], [0.5, 0.2]),
        ("agent_accuracy", [[1, 2], [0, 0]], [0.5, NAN]),
        ("prompt_tokens_per_n_eff", [[100, 4], [9, 2]], [25, 4.5]),
    ],
)
def test_values_of_quantities(name, means, values):
    quantity = next(each for each in (*DIVERSITY, *CORRECT, *COST) if each.name == name)
    found = quantity.value(np.array([means], float), SIZES)
    assert_allclose(found, [values])


def test_noise_of_some_sizes_and_what_makes_it_regular():
    noise = Noise(np.array([[4.0, 1.0, 0.0], [1.0, 9.0, 2.0], [0.0, 2.0, 1.0]]), 5)
    some = noise.at(np.array([True, False, True]))
    assert (some.covariance.tolist(), some.groups) == ([[4, 0], [0, 1]], 5)
    assert noise.regular
    assert not Noise(noise.covariance, 4).regular  # three directions of four groups
    assert not Noise(np.zeros((0, 0)), 5).regular
    assert not Noise(np.ones((2, 2)), 5).regular  # one size is the other
    assert not Noise(np.diag([1.0, 0.0]), 5).regular
    assert not Noise(np.diag([1.0, NAN]), 5).regular
