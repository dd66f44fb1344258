"""Crowdsourcing rules against our own, and members chosen on one half of the items."""

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene, OneCoinDawidSkene, Wawa, ZeroBasedSkill
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_panels import random_codes

from headcount.measures.crowd import CROWD_RULES, best_of, crowd_answers, halves, scored

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:crowdkit")


def planted(seed: int = 0, items: int = 400, accuracy=(0.9, 0.75, 0.5, 0.4, 0.35), **how):
    """A panel whose members are as good as planted; answers (items, members) and gold."""
    return random_codes(np.random.default_rng(seed), items, accuracy, **how)


def votes_of(codes) -> pd.DataFrame:
    row, model = np.nonzero(codes >= 0)
    return pd.DataFrame({"task": row, "worker": model, "label": codes[row, model]})


def shares(codes, weights, kinds: int) -> np.ndarray:
    """Weighted share of each answer, (items, kinds), for items with an answer."""
    total = np.stack([((codes == kind) * weights).sum(axis=1) for kind in range(kinds)], axis=1)
    return total / total.sum(axis=1, keepdims=True)


def expectation_maximisation(codes, kinds: int, steps: int, one_coin: bool) -> np.ndarray:
    """Dawid & Skene's algorithm, (items, kinds): from the shares of votes, each step learns errors, then answers."""
    given_ = np.stack([codes == kind for kind in range(kinds)], axis=2).astype(float)  # (items, members, kinds)
    belief = shares(codes, 1.0, kinds)
    for _ in range(steps):
        confusion = np.einsum("im,ijl->jml", belief, given_)  # (members, true kind, given kind)
        error = confusion / np.maximum(confusion.sum(axis=2, keepdims=True), 1e-300)
        if one_coin:
            skill = np.einsum("im,ijm->j", belief, given_) / given_.sum(axis=(0, 2))
            other = (1 - skill) / (kinds - 1)
            error = np.where(np.eye(kinds, dtype=bool), skill[:, None, None], other[:, None, None])
        prior = belief.mean(axis=0)
        log = np.log(prior) + np.einsum("ijl,jml->im", given_, np.log(np.clip(error, 1e-10, None)))
        belief = np.exp(log - log.max(axis=1, keepdims=True))
        belief /= belief.sum(axis=1, keepdims=True)
    return belief


@pytest.mark.parametrize(("rule", "theirs"), [("dawid_skene", DawidSkene), ("one_coin_dawid_skene", OneCoinDawidSkene)])
@pytest.mark.parametrize("seed", range(3))
def test_dawid_and_skenes_rules_are_their_algorithm(rule, theirs, seed):
    codes, gold = planted(seed, missing=0.2)
    codes, gold = codes[(codes >= 0).any(axis=1)], gold[(codes >= 0).any(axis=1)]
    fitted = theirs().fit(votes_of(codes))
    ours = expectation_maximisation(codes, 4, len(fitted.loss_history_), one_coin=rule != "dawid_skene")
    np.testing.assert_allclose(fitted.probas_.sort_index()[[0, 1, 2, 3]].to_numpy(), ours, atol=1e-6)
    said = crowd_answers(codes, rule)
    assert said.tolist() == ours.argmax(axis=1).tolist()
    assert (said == gold).mean() > (crowd_answers(codes, "majority_vote") == gold).mean()


def test_skills_that_were_planted_come_back():
    codes, _ = planted(items=4000)
    belief = expectation_maximisation(codes, 4, 100, one_coin=True)
    skill = [belief[np.arange(4000), codes[:, j]][codes[:, j] >= 0].mean() for j in range(5)]
    assert skill == pytest.approx([0.9, 0.75, 0.5, 0.4, 0.35], abs=0.03)
    said = crowd_answers(codes, "one_coin_dawid_skene")
    assert (said == belief.argmax(axis=1))[(codes >= 0).any(axis=1)].mean() > 0.97


@pytest.mark.parametrize("seed", range(3))
def test_wawa_weighs_by_agreement_with_the_majority(seed):
    codes, _ = planted(seed, missing=0.1)
    codes = codes[(codes >= 0).any(axis=1)]
    majority = crowd_answers(codes, "majority_vote")
    skill = [(codes[:, j] == majority)[codes[:, j] >= 0].mean() for j in range(5)]
    assert crowd_answers(codes, "wawa").tolist() == shares(codes, np.array(skill), 4).argmax(axis=1).tolist()


def test_without_ties_wawa_is_crowd_kits():
    codes, _ = planted(4, accuracy=(0.9, 0.7, 0.6), options=2, missing=0)
    skill = Wawa().fit(votes_of(codes)).skills_.sort_index().to_numpy()
    assert crowd_answers(codes, "wawa").tolist() == shares(codes, skill, 2).argmax(axis=1).tolist()


def test_zero_based_skill_goes_on_until_its_weights_stand_still():
    codes, _ = planted(3)
    codes = codes[(codes >= 0).any(axis=1)]
    said = crowd_answers(codes, "zero_based_skill")
    skill = [(codes[:, j] == said)[codes[:, j] >= 0].mean() for j in range(5)]
    assert said.tolist() == shares(codes, np.array(skill), 4).argmax(axis=1).tolist()
    assert (said != crowd_answers(codes, "wawa")).any()


@pytest.mark.parametrize("seed", range(6))
def test_weights_that_stand_still_are_crowd_kits_after_as_many_steps_as_it_likes(seed):
    codes, _ = planted(seed, items=80, missing=0.2)
    codes = codes[(codes >= 0).any(axis=1)]
    skill = ZeroBasedSkill(n_iter=19).fit(votes_of(codes)).skills_.sort_index().to_numpy()
    assert crowd_answers(codes, "zero_based_skill").tolist() == shares(codes, skill, 4).argmax(axis=1).tolist()


@pytest.mark.parametrize("rule", CROWD_RULES)
def test_every_rule_finds_what_good_members_know(rule):
    codes, gold = planted(items=1500, accuracy=(0.95, 0.9, 0.3, 0.3, 0.3, 0.3))
    accuracy = {name: (crowd_answers(codes, name) == gold).mean() for name in ("majority_vote", rule)}
    if rule != "majority_vote":
        assert accuracy[rule] > accuracy["majority_vote"] + 0.05
    assert accuracy[rule] > 0.6


@pytest.mark.parametrize("rule", CROWD_RULES)
def test_what_nobody_answered_has_no_answer(rule):
    codes, _ = planted(items=60, missing=0.7)
    assert ((crowd_answers(codes, rule) < 0) == (codes < 0).all(axis=1)).all()
    assert (codes < 0).all(axis=1).any()


@pytest.mark.parametrize("rule", CROWD_RULES)
def test_where_all_say_the_same_so_does_every_rule(rule):
    codes = np.array([[2, 2, -1], [2, 2, 2], [-1, -1, -1]])
    assert crowd_answers(codes, rule).tolist() == [2, 2, -1]
    assert crowd_answers(np.full((2, 3), -1), rule).tolist() == [-1, -1]


def test_free_form_answers_are_no_classes():
    codes = np.arange(60).reshape(20, 3)
    said = {rule: crowd_answers(codes, rule) for rule in CROWD_RULES}
    assert {rule for rule, answers in said.items() if answers is None} == {
        "dawid_skene",
        "one_coin_dawid_skene",
        "mmsr",
    }


@pytest.mark.parametrize("rule", CROWD_RULES)
def test_neither_the_order_of_items_nor_that_of_members_matters(rule):
    """MMSR's random start gives each member, by its place, its own number."""
    codes, _ = planted(2, items=150)
    rows, members = (np.random.default_rng(1).permutation(size) for size in codes.shape)
    other = codes[rows] if rule == "mmsr" else codes[rows][:, members]
    assert crowd_answers(other, rule).tolist() == crowd_answers(codes, rule)[rows].tolist()


def test_a_majoritys_ties_go_to_the_first_label():
    codes = np.array([[3, 1, 1, 3], [2, 0, -1, -1], [1, 1, 0, 0]])
    assert crowd_answers(codes, "majority_vote").tolist() == [1, 0, 0]


names = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=30, unique=True)


@given(names, st.integers(1, 4))
def test_an_items_half_depends_on_nothing_else(items, splits):
    alone = [halves([item], splits)[:, 0].tolist() for item in items]
    assert halves(items, splits).T.tolist() == alone


def test_halves_are_the_same_on_every_machine():
    assert halves([f"item{i}" for i in range(8)], 2).astype(int).tolist() == [
        [1, 0, 0, 1, 1, 1, 1, 0],
        [0, 0, 0, 0, 1, 0, 1, 1],
    ]


def test_halves_are_halves_and_no_two_splits_alike():
    second = halves([f"item{i}" for i in range(4000)], 6)
    assert second.mean(axis=1) == pytest.approx(0.5, abs=0.03)
    assert np.abs(np.corrcoef(second)[np.triu_indices(6, 1)]).max() < 0.06


def test_the_best_is_the_first_of_the_best():
    accuracy = np.array([[0.2, 0.7, 0.7], [np.nan, 0.1, 0.0], [np.nan] * 3])
    assert best_of(accuracy).tolist() == [1, 1, -1]
    np.testing.assert_array_equal(scored(accuracy + 1, best_of(accuracy)), [1.7, 1.1, np.nan])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 12))
def test_no_panel_is_too_small_for_the_rules(seed, models, items):
    codes = np.random.default_rng(seed).integers(-1, 3, (items, models))
    for rule in CROWD_RULES:
        said = crowd_answers(codes, rule)
        assert said is None or ((said >= 0) == (codes >= 0).any(axis=1)).all()
