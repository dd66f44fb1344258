"""Pairs of a mixed team by family against every pair looked at."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_of_answers import TEAM, answers_frame, answers_table

from headcount.errors import UserError
from headcount.measures.blocks import block_pairs
from headcount.measures.table import measure
from headcount.schema import BLOCKS

FAMILIES = {"a": "one", "b": "two", "c": "one", "d": "three"}  # a and c are of one family


def mixed(seed: int, models="abcd", **options) -> pd.DataFrame:
    """Random teams of 1 to 6 whose agents are of several models."""
    rng = np.random.default_rng(seed)
    frame = answers_frame(rng, **options)
    return frame.assign(model=rng.choice(list(models), len(frame)))


def slow_blocks(frame: pd.DataFrame) -> pd.DataFrame:
    """Every pair of agents of every team, one at a time."""
    rows = []
    for key, team in frame.groupby(TEAM, sort=True):
        agents = list(zip(team["model"].map(FAMILIES), team["answer"], strict=True))
        for (one, answer), (other, another) in combinations(agents, 2):
            valid = isinstance(answer, str) and isinstance(another, str)
            rows.append([*key, *sorted([one, other]), int(valid), int(valid and answer == another)])
    columns = [*BLOCKS.keys, "pairs", "equal_pairs"]
    return pd.DataFrame(rows, columns=columns).groupby(list(BLOCKS.keys), as_index=False).sum()


def plain(table) -> pd.DataFrame:
    frame = table.to_pandas()
    return frame.astype(dict.fromkeys(frame.select_dtypes("category"), object))


@pytest.mark.parametrize("seed", range(4))
def test_blocks_are_those_of_all_pairs(seed):
    frame = mixed(seed, missing=0.3)
    table = block_pairs(answers_table(frame), FAMILIES)
    assert table.schema.equals(BLOCKS.schema)
    pd.testing.assert_frame_equal(plain(table), slow_blocks(frame), check_dtype=False)


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_all_blocks_of_a_team_are_its_pairs(seed):
    answers = answers_table(mixed(seed, teams=20))
    blocks = plain(block_pairs(answers, FAMILIES)).groupby(TEAM)[["pairs", "equal_pairs"]].sum()
    whole = plain(measure(answers)).set_index(TEAM)[["pairs", "equal_pairs"]]
    np.testing.assert_array_equal(blocks.to_numpy(), whole.loc[blocks.index].to_numpy())
    assert (whole.drop(blocks.index)["pairs"] == 0).all()


def test_order_of_rows_and_names_of_answers_change_nothing():
    frame = mixed(5)
    expected = block_pairs(answers_table(frame), FAMILIES)
    names = {"A": "17", "B": "x", "C": "a", "D": "0"}
    table = answers_table(frame.assign(answer=frame["answer"].map(names)))
    shuffled = table.take(np.random.default_rng(0).permutation(table.num_rows))
    assert block_pairs(shuffled, FAMILIES).equals(expected)


def test_a_pair_that_did_not_answer_is_a_row_without_pairs():
    """So that every item of a team of two and more is there, whoever answered."""
    frame = answers_frame(np.random.default_rng(0), missing=1.0).assign(model="a")
    table = plain(block_pairs(answers_table(frame), FAMILIES))
    assert (table[["pairs", "equal_pairs"]] == 0).all(axis=None)
    assert set(table["item"]) == set(frame.loc[frame["n"] > 1, "item"])


def test_teams_of_one_have_no_blocks():
    frame = mixed(1)
    assert block_pairs(answers_table(frame[frame["n"] == 1]), FAMILIES).num_rows == 0
    assert block_pairs(answers_table(frame).slice(0, 0), FAMILIES).num_rows == 0


def test_a_model_without_a_family_is_an_error_that_names_it():
    with pytest.raises(UserError, match=r"model 'd' is not on the team.*\(a, b, c\)"):
        block_pairs(answers_table(mixed(1)), {name: FAMILIES[name] for name in "abc"})
