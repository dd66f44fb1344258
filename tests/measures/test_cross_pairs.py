"""Pairs within teams and across them against every pair looked at."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_of_answers import answers_frame, answers_table

from headcount.errors import UserError
from headcount.measures.cross_pairs import cross_pairs
from headcount.measures.table import measure
from headcount.schema import CROSS_PAIRS
from headcount.store import plain

SHAPE = list(CROSS_PAIRS.keys)


def run_again(seed: int, replicates=(1, 2), **options) -> pd.DataFrame:
    """Random teams of 1 to 6, each run again with other agents who answer anew."""
    rng = np.random.default_rng(seed)
    frame = answers_frame(rng, **options)
    parts = []
    for replicate in replicates:
        answer = pd.Series(rng.permutation(frame["answer"].to_numpy()))
        correct = (answer == "A").astype("boolean").where(answer.notna())
        parts.append(frame.assign(replicate=replicate, answer=answer, correct=correct))
    return pd.concat(parts, ignore_index=True)


def slow_pairs(frame: pd.DataFrame) -> pd.DataFrame:
    """Every two agents of every shape, one pair at a time."""
    rows = []
    for key, agents in frame.groupby(SHAPE, sort=True):
        count = dict.fromkeys(CROSS_PAIRS.schema.names[len(SHAPE) :], 0)
        given = [(row.replicate, row.answer) for row in agents.itertuples() if isinstance(row.answer, str)]
        count["replicates"] = agents["replicate"].nunique()
        count["n_valid"], count["n_correct"] = len(given), sum(answer == "A" for _, answer in given)
        for (team, answer), (other, another) in combinations(given, 2):
            kind = "pairs" if team == other else "cross_pairs"
            count[kind] += 1
            count[f"equal_{kind}"] += answer == another
            count[f"correct_{kind}"] += answer == another == "A"
            if team == other:
                count["right_in_pairs"] += ((answer == "A") + (another == "A")) / 2
        rows.append(dict(zip(SHAPE, key, strict=True)) | count)
    return pd.DataFrame(rows)


@pytest.mark.parametrize(("seed", "replicates"), [(0, (1, 2)), (1, (1, 2, 3)), (2, (2, 5))])
def test_pairs_are_those_of_all_agents(seed, replicates):
    frame = run_again(seed, replicates, missing=0.3)
    table = cross_pairs(answers_table(frame))
    assert table.schema.equals(CROSS_PAIRS.schema)
    pd.testing.assert_frame_equal(plain(table), slow_pairs(frame), check_dtype=False)


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_pairs_within_are_those_of_the_measures(seed):
    answers = answers_table(run_again(seed, teams=20))
    names = ["n_valid", "n_correct", "pairs", "equal_pairs", "correct_pairs"]
    ours = plain(cross_pairs(answers)).set_index(SHAPE)[names]
    measured = plain(measure(answers)).groupby(SHAPE)[names].sum()
    np.testing.assert_array_equal(ours.to_numpy(), measured.loc[ours.index].to_numpy())


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_only_what_was_run_again_has_rows(seed):
    """Replicates differ by size: of some teams there is a second one, of most there is not."""
    frame = run_again(seed, teams=12)
    again = frame.groupby(SHAPE).ngroup() % 3 == 0
    some = frame[(frame["replicate"] == 1) | again]
    ours, every = (plain(cross_pairs(answers_table(rows))) for rows in (some, frame[again]))
    pd.testing.assert_frame_equal(ours, every)


def test_where_every_team_was_run_once_there_is_no_row():
    once = answers_frame(np.random.default_rng(0))
    for frame in (once, once[:0]):
        table = cross_pairs(answers_table(frame))
        assert table.num_rows == 0
        assert table.schema.equals(CROSS_PAIRS.schema)


def test_order_of_rows_and_names_of_answers_change_nothing():
    frame = run_again(5)
    expected = cross_pairs(answers_table(frame))
    names = {"A": "17", "B": "x", "C": "a", "D": "0"}
    table = answers_table(frame.assign(answer=frame["answer"].map(names)))
    assert cross_pairs(table.take(np.random.default_rng(0).permutation(table.num_rows))).equals(expected)


def test_a_team_with_an_agent_missing_is_refused():
    frame = run_again(0)
    victim = frame[frame["n"] > 1].iloc[0]
    with pytest.raises(UserError, match="has no row"):
        cross_pairs(answers_table(frame.drop(victim.name)))
