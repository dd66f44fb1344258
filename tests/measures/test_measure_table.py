"""`measure` against the slow way, under permutations, and on teams that are not whole."""

import numpy as np
import pandas as pd
import pytest
from tables_of_answers import TEAM, answers_frame, answers_table, slow_measures

from headcount.errors import UserError
from headcount.measures.table import measure
from headcount.schema import MEASURES


@pytest.fixture
def frame():
    return answers_frame(np.random.default_rng(0))


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one, other, check_dtype=False, check_categorical=False, rtol=1e-12)


def plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Labels as text, as a comparison needs them."""
    return frame.astype(dict.fromkeys(("task", "condition", "item", "team_answer"), object))


@pytest.mark.parametrize("seed", range(5))
def test_measures_are_those_of_the_slow_way(seed):
    frame = answers_frame(np.random.default_rng(seed), missing=0.3)
    table = measure(answers_table(frame))
    assert table.schema.equals(MEASURES.schema)
    same(plain(table.to_pandas()), plain(slow_measures(frame)))


def test_order_of_rows_changes_nothing(frame):
    table = answers_table(frame)
    shuffled = table.take(np.random.default_rng(1).permutation(table.num_rows))
    assert measure(shuffled).equals(measure(table))


def test_which_agent_gave_an_answer_changes_nothing(frame):
    rng = np.random.default_rng(2)
    seats = frame.groupby(TEAM)["agent"].transform(lambda agents: rng.permutation(len(agents)) + 1)
    ours = measure(answers_table(frame.assign(agent=seats))).to_pandas()
    same(plain(ours), plain(measure(answers_table(frame)).to_pandas()))


def test_other_items_change_nothing(frame):
    few = frame[frame["item"] < "item030"]
    every = measure(answers_table(frame)).to_pandas()
    same(
        plain(measure(answers_table(few)).to_pandas()),
        plain(every[every["item"].astype(str) < "item030"].reset_index(drop=True)),
    )


def test_renaming_answers_changes_the_choice_in_a_tie_and_nothing_else(frame):
    names = {"A": "17", "B": "-3", "C": "x", "D": "0.5"}
    renamed = measure(answers_table(frame.assign(answer=frame["answer"].map(names)))).to_pandas()
    original = measure(answers_table(frame)).to_pandas()
    of_choice = ["team_answer", "team_correct"]
    same(plain(renamed).drop(columns=of_choice), plain(original).drop(columns=of_choice))
    clear = ~original["tie"]
    same(
        plain(renamed)[clear]["team_answer"].to_frame(),
        plain(original)[clear]["team_answer"].map(names).to_frame(),
    )
    assert renamed["team_correct"][clear].equals(original["team_correct"][clear])


def test_a_tie_is_settled_the_same_way_at_every_size_and_in_every_condition():
    base = answers_frame(np.random.default_rng(0), teams=1).iloc[[0]]
    votes = {2: "AB", 4: "ABAB", 5: "ABABC", 6: "AABBCD"}
    teams = [
        base.assign(condition=c, item=i, n=n, k=n - 1, agent=a + 1, answer=v, correct=v == "A")
        for c in ("debate", "noise")
        for i in map(str, range(8))
        for n, answers in votes.items()
        for a, v in enumerate(answers)
    ]
    measured = measure(answers_table(pd.concat(teams))).to_pandas()
    assert measured["tie"].all()
    assert (measured.groupby("item")["team_answer"].nunique() == 1).all()
    assert measured["team_answer"].nunique() == 2


def test_nobody_answers():
    frame = answers_frame(np.random.default_rng(0), missing=1.0)
    measured = measure(answers_table(frame)).to_pandas()
    assert not measured[["team_correct", "tie", "unanimous", "unanimous_wrong"]].any(axis=None)
    assert measured[["team_answer", "entropy", "agreement"]].isna().all(axis=None)


def test_no_rows_give_no_rows(frame):
    assert measure(answers_table(frame).slice(0, 0)).num_rows == 0


def test_a_team_without_an_agent_is_an_error_that_names_it(frame):
    rows = frame.index[(frame["item"] == "item007") & (frame["agent"] == 1)]
    with pytest.raises(UserError, match=r"task1 / noise, item item007.*n=\d.*agent 1 has no row"):
        measure(answers_table(frame.drop(rows)))


def test_an_agent_from_outside_is_an_error(frame):
    frame.loc[frame["item"] == "item009", "agent"] += 1
    with pytest.raises(UserError, match=r"item item009.*is not one of 1 to"):
        measure(answers_table(frame))


def test_an_agent_that_stands_twice_is_an_error(frame):
    table = answers_table(frame)
    twice = table.take([*range(table.num_rows), table.num_rows - 1])
    with pytest.raises(UserError, match="stands twice"):
        measure(twice)


def test_an_answer_both_right_and_wrong_is_an_error(frame):
    team = frame[(frame["item"] == "item004")].index
    frame.loc[team, "answer"] = "A"
    frame.loc[team, "correct"] = [True] * (len(team) - 1) + [False]
    assert len(team) > 1
    with pytest.raises(UserError, match=r"item item004.*marked correct and wrong"):
        measure(answers_table(frame))


def test_an_answer_without_a_verdict_is_an_error(frame):
    frame.loc[frame["answer"].notna().idxmax(), "correct"] = pd.NA
    with pytest.raises(UserError, match="'correct' must be empty exactly where 'answer' is"):
        measure(answers_table(frame))
