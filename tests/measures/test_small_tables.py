"""Tables of one or two small teams in full: every column by hand, and errors in their own words."""

import warnings

import pandas as pd
import pytest
from tables_of_answers import answers_table
from talking_teams import FAMILIES, talking_frame

from headcount.errors import UserError
from headcount.measures.aggregators import votes
from headcount.measures.cross_pairs import cross_pairs
from headcount.measures.moves import moves
from headcount.measures.table import measure
from headcount.measures.votes import TIE_LABEL, tie_rank
from headcount.schema import CROSS_PAIRS


@pytest.fixture(autouse=True)
def _no_warnings():
    """What has no value is null without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


ALONE = dict.fromkeys(FAMILIES, "one")
BASE = {"task": "t", "condition": "debate", "item": "i", "replicate": 3, "n": 4, "k": 2}


def team(*rounds: str, **columns) -> pd.DataFrame:
    """A team whose agents say a letter each, or nothing (-), round after round; A is right."""
    base = talking_frame(0, teams=1).iloc[[0]].assign(**BASE)
    said = [(turn, i + 1, letter) for turn, answers in enumerate(rounds, 1) for i, letter in enumerate(answers)]
    parts = [base.assign(round=t, agent=i, answer=None if a == "-" else a) for t, i, a in said]
    frame = pd.concat(parts, ignore_index=True).assign(n=len(rounds[0]), k=min(2, len(rounds[0]) - 1), **columns)
    right = (frame["answer"] == "A").astype("boolean")
    return frame.assign(correct=right.where(frame["answer"].notna()))


def only_row(table) -> dict:
    (row,) = table.to_pylist()
    return row


def test_measures_of_a_team_with_a_silent_agent():
    row = only_row(measure(answers_table(team("AAB-", prompt_tokens=[1, 2, 3, 4], completion_tokens=7))))
    counts = ("n_valid", "n_distinct", "pairs", "equal_pairs", "n_correct", "correct_pairs")
    assert [row[name] for name in counts] == [3, 2, 3, 1, 2, 1]
    assert (row["team_answer"], row["team_correct"], row["expected_correct"]) == ("A", True, 1.0)
    assert (row["tie"], row["unanimous"], row["unanimous_wrong"]) == (False, False, False)
    assert (row["prompt_tokens"], row["completion_tokens"]) == (10, 28)
    assert row["agreement"] == pytest.approx(1 / 3)
    assert row["n_eff_agreement"] == pytest.approx(2)
    assert row["n_eff_answer"] == pytest.approx(2 ** row["entropy"]) == pytest.approx(3 / 4 ** (1 / 3))
    assert {name: row[name] for name in BASE} == BASE


def test_measures_of_teams_that_say_nothing_or_agree_on_what_is_wrong():
    silent = only_row(measure(answers_table(team("--"))))
    assert [silent[name] for name in ("entropy", "n_eff_answer", "agreement", "team_answer")] == [None] * 4
    assert [silent[name] for name in ("n_valid", "team_correct", "expected_correct", "tie")] == [0, False, 0.0, False]
    wrong = only_row(measure(answers_table(team("BB-"))))
    assert [wrong[name] for name in ("unanimous", "unanimous_wrong", "team_correct")] == [True, True, False]
    right = only_row(measure(answers_table(team("AA"))))
    assert [right[name] for name in ("unanimous", "unanimous_wrong", "team_correct")] == [True, False, True]


def labels_by_winner() -> dict[str, str]:
    """A seed label by which A wins a tie of A and B, and one by which B does."""
    found: dict[str, str] = {}
    for label in map(str, range(40)):
        found[min("AB", key=lambda letter, label=label: tie_rank("i", 3, letter, label))] = label
    return found


@pytest.mark.parametrize("winner", ["A", "B"])
def test_the_label_of_ties_decides_ties_everywhere(winner):
    label, table = labels_by_winner()[winner], answers_table(team("ABAB", "BBAA", "AAAB"))
    measured = measure(table, tie_label=label).to_pylist()
    assert [row["team_answer"] for row in measured] == [winner, winner, "A"]
    assert [row["team_correct"] for row in measured] == [winner == "A", winner == "A", True]
    assert only_row(votes(table.slice(0, 4), ALONE, tie_label=label).slice(0, 1))["answer"] == winner
    moved = moves(table, tie_label=label).to_pylist()
    assert [row["mode_changed"] for row in moved] == [False, winner == "B"]


def test_the_label_of_ties_is_that_of_plurality_unless_told():
    table = answers_table(team("ABAB"))
    assert TIE_LABEL == "plurality"
    assert measure(table).equals(measure(table, tie_label="plurality"))


def test_moves_of_four_agents():
    """Agent 1 leaves A for B, 2 stays, 3 comes to A, 4 falls silent; in round 3 only 1 and 2 speak."""
    first, later = moves(answers_table(team("AABC", "BAA-", "AA--"))).to_pylist()
    assert (first["round"], later["round"]) == (2, 3)
    exchanged = ("correct_before", "wrong_before", "correct_to_wrong", "wrong_to_correct")
    assert [first[name] for name in exchanged] == [2, 1, 1, 1]
    assert [later[name] for name in exchanged] == [1, 1, 0, 1]
    since = ("correct_first", "wrong_first", "correct_to_wrong_first", "wrong_to_correct_first")
    assert [first[name] for name in since] == [2, 1, 1, 1]
    assert [later[name] for name in since] == [2, 0, 0, 0]
    modal = ("modal", "modal_stayed", "nonmodal", "nonmodal_to_modal")
    assert [first[name] for name in modal] == [2, 1, 1, 1]
    assert [later[name] for name in modal] == [2, 2, 0, 0]
    facing = ("correct_facing_wrong", "correct_yielded", "wrong_facing_correct", "wrong_learned")
    assert [first[name] for name in facing] == [0, 0, 1, 1]  # agent 3 faces A, A and C; 1 and 2 face a tie
    assert [later[name] for name in facing] == [0, 0, 1, 1]  # agent 1 said B and faces A, A
    assert [first["mode_changed"], later["mode_changed"]] == [False, False]


def test_who_yields_to_a_wrong_plurality():
    row = only_row(moves(answers_table(team("ABBA", "BBBC"))))
    facing = ("correct_facing_wrong", "correct_yielded", "wrong_facing_correct", "wrong_learned")
    assert [row[name] for name in facing] == [2, 1, 2, 0]  # agent 4 goes to another wrong answer
    assert row["correct_to_wrong"] == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda f: f.drop(index=2),
            "t / debate, item i, replicate 3, n=4, k=2, round 1: agent 3 has no row. A team of n needs agents 1 to n "
            "once each; give an agent without an answer a row with an empty one.",
        ),
        (
            lambda f: f.assign(agent=[1, 2, 3, 5]),
            "t / debate, item i, replicate 3, n=4, k=2, round 1: agent 5 is not one of 1 to 4. A team of n needs "
            "agents 1 to n once each; give an agent without an answer a row with an empty one.",
        ),
        (
            lambda f: f.assign(correct=f["correct"].where(f["agent"] != 2)),
            "t / debate, item i, replicate 3, n=4, k=2, round 1, agent 2: 'correct' must be empty exactly where "
            "'answer' is. Mark the answer again.",
        ),
        (
            lambda f: f.assign(correct=f["agent"] == 1),
            "t / debate, item i, replicate 3, n=4, k=2, round 1: the same answer is marked correct and wrong. Mark "
            "the team again.",
        ),
    ],
)
def test_what_is_said_of_answers_that_cannot_be(change, message):
    with pytest.raises(UserError) as error:
        measure(answers_table(change(team("AABB"))))
    assert str(error.value) == f"answers: {message}"


@pytest.mark.parametrize("rounds", [[2, 3], [1, 3]])
def test_what_is_said_of_rounds_with_a_gap(rounds):
    frame = team("AB", "AB", "AB")
    with pytest.raises(UserError) as error:
        moves(answers_table(frame[frame["round"].isin(rounds)]))
    assert str(error.value) == (
        f"answers: t / debate, item i, replicate 3, n=2, k=1, round {rounds[0] if rounds[0] > 1 else 3}: the round "
        "before is not there. A team needs its rounds from 1 on, without a gap."
    )


def test_votes_of_a_team_in_full():
    frame = team("ABBC", confidence=[90.0, 10.0, 20.0, 0.0], logprob=[-1.0, -2.0, -1.0, -9.0])
    rows = {row["rule"]: row for row in votes(answers_table(frame), ALONE).to_pylist()}
    told = {rule: (row["answer"], row["correct"], row["n_votes"]) for rule, row in rows.items()}
    assert told == {
        "plurality": ("B", False, 4),
        "confidence_weighted": ("A", True, 3),
        "probability_weighted": ("B", False, 4),
        "filtered": ("B", False, 3),
        "top_probability": (told["top_probability"][0], told["top_probability"][1], 2),
    }
    assert rows["plurality"]["n_eff"] == pytest.approx(2**1.5)
    assert rows["confidence_weighted"]["n_eff"] == pytest.approx((4 / 3) ** 0.75 * 4**0.25)
    assert rows["top_probability"]["n_eff"] == pytest.approx(2)  # A and B are as probable


def test_rules_that_nobody_can_vote_by_keep_no_other_from_it():
    rules = {"confidence": {"confidence_weighted"}, "logprob": {"probability_weighted", "filtered", "top_probability"}}
    for known, unknown in (("confidence", "logprob"), ("logprob", "confidence")):
        frame = team("ABBC", **{known: -0.5 if known == "logprob" else 50.0, unknown: float("nan")})
        assert {row["rule"] for row in votes(answers_table(frame), ALONE).to_pylist()} == {"plurality"} | rules[known]


def test_votes_of_families():
    frame = team("AABB", model=["m1", "m1b", "m2", "m3"])
    rows = {row["rule"]: row for row in votes(answers_table(frame), FAMILIES).to_pylist()}
    assert (rows["block_weighted"]["answer"], rows["block_weighted"]["n_votes"]) == ("B", 4)
    assert (rows["family_vote"]["answer"], rows["family_vote"]["n_votes"]) == ("B", 3)
    assert rows["family_vote"]["n_eff"] == pytest.approx(3 / 4 ** (1 / 3))


def test_a_team_that_says_nothing_has_no_answer_by_any_rule():
    table = answers_table(pd.concat([team("--", model=["m1", "m2"]), team("AB", model=["m1", "m2"], item="j")]))
    rows = votes(table, FAMILIES).to_pylist()
    silent = [row for row in rows if row["item"] == "i"]
    assert len(silent) == len({row["rule"] for row in rows}) == 7
    assert {(row["answer"], row["correct"], row["n_votes"], row["n_eff"]) for row in silent} == {(None, False, 0, None)}


def test_pairs_within_two_teams_and_across_them():
    """AA and AB: of six pairs of four agents two are within, one of them equal; A is right."""
    frame = pd.concat([team("AA", replicate=1), team("AB", replicate=5), team("AA", item="j")])
    row = only_row(cross_pairs(answers_table(frame)))
    assert (row["item"], row["n"], row["replicates"]) == ("i", 2, 2)
    assert [row[name] for name in ("n_valid", "n_correct", "right_in_pairs")] == [4, 3, 1.5]
    assert [row[name] for name in ("pairs", "equal_pairs", "correct_pairs")] == [2, 1, 1]
    assert [row[name] for name in ("cross_pairs", "equal_cross_pairs", "correct_cross_pairs")] == [4, 2, 2]


def test_pairs_across_three_teams_of_whom_some_are_silent():
    frame = pd.concat([team("AB", replicate=1), team("B-", replicate=2), team("--", replicate=3)])
    row = only_row(cross_pairs(answers_table(frame)))
    assert [row[name] for name in ("replicates", "n_valid", "n_correct", "right_in_pairs")] == [3, 3, 1, 0.5]
    assert [row[name] for name in ("pairs", "equal_pairs", "correct_pairs")] == [1, 0, 0]
    assert [row[name] for name in ("cross_pairs", "equal_cross_pairs", "correct_cross_pairs")] == [2, 1, 0]


def test_teams_that_ran_once_have_no_pairs_across():
    table = cross_pairs(answers_table(pd.concat([team("AA"), team("AB", item="j", replicate=1)])))
    assert (table.num_rows, table.schema) == (0, CROSS_PAIRS.schema)
