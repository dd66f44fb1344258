"""`measure_loose`: the same numbers from three columns, and errors that name the row."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_of_answers import TEAM, answers_frame, answers_table, slow_team

from headcount.errors import UserError
from headcount.measures.loose import measure_loose
from headcount.measures.table import measure


def small(**columns) -> pd.DataFrame:
    base = {"item": ["x", "x", "x"], "agent": [1, 2, 3], "answer": ["A", "A", "B"]}
    return pd.DataFrame(base | columns)


def test_it_is_measure_where_both_apply():
    frame = answers_frame(np.random.default_rng(3)).assign(gold="A")
    loose = measure_loose(frame[[*TEAM, "agent", "answer", "gold"]])
    strict = measure(answers_table(frame.drop(columns="gold"))).to_pandas()
    assert set(strict.columns) - set(loose.columns) == {"prompt_tokens", "completion_tokens"}
    labels = dict.fromkeys(("task", "condition", "item", "team_answer"), object)
    pd.testing.assert_frame_equal(loose.astype(labels), strict[loose.columns].astype(labels), check_dtype=False)


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["A", "B", "C", None]), min_size=1, max_size=7))
def test_one_team_by_definition(answers):
    frame = pd.DataFrame({"item": "x", "agent": range(len(answers)), "answer": answers})
    ours = measure_loose(frame).iloc[0]
    tokens = frame.assign(prompt_tokens=0, completion_tokens=0)
    expected = slow_team("x", "", len(answers), tokens)
    assert ours["n"] == len(answers)
    for name in (
        "n_valid",
        "n_distinct",
        "entropy",
        "agreement",
        "n_eff_agreement",
        "tie",
        "unanimous",
    ):
        assert ours[name] == pytest.approx(expected[name], nan_ok=True), name


def test_the_size_is_the_number_of_agents_unless_given():
    frame = pd.DataFrame({"item": ["x"] * 3 + ["y"] * 2, "agent": [1, 2, 3, 1, 2], "answer": "A"})
    assert measure_loose(frame)["n"].tolist() == [3, 2]


def test_sizes_in_one_table_are_teams_of_their_own():
    frame = pd.DataFrame({"item": "x", "n": [2, 2, 3, 3, 3], "agent": [1, 2, 1, 2, 3], "answer": "A"})
    assert measure_loose(frame)["n"].tolist() == [2, 3]


@pytest.mark.parametrize("nothing", [None, "", "  ", np.nan])
def test_an_empty_answer_is_missing(nothing):
    measured = measure_loose(small(answer=["A", "A", nothing])).iloc[0]
    assert (measured["n"], measured["n_valid"], measured["n_distinct"]) == (3, 2, 1)


def test_a_reader_that_makes_floats_of_numbers_changes_no_answer():
    """Pandas reads 5,5,(empty) as floats."""
    measured = measure_loose(small(answer=[5.0, 5.0, np.nan], gold=[5, 5, 5])).iloc[0]
    assert measured["team_answer"] == "5"
    assert measured["team_correct"]


def test_correctness_needs_gold():
    without = measure_loose(small())
    assert not {"team_correct", "n_correct", "unanimous_wrong"} & set(without.columns)
    measured = measure_loose(small(gold="B")).iloc[0]
    assert (measured["n_correct"], measured["team_correct"]) == (1, False)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (small().drop(columns="answer"), "lacks column 'answer'.* has item, agent"),
        (small().iloc[:0], "no rows"),
        (small(agent=[1, 2, 2]), "Row 3: item x: agent 2 stands twice"),
        (small(n=[4, 4, 4]), "item x, n 4: n is 4, but there are 3 agents"),
        (small(n=["three", 3, 3]), "Row 1: n is three"),
        (small(item=["x", None, "x"]), "Row 2: 'item' is empty"),
        (small(gold=["A", "A", "B"]), "Row 3: item x: gold differs"),
        (small(gold=["A", None, "A"]), "Row 2: item x: gold is empty"),
    ],
)
def test_errors_say_where_and_what(frame, message):
    with pytest.raises(UserError, match=message):
        measure_loose(frame)
