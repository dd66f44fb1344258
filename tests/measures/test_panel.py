"""The first agent of each model, side by side."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_panels import LETTERS, answers_of, random_codes, table_of

from headcount.measures.panel import Panel, panels
from headcount.measures.table import measure

MEMBERS = ("a", "b", "a", "c", "a", "b")  # all three are seated from n = 4 on


def team(n: int, seed: int = 0, items: int = 12, **key) -> pd.DataFrame:
    codes, gold = random_codes(np.random.default_rng((seed, n)), items, [0.6] * n, missing=0.2)
    return answers_of(codes, gold, MEMBERS[:n], **key)


def only(answers) -> Panel:
    (panel,) = panels(answers)
    return panel


def text(panel: Panel) -> np.ndarray:
    return np.array([*panel.answers, None], dtype=object)[panel.answer]


def test_it_is_the_first_agent_of_each_model_in_the_smallest_team_that_seats_them_all():
    frames = [team(n) for n in (6, 2, 4, 3)]
    panel = only(table_of(*frames))
    assert panel.models == ["a", "b", "c"]
    four = frames[2].pivot(index="item", columns="agent", values="answer")[[1, 2, 4]]
    assert (text(panel) == four.astype(object).where(four.notna(), None).to_numpy()).all()
    assert panel.items == sorted(frames[2]["item"])[::4]


def test_of_teams_of_one_size_it_is_the_one_that_hears_most():
    heard = {k: team(4, seed=k, condition="debate", k=k) for k in (1, 3, 2)}
    assert (text(only(table_of(*heard.values()))) == text(only(table_of(heard[3])))).all()


def test_if_no_team_seats_all_it_is_the_smallest_with_the_most():
    small, large = team(2), team(3, seed=1)
    assert (text(only(table_of(small, large))) == text(only(table_of(small)))).all()


def test_a_team_of_one_model_has_no_panel():
    codes, gold = random_codes(np.random.default_rng(0), 5, [0.5] * 3)
    assert list(panels(table_of(answers_of(codes, gold, "aaa")))) == []
    assert list(panels(table_of(answers_of(codes, gold, "aaa")).slice(0, 0))) == []


def test_there_is_one_for_each_task_condition_and_round():
    keys = [("t", "debate", 1), ("t", "debate", 2), ("s", "noise", 1)]
    frames = [team(4, task=task, condition=condition, round=turn) for task, condition, turn in keys]
    found = [(panel.task, panel.condition, panel.round) for panel in panels(table_of(*frames))]
    assert found == sorted(keys)


def test_items_are_those_of_the_task_whatever_the_condition_lacks():
    """So that weights of items go to the same items in every condition."""
    frames = team(4), team(4, condition="debate", k=3)
    frames = frames[0], frames[1][frames[1]["item"] != "item0000"]
    debate, alone = panels(table_of(*frames))
    assert debate.items == alone.items
    assert debate.item.tolist() == list(range(1, 12))
    assert np.isnan(debate.item_means(debate.correct)[0]).all()


@settings(max_examples=15)
@given(st.integers(0, 100), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(seed, random):
    frame = pd.concat([team(4, seed), team(4, seed, replicate=2)])
    order = list(range(len(frame)))
    random.shuffle(order)
    panel, other = only(table_of(frame)), only(table_of(frame).take(order))
    assert (text(panel) == text(other)).all()
    assert (panel.correct == other.correct).all()
    assert panel.models == other.models


@pytest.mark.parametrize("seed", range(3))
def test_its_plurality_is_that_of_the_measures_if_each_model_sits_once(seed):
    codes, gold = random_codes(np.random.default_rng(seed), 80, [0.4] * 4, missing=0.5)
    answers = table_of(answers_of(codes, gold, "abcd"))
    measures, panel = measure(answers).to_pandas(), only(answers)
    said = panel.plurality()
    assert (said < 0).any()
    assert measures["tie"].any()
    assert measures["team_correct"].tolist() == panel.right(said).tolist()
    assert np.array([*panel.answers, None], dtype=object)[said].tolist() == [
        answer if isinstance(answer, str) else None for answer in measures["team_answer"]
    ]


def test_replicates_of_an_item_are_averaged():
    first, second = team(4, 0), team(4, 1, replicate=2)
    panel = only(table_of(first, second[second["item"] != "item0003"]))
    frame = pd.DataFrame(panel.correct).groupby(panel.item).mean()
    np.testing.assert_allclose(panel.item_means(panel.correct), frame.to_numpy())


def test_answers_are_right_where_the_models_that_gave_them_are():
    codes = np.array([[0, 1, 2, 0], [3, 3, -1, 1], [-1, -1, -1, -1]])
    panel = only(table_of(answers_of(codes, np.array([0, 1, 2]), "abcd")))
    code = {letter: panel.answers.index(letter) for letter in LETTERS[:4]}
    assert panel.right(np.array([code["A"], code["B"], -1])).tolist() == [True, True, False]
    assert panel.right(np.array([code["B"], code["D"], code["A"]])).tolist() == [False, False, False]
