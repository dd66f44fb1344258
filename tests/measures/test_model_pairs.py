"""Pairs of models, against every item of every pair looked at."""

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_panels import random_codes
from scipy.stats import pearsonr

from headcount.measures.model_pairs import PARTS, QUANTITIES, mean_over_pairs, ratio_of, sides

NAN = float("nan")


def made_up(seed: int, *, items: int = 60, models: int = 5, missing: float = 0.2):
    """Answers, whether they are right, and numbers of options, one unknown."""
    rng = np.random.default_rng(seed)
    codes, gold = random_codes(rng, items, rng.uniform(0.2, 0.8, models), missing=missing)
    n_options = rng.integers(2, 10, items).astype(float)
    n_options[rng.integers(items)] = NAN
    return codes, codes == gold[:, None], n_options


def ratios(codes, correct, n_options, quantity: str):
    """Numerator and denominator of every pair."""
    first, second = np.triu_indices(codes.shape[1], 1)
    both = sides(codes, correct & (codes >= 0), n_options, first, second)
    wanted = QUANTITIES[quantity]
    return wanted.ratio(*(np.asarray(PARTS[part](both), float).sum(axis=0) for part in wanted.parts))


def slow(codes, correct, n_options) -> dict[str, list[float]]:
    """Each quantity by definition, one pair at a time."""
    found: dict[str, list[float]] = {name: [] for name in QUANTITIES}
    for i, j in combinations(range(codes.shape[1]), 2):
        base = [row for row in range(len(codes)) if codes[row, i] >= 0 and codes[row, j] >= 0]
        wrong = [row for row in base if not correct[row, i] and not correct[row, j]]
        equal = [codes[row, i] == codes[row, j] for row in base]
        equal_wrong = [codes[row, i] == codes[row, j] for row in wrong]
        p, q = (sum(correct[row, side] for row in base) / len(base) for side in (i, j))
        m = np.mean([1 / (n_options[row] - 1) for row in base if not isnan(n_options[row])])
        expected = p * q + (1 - p) * (1 - q) * m
        values = {
            "agreement": np.mean(equal),
            "agreement_chance": expected,
            "both_wrong": len(wrong) / len(base),
            "both_wrong_chance": (1 - p) * (1 - q),
            "equal_wrong": sum(equal_wrong) / len(base),
            "correctness_correlation": pearsonr(correct[base, i], correct[base, j]).statistic,
            "capa": (np.mean(equal) - expected) / (1 - expected),
            "equal_wrong_given_both_wrong": np.mean(equal_wrong),
            "equal_wrong_chance": np.mean([1 / (n_options[row] - 1) for row in wrong if not isnan(n_options[row])]),
        }
        for name, value in values.items():
            found[name].append(float(value))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_each_quantity_is_what_its_name_says(seed):
    made = made_up(seed)
    for name, expected in slow(*made).items():
        np.testing.assert_allclose(ratio_of(*ratios(*made, name)), expected, atol=1e-12, err_msg=name)


def test_by_hand():
    """Eight items of 5 options; A is right. Both answer six: A A, A B, B B, B C, C C, C C."""
    codes = np.array([[0, 0], [0, 1], [1, 1], [1, 2], [2, 2], [2, 2], [-1, 0], [1, -1]])
    made = codes, codes == 0, np.full(8, 5.0)
    expected_agreement = 2 / 6 * 1 / 6 + 4 / 6 * 5 / 6 * 1 / 4
    by_hand = {
        "agreement": 4 / 6,
        "agreement_chance": expected_agreement,
        "both_wrong": 4 / 6,
        "both_wrong_chance": 4 / 6 * 5 / 6,
        "equal_wrong": 3 / 6,
        "correctness_correlation": (1 / 6 - 2 / 6 * 1 / 6) / np.sqrt(2 / 6 * 4 / 6 * 1 / 6 * 5 / 6),
        "capa": (4 / 6 - expected_agreement) / (1 - expected_agreement),
        "equal_wrong_given_both_wrong": 3 / 4,
        "equal_wrong_chance": 1 / 4,
    }
    assert by_hand.keys() == QUANTITIES.keys()
    for name, value in by_hand.items():
        assert ratio_of(*ratios(*made, name))[0] == pytest.approx(value), name


def test_independent_models_are_as_alike_as_chance_has_it():
    rng = np.random.default_rng(5)
    codes, gold = random_codes(rng, 200_000, [0.7, 0.4], options=6)
    made = codes, codes == gold[:, None], np.full(len(codes), 6.0)
    value = {name: ratio_of(*ratios(*made, name))[0] for name in QUANTITIES}
    for name in ("agreement", "both_wrong"):
        assert value[name] == pytest.approx(value[f"{name}_chance"], abs=0.005)
    assert value["equal_wrong_given_both_wrong"] == pytest.approx(1 / 5, abs=0.005)
    assert value["equal_wrong_chance"] == pytest.approx(1 / 5)
    assert value["capa"] == pytest.approx(0, abs=0.008)
    assert value["correctness_correlation"] == pytest.approx(0, abs=0.008)


def test_a_model_and_itself_are_wholly_alike():
    codes, correct, n_options = made_up(3, models=1)
    twins = np.repeat(codes, 2, axis=1), np.repeat(correct, 2, axis=1), n_options
    for name in ("agreement", "correctness_correlation", "capa", "equal_wrong_given_both_wrong"):
        assert ratio_of(*ratios(*twins, name))[0] == pytest.approx(1), name


@settings(max_examples=15)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_neither_names_nor_order_matter(seed, random):
    codes, correct, n_options = made_up(seed, items=25)
    rows, models = list(range(25)), list(range(5))
    random.shuffle(rows)
    random.shuffle(models)
    renamed = np.where(codes >= 0, (codes * 7 + 3) % 11, -1)
    changed = renamed[rows][:, models], correct[rows][:, models], n_options[rows]
    for name in QUANTITIES:
        values, other = (ratio_of(*ratios(*made, name)) for made in ((codes, correct, n_options), changed))
        square = np.full((5, 5), np.nan)
        square[np.triu_indices(5, 1)] = values
        square.T[np.triu_indices(5, 1)] = values
        np.testing.assert_allclose(other, square[models][:, models][np.triu_indices(5, 1)], atol=1e-12, err_msg=name)


def test_what_has_no_base_or_no_spread_has_no_value():
    codes = np.array([[0, 0, -1], [0, 1, -1]])
    made = codes, codes == 0, np.full(2, 4.0)
    value = {name: ratio_of(*ratios(*made, name)) for name in QUANTITIES}
    assert np.isnan(value["agreement"]).tolist() == [False, True, True]
    assert np.isnan(value["correctness_correlation"]).all()  # the first is always right
    assert np.isnan(value["equal_wrong_given_both_wrong"]).all()  # and so never wrong with another
    assert np.isnan(ratio_of(*ratios(codes, codes == 0, np.full(2, NAN), "capa"))).all()
    assert np.isnan(ratio_of(*ratios(codes, codes == 0, np.ones(2), "capa"))).all()  # one option is none to choose


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6))
def test_means_over_pairs_and_over_events(pairs):
    part, base = (np.array([min(pair) for pair in pairs], float), np.array([max(pair) for pair in pairs], float))
    known = [a / b for a, b in zip(part, base, strict=True) if b]
    for averaging, expected in (
        ("pairs", np.mean(known) if known else NAN),
        ("events", part.sum() / base.sum() if known else NAN),
    ):
        assert mean_over_pairs(part[None], base[None], averaging)[0] == pytest.approx(expected, nan_ok=True)
