"""Tables that users bring, in full: what is read in them, and what is said of those that cannot be read."""

import numpy as np
import pandas as pd
import pytest

from headcount.errors import UserError
from headcount.measures.loose import measure_loose
from headcount.measures.votes import tie_rank


def table(**columns) -> pd.DataFrame:
    return pd.DataFrame({"item": ["i", "i", "j"], "agent": [1, 2, 1], "answer": ["A", "B", "A"]} | columns)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"item": [1], "x": [2]}),
            "The table lacks column 'agent', 'answer'; it has item, x. It needs item, agent and answer; task, "
            "condition, replicate, n, k, round and gold are optional.",
        ),
        (table().iloc[:0], "The table has no rows, so there is nothing to measure."),
        (
            table(agent=[1, None, 1]),
            "Row 2: 'agent' is empty. Only an answer may be empty; fill in the agent.",
        ),
        (table(item=["i", "i", None]), "Row 3: 'item' is empty. Only an answer may be empty; fill in the item."),
        (table(n=[2, 2, 0]), "Row 3: n is 0. A team's size is a number from 1."),
        (table(n=[1.5, 2, 1]), "Row 1: n is 1.5. A team's size is a number from 1."),
        (table(n=["2", "two", "1"]), "Row 2: n is two. A team's size is a number from 1."),
        (
            table(agent=["x", "x", "x"], round=[7, 7, 7]),
            "Row 2: item i, round 7: agent x stands twice. Remove a row, or tell teams apart with a column: task, "
            "condition, item, replicate, n, k, round.",
        ),
        (
            table(n=[2, 2, 3]),
            "item j, n 3: n is 3, but there are 1 agents. Give an agent without an answer a row with an empty answer, "
            "or correct n.",
        ),
        (table(gold=["A", None, "B"]), "Row 2: item i: gold is empty. Give each item one gold answer."),
        (
            table(gold=["A", "B", "B"]),
            "Row 2: item i: gold differs from another row of the team. Give each item one gold answer.",
        ),
    ],
)
def test_what_is_said_of_tables_that_cannot_be_read(frame, message):
    with pytest.raises(UserError) as error:
        measure_loose(frame)
    assert str(error.value) == message


def test_answers_are_texts_without_space_around_them():
    frame = pd.DataFrame({"item": [2, 2, 2, 2, 1], "agent": list("abcde"), "answer": [3.0, " 3 ", "3.5", 3.5, "  "]})
    first, second = measure_loose(frame.assign(gold=[3, "3", 3.0, "3 ", "x"])).to_dict("records")
    assert (first["item"], first["n"], first["n_valid"], first["n_correct"]) == (1, 1, 0, 0)
    assert pd.isna(first["team_answer"])
    assert (second["item"], second["n"], second["n_valid"], second["n_distinct"]) == (2, 4, 4, 2)
    assert (second["n_correct"], second["tie"], second["expected_correct"]) == (2, True, 0.5)


def test_without_gold_nobody_is_said_to_be_right():
    row = measure_loose(table()).to_dict("records")[0]
    assert not {"n_correct", "team_correct", "unanimous_wrong"} & set(row)
    assert (row["item"], row["n"], row["pairs"], row["equal_pairs"], row["unanimous"]) == ("i", 2, 1, 0, False)


def test_a_table_without_any_answer_has_teams_that_said_nothing():
    rows = measure_loose(table(answer=[None] * 3))
    assert rows["n_valid"].tolist() == [0, 0]
    assert rows[["team_answer", "entropy", "agreement"]].isna().all(axis=None)


def test_ties_go_by_item_and_replicate():
    items = [f"i{place}" for place in range(12)]
    frame = pd.DataFrame({"item": np.repeat(items, 2), "agent": [1, 2] * 12, "answer": ["A", "B"] * 12})
    for replicate, given in (("", frame), ("7", frame.assign(replicate=7))):
        expected = [min("AB", key=lambda answer, i=item, r=replicate: tie_rank(i, r, answer)) for item in sorted(items)]
        assert measure_loose(given)["team_answer"].tolist() == expected


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, "", " "])
def test_missing_answers_are_none(missing):
    row = measure_loose(table(answer=["A", missing, "A"])).to_dict("records")[0]
    assert (row["n"], row["n_valid"], row["team_answer"]) == (2, 1, "A")


def test_teams_are_told_apart_by_every_key_and_sorted_by_it():
    frame = pd.concat([table(round=2), table(round=1, answer=["B", "B", None])])
    rows = measure_loose(frame)
    assert rows[["item", "n", "round"]].to_numpy().tolist() == [["i", 2, 1], ["i", 2, 2], ["j", 1, 1], ["j", 1, 2]]
    assert rows["n_distinct"].tolist() == [1, 2, 0, 1]
    assert rows["n_eff_answer"].fillna(0).tolist() == [1, 2, 0, 1]
