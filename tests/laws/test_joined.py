"""Rows of a team beside one another, against joins by pandas."""

import numpy as np
import pandas as pd
import pytest
from made_up_teams import KEYS, RULES, answers, team_of

from headcount.laws.joined import TeamNumbers, joined_tasks
from headcount.schema import MOVES
from headcount.store import plain

NAMES = [name for name in MOVES.schema.names if name not in KEYS]


@pytest.fixture(scope="module")
def team():
    team = team_of(answers(items=6, replicates=2))
    shuffled = np.random.default_rng(0).permutation(team.measures.num_rows)
    return TeamNumbers(team.measures.take(shuffled), None, team.moves, team.votes)


@pytest.fixture(scope="module")
def joined(team):
    ((task, rows),) = joined_tasks(team)
    assert task == "t"
    return pd.DataFrame(rows.columns)


def beside(team, other, on=KEYS) -> pd.DataFrame:
    return plain(team.measures)[KEYS].merge(other, on=on, how="left", validate="many_to_one")


def same(ours: pd.DataFrame, theirs: pd.DataFrame) -> None:
    np.testing.assert_allclose(ours.to_numpy(dtype=float), theirs.to_numpy(dtype=float))


def test_moves_stand_in_the_row_of_their_team(team, joined):
    same(joined[NAMES], beside(team, plain(team.moves))[NAMES])
    assert joined["modal"].isna().any()


def test_votes_stand_in_the_row_of_their_team_by_rule(team, joined):
    votes = plain(team.votes)
    for rule in RULES:
        theirs = beside(team, votes[votes["rule"] == rule])
        same(joined[[f"vote_correct_{rule}", f"vote_n_eff_{rule}"]], theirs[["correct", "n_eff"]])


def test_round_1_is_that_of_the_same_team(team, joined):
    measures = plain(team.measures)
    first = measures[measures["round"] == 1].drop(columns="round")
    names = ["n_valid", "agreement", "n_correct", "correct_pairs", "pairs"]
    theirs = beside(team, first, [key for key in KEYS if key != "round"])
    same(joined[[f"first_{name}" for name in names]], theirs[names])


def test_tokens_to_here_are_sums_over_rounds(team, joined):
    measures = plain(team.measures)
    shape = [key for key in KEYS if key != "round"]
    for name in ("prompt_tokens", "completion_tokens"):
        every = measures.pivot(index=shape, columns="round", values=name).cumsum(axis=1).stack()
        theirs = every.rename("sum").reset_index()
        same(joined[[f"{name}_to_here"]], beside(team, theirs)[["sum"]])
