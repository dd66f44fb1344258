"""`moves` against the slow way, in cases with a known end, and under what must change nothing."""

import numpy as np
import pandas as pd
import pytest
from tables_of_answers import answers_table
from talking_teams import SHAPE, slow_moves, talking_frame

from headcount.errors import UserError
from headcount.measures.moves import moves
from headcount.measures.table import measure
from headcount.schema import MOVES

KEYS = list(MOVES.keys)


def plain(table) -> pd.DataFrame:
    frame = table.to_pandas()
    return frame.astype(dict.fromkeys(("task", "condition", "item"), object)).set_index(KEYS).sort_index()


def moved(frame: pd.DataFrame) -> pd.DataFrame:
    return plain(moves(answers_table(frame)))


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one, other, check_dtype=False, check_index_type=False)


def said(*rounds: str, condition: str = "debate") -> pd.Series:
    """Moves of one team to its last round, from what its agents say in each: a letter each, - for nothing."""
    n, base = len(rounds[0]), talking_frame(0, teams=1).iloc[[0]]
    rows = [
        base.assign(condition=condition, n=n, k=n - 1, round=turn, agent=agent, answer=None if a == "-" else a)
        for turn, letters in enumerate(rounds, 1)
        for agent, a in enumerate(letters, 1)
    ]
    frame = pd.concat(rows, ignore_index=True)
    frame["correct"] = (frame["answer"] == "A").astype("boolean").where(frame["answer"].notna())
    return moved(frame).iloc[-1]


@pytest.mark.parametrize("seed", range(6))
def test_moves_are_those_of_the_slow_way(seed):
    frame = talking_frame(seed, teams=100)
    table = moves(answers_table(frame))
    assert table.schema.equals(MOVES.schema)
    slow = slow_moves(frame).set_index(KEYS).reindex(columns=list(MOVES.schema.names)[len(KEYS) :])
    assert (slow.sum() > 0).all()  # every kind of move was made
    same(plain(table), slow.fillna(0).sort_index())


def test_only_revisions_have_moves():
    frame = talking_frame(1)
    later = frame[frame["round"] > 1]
    assert len(moved(frame)) == len(later[[*SHAPE, "round"]].drop_duplicates())
    assert moves(answers_table(frame[frame["round"] == 1])).num_rows == 0
    assert moves(answers_table(frame).slice(0, 0)).num_rows == 0


@pytest.mark.parametrize(
    ("before", "now", "facing", "yielded"),
    [
        ("ABB", "BBB", 1, 1),
        ("ABB", "CBB", 1, 0),  # to another wrong answer: it has not yielded to the others
        ("ABC", "BBC", 0, 0),  # the others are tied
        ("AABB", "BABB", 2, 1),  # without its own vote, each A is alone against two B
        ("AAB", "BAB", 0, 0),  # one A, one B: tied
        ("AAABB", "BABBB", 0, 0),  # two A, two B: tied
        ("AB-", "B--", 1, 1),  # one other voice is a plurality
        ("ABB", "-BB", 0, 0),  # no answer now
        ("-BB", "BBB", 0, 0),  # none before
        ("A", "B", 0, 0),  # there are no others
    ],
)
def test_right_agents_face_the_others_not_their_team(before, now, facing, yielded):
    row = said(before, now)
    assert (row["correct_facing_wrong"], row["correct_yielded"]) == (facing, yielded)


def test_wrong_agents_learn_from_a_right_plurality():
    row = said("BAAC", "ABAC")
    assert (row["wrong_facing_correct"], row["wrong_learned"]) == (2, 1)
    assert (row["correct_to_wrong"], row["wrong_to_correct"]) == (1, 1)


def test_others_are_asked_of_the_round_before_and_the_mode_of_round_1():
    row = said("BBA", "AAB", "AAA")
    assert (row["wrong_facing_correct"], row["wrong_learned"]) == (1, 1)
    assert (row["modal"], row["modal_stayed"], row["nonmodal"], row["nonmodal_to_modal"]) == (2, 0, 1, 0)
    assert row["mode_changed"]


def test_who_left_the_mode_and_came_back_has_stayed():
    row = said("AAB", "CCB", "AAB")
    assert (row["modal"], row["modal_stayed"]) == (2, 2)
    assert not row["mode_changed"]


@pytest.mark.parametrize("rounds", [("--", "AA"), ("AA", "--")])
def test_no_mode_is_no_change_of_mode(rounds):
    assert not said(*rounds).any()


def test_whom_nobody_hears_may_still_go_their_way():
    """Without talk the same counts say how often agents go where the others are anyhow."""
    assert said("ABB", "BBB", condition="self_correction")["correct_yielded"] == 1


def test_counts_fit_together():
    row = moved(talking_frame(2, teams=120))
    assert (row["correct_first"] + row["wrong_first"] == row["modal"] + row["nonmodal"]).all()
    assert (row["correct_to_wrong"] <= row["correct_before"]).all()
    assert (row["correct_yielded"] <= row[["correct_to_wrong", "correct_facing_wrong"]].min(axis=1)).all()
    assert (row["wrong_learned"] <= row[["wrong_to_correct", "wrong_facing_correct"]].min(axis=1)).all()
    second = row[row.index.get_level_values("round") == 2]
    pd.testing.assert_series_equal(second["correct_before"], second["correct_first"], check_names=False)


def test_exchanges_are_the_change_of_the_number_right_where_all_answer():
    frame = talking_frame(3, missing=0)
    right = plain(measure(answers_table(frame)))["n_correct"].unstack("round")
    change = right.diff(axis=1).stack().dropna()
    rows = moved(frame)
    pd.testing.assert_series_equal(
        rows["wrong_to_correct"] - rows["correct_to_wrong"],
        change.reindex(rows.index),
        check_names=False,
        check_dtype=False,
    )


def test_the_mode_is_the_team_answer_of_measures():
    frame = talking_frame(4)
    answer = plain(measure(answers_table(frame)))["team_answer"].unstack("round")
    for key, changed in moved(frame)["mode_changed"].items():
        first, now = answer.loc[key[:-1], 1], answer.loc[key[:-1], key[-1]]
        assert changed == (isinstance(first, str) and isinstance(now, str) and first != now)


def test_order_of_rows_and_names_of_agents_change_nothing():
    frame = talking_frame(5)
    table = answers_table(frame)
    shuffled = table.take(np.random.default_rng(1).permutation(table.num_rows))
    assert moves(shuffled).equals(moves(table))
    turned = frame.assign(agent=frame["n"] + 1 - frame["agent"])
    same(moved(turned), moved(frame))


def test_other_items_change_nothing():
    frame = talking_frame(6)
    every = moved(frame)
    few = moved(frame[frame["item"] < "item030"])
    same(few, every[every.index.get_level_values("item") < "item030"])


def test_renaming_answers_changes_what_hangs_on_ties_and_nothing_else():
    frame = talking_frame(7)
    names = {"A": "17", "B": "-3", "C": "x", "D": "0.5", "E": "y"}
    renamed = moved(frame.assign(answer=frame["answer"].map(names)))
    tied = plain(measure(answers_table(frame)))["tie"].unstack("round")
    settled = [not tied.loc[key[:-1], [1, key[-1]]].any() for key in renamed.index]
    of_mode = ["modal", "modal_stayed", "nonmodal", "nonmodal_to_modal", "mode_changed"]
    same(renamed.drop(columns=of_mode), moved(frame).drop(columns=of_mode))
    same(renamed[settled], moved(frame)[settled])
    assert 0 < sum(settled) < len(settled)


def test_a_round_that_is_not_there_is_an_error_that_names_it():
    frame = talking_frame(8)
    key = frame[frame["round"] == 3].iloc[0]
    gap = (frame["item"] == key["item"]) & (frame["round"] == 2)
    with pytest.raises(UserError, match=rf"item {key['item']}.*round 3: the round before is not there"):
        moves(answers_table(frame[~gap]))
    with pytest.raises(UserError, match="rounds from 1 on"):
        moves(answers_table(frame[frame["round"] > 1]))


def test_an_agent_without_a_row_is_an_error_that_names_it():
    frame = talking_frame(9)
    key = frame[(frame["n"] > 2) & (frame["round"] == 2)].iloc[0]
    gone = frame[SHAPE].eq(key[SHAPE]).all(axis=1) & (frame["round"] == 2) & (frame["agent"] == 2)
    with pytest.raises(UserError, match=rf"item {key['item']}.*round 2: agent 2 has no row"):
        moves(answers_table(frame[~gone]))
