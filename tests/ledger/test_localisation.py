"""Out-of-fold areas under the curve: scikit-learn, planted signals, and folds that hold together what they should."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from saved_debates import random_saved
from sklearn.metrics import roc_auc_score

from headcount.ledger.localisation import (
    AtRisk,
    areas,
    at_risk,
    auc,
    distinct,
    fold_masks,
    localise,
    out_of_fold,
    with_each_once,
)
from headcount.ledger.parts import ranked
from headcount.ledger.trajectories import PRE_DEBATE, ROUND_1

seeds = st.integers(0, 2**32 - 1)
SETS = {"pre_debate": PRE_DEBATE, "round_1": ROUND_1}


def folds_of(rows, rng, by):
    question, model = (ranked(rows[name])[0] for name in ("question_id", "model"))
    return fold_masks(question, model, rng, by, 5)


@settings(max_examples=30)
@given(seeds, st.integers(1, 6))
def test_auc_is_that_of_scikit_learn_with_weights(seed, values):
    rng = np.random.default_rng(seed)
    score, label = rng.integers(0, values, 40) / values, rng.random(40) < 0.5
    label[:2] = [True, False]
    weights = rng.integers(0, 3, (4, 40)).astype(float)
    weights[:, :2] = 1
    expected = [roc_auc_score(label, score, sample_weight=row) for row in weights]
    assert auc(score, label, weights) == pytest.approx(expected)


@given(seeds)
def test_rows_of_a_unit_count_as_often_as_it_does(seed):
    rng = np.random.default_rng(seed)
    score, label, unit = rng.integers(0, 5, 40) / 5, rng.random(40) < 0.5, rng.integers(0, 9, 40)
    weights = rng.integers(0, 3, (6, 9)).astype(float)
    assert auc(score, label, weights, unit) == pytest.approx(auc(score, label, weights[:, unit]), nan_ok=True)


@given(seeds, st.integers(0, 4))
def test_different_rows_are_there_once(seed, columns):
    x = np.random.default_rng(seed).choice([0.0, 0.5, np.nan], (30, columns))
    kinds, kind = distinct(x)
    np.testing.assert_array_equal(kinds[kind], x)
    assert len(kinds) == len({tuple(np.nan_to_num(row, nan=-1.0)) for row in x})


def test_folds_that_teach_the_same_score_the_same():
    """Two folds of the same rows, in another order: their scores are ties, to the last bit."""
    rng = np.random.default_rng(0)
    half, label = rng.choice([0.0, 1 / 3, 2 / 3], (50, 3)), rng.random(50) < 0.3
    order = rng.permutation(50)
    x, labels, first = np.concatenate([half, half[order]]), np.concatenate([label, label[order]]), np.arange(100) < 50
    score = out_of_fold(x, labels, [(first, ~first), (~first, first)])
    assert (score[50:] == score[:50][order]).all()


def test_auc_of_one_class_or_no_score_is_none():
    one = np.ones((1, 3))
    assert np.isnan(auc(np.arange(3.0), np.array([True] * 3), one)).all()
    assert np.isnan(auc(np.full(3, np.nan), np.array([True, False, True]), one)).all()


@pytest.mark.parametrize("by", ["question", "model", "question_and_model"])
@pytest.mark.parametrize("seed", range(3))
def test_folds_keep_together_what_they_should(by, seed):
    rows = random_saved(seed)
    masks = list(folds_of(rows, np.random.default_rng(seed), by))
    assert (np.sum([here for _, here in masks], axis=0) == 1).all()  # every row is scored once
    for away, here in masks:
        shared = [set(rows.loc[away, name]) & set(rows.loc[here, name]) for name in ("question_id", "model")]
        assert not (away & here).any()
        assert not (shared[0] and "question" in by)
        assert not (shared[1] and "model" in by)


def test_features_that_know_something_gain_and_noise_does_not():
    debates = random_saved(2, rows=800, questions=60)
    found = localise(debates, SETS, np.random.default_rng(0), draws=200).set_index("features")
    assert found.loc["pre_debate", "low"] < 0.5 < found.loc["pre_debate", "high"]
    assert found.loc["round_1", "gain_low"] > 0
    assert found.loc["round_1", "auc"] > 0.75
    assert (found["low"] <= found["auc"]).all()
    assert (found["auc"] <= found["high"]).all()
    rows, collapse = at_risk(debates)
    assert (found["debates"] == debates["initial_correct"].sum()).all()
    assert (
        found["collapses"].iloc[0] == collapse.sum() == (debates["initial_correct"] & ~debates["final_correct"]).sum()
    )
    assert rows["initial_correct"].all()


def test_rows_wrong_at_first_do_not_count():
    debates = random_saved(2)
    wrong = ~debates["initial_correct"]
    other = debates.assign(
        final_correct=debates["final_correct"] ^ wrong, r1_n_flipped=debates["r1_n_flipped"] + 9 * wrong
    )
    one, two = (localise(rows, SETS, np.random.default_rng(0), draws=20) for rows in (debates, other))
    pd.testing.assert_frame_equal(one, two)


def test_what_a_question_alone_tells_is_not_learned_from_itself():
    """Each question ends alike in all models, and a feature names it: folds of questions are not fooled by copies."""
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"question_id": np.repeat(np.arange(60), 4).astype(str), "model": np.tile(list("abcd"), 60)})
    label = np.repeat(rng.random(60) < 0.5, 4)
    for question in range(60):
        rows[f"is_{question}"] = (rows["question_id"] == str(question)).astype(float)
    names = [f"is_{question}" for question in range(60)]
    ones = np.ones((1, len(rows)))
    by_question, by_model = (
        out_of_fold(rows[names].to_numpy(), label, list(folds_of(rows, rng, by))) for by in ("question", "model")
    )
    assert auc(by_model, label, ones)[0] == pytest.approx(1.0)  # its copies in other models give it away
    assert auc(by_question, label, ones)[0] < 0.75


def test_an_interval_is_wider_when_rows_are_copies():
    debates = random_saved(2, rows=400, models=4, questions=100)
    copies = pd.concat([debates.assign(model=f"copy{i}") for i in range(3)], ignore_index=True)
    alone = localise(debates, SETS, np.random.default_rng(0), draws=300).iloc[1]
    copied = localise(copies, SETS, np.random.default_rng(0), draws=300).iloc[1]
    assert copied["auc"] == pytest.approx(alone["auc"], abs=0.02)
    assert copied["high"] - copied["low"] == pytest.approx(alone["high"] - alone["low"], rel=0.25)


def test_questions_without_a_row_change_nothing_but_their_own_draws():
    rows, collapse = at_risk(random_saved(2))
    question = ranked(rows["question_id"])[0]
    weights = np.random.default_rng(1).integers(0, 3, (20, 30)).astype(float)
    others = np.full((20, 30), 7.0)
    beside = np.stack([weights, others], axis=2).reshape(20, 60)
    few, many = (
        areas(AtRisk.of(rows, collapse, place, SETS), with_each_once(drawn), np.random.default_rng(0))
        for place, drawn in ((question, weights), (2 * question, beside))
    )
    for name, values in few.items():
        np.testing.assert_array_equal(values, many[name])


def test_nothing_collapsed_nothing_to_tell():
    debates = random_saved(2).assign(final_correct=True)
    found = localise(debates, SETS, np.random.default_rng(0), draws=10)
    assert found["auc"].isna().all()
    assert (found["collapses"] == 0).all()
