"""Pairs of models on six items, counted by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from headcount.measures.crowd import best_of
from headcount.measures.model_pairs import PARTS, QUANTITIES, mean_over_pairs, ratio_of, sides

NAN = np.nan

# Two models: both right; one right; both wrong alike; both wrong otherwise; one silent; both wrong alike.
ANSWER = np.array([[0, 0], [0, 1], [1, 1], [1, 2], [-1, 0], [3, 3]])
CORRECT = np.array([[1, 1], [1, 0], [0, 0], [0, 0], [0, 1], [0, 0]], bool)
OPTIONS = np.array([4, 4, 5, 3, 4, NAN])
PAIR = sides(ANSWER, CORRECT, OPTIONS, np.array([0]), np.array([1]))
SUMS = {name: np.asarray(part(PAIR), float).sum(axis=0) for name, part in PARTS.items()}


def test_parts_of_a_pair():
    expected = {
        "answered": 5,
        "equal": 3,
        "first_right": 2,
        "second_right": 1,
        "both_right": 1,
        "both_wrong": 3,
        "equal_wrong": 2,
        "with_options": 4,
        "chance": 1 / 3 + 1 / 3 + 1 / 4 + 1 / 2,
        "both_wrong_with_options": 2,
        "both_wrong_chance": 1 / 4 + 1 / 2,
    }
    assert {name: pytest.approx(total[0]) for name, total in SUMS.items()} == expected


def test_an_item_of_one_option_has_no_chance():
    pair = sides(ANSWER[:3], CORRECT[:3], np.array([1.0, 2.0, 0.0]), np.array([0]), np.array([1]))
    assert_allclose(pair.chance, [[NAN], [1], [NAN]])


def test_quantities_of_a_pair():
    p, q, m = 2 / 5, 1 / 5, (1 / 3 + 1 / 3 + 1 / 4 + 1 / 2) / 4
    by_chance = p * q + (1 - p) * (1 - q) * m
    expected = {
        "agreement": 3 / 5,
        "agreement_chance": by_chance,
        "both_wrong": 3 / 5,
        "both_wrong_chance": (1 - p) * (1 - q),
        "equal_wrong": 2 / 5,
        "correctness_correlation": (1 / 5 - p * q) / np.sqrt(p * (1 - p) * q * (1 - q)),
        "capa": (3 / 5 - by_chance) / (1 - by_chance),
        "equal_wrong_given_both_wrong": 2 / 3,
        "equal_wrong_chance": 3 / 8,
    }
    found = {name: each.ratio(*(SUMS[part] for part in each.parts)) for name, each in QUANTITIES.items()}
    assert {name: ratio_of(*both)[0] for name, both in found.items()} == {
        name: pytest.approx(value) for name, value in expected.items()
    }
    assert found["correctness_correlation"][0] == pytest.approx([5 * (1 / 5 - p * q)])
    assert found["agreement_chance"][1] == pytest.approx([5])


def test_a_model_that_is_always_right_correlates_with_nobody():
    right = QUANTITIES["correctness_correlation"].ratio(*(np.array([x]) for x in (4.0, 4.0, 2.0, 2.0)))
    assert (right[1].tolist(), np.isnan(ratio_of(*right)).tolist()) == ([0], [True])


def test_means_over_pairs_and_over_events():
    numerator, denominator = np.array([[1.0, 3.0, 5.0]]), np.array([[2.0, 4.0, 0.0]])
    assert_allclose(mean_over_pairs(numerator, denominator, "pairs"), [(1 / 2 + 3 / 4) / 2])
    assert_allclose(mean_over_pairs(numerator, denominator, "events"), [4 / 6])
    assert np.isnan(mean_over_pairs(numerator, 0 * denominator, "pairs")).all()
    assert np.isnan(mean_over_pairs(numerator, 0 * denominator, "events")).all()
    assert_allclose(ratio_of(np.array([1.0, 1.0]), np.array([1e-13, 1e-11])), [NAN, 1e11])


def test_the_best_of_members_along_the_last_axis():
    assert best_of(np.array([0.2, 0.9, 0.9])).tolist() == 1
    assert best_of(np.array([[0.2, NAN], [NAN, NAN], [NAN, 0.1]])).tolist() == [0, -1, 1]
    assert best_of(np.array([[[0.2, 0.3, 0.1]], [[NAN, NAN, NAN]]])).tolist() == [[1], [-1]]
