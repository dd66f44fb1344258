"""Transitions are what their definitions say, whoever computes them and however agents and options are called."""

import numpy as np
import pandas as pd
import pytest
from debates import (
    DEBATE,
    random_debates,
    replies,
    said,
    slow_label,
    slow_majority,
    slow_rounds,
    slow_transition,
    table,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.errors import UserError
from headcount.ledger.majority import majorities
from headcount.ledger.transitions import transitions
from headcount.measures.seats import seat
from headcount.store import plain

SEEDS = st.integers(0, 2**32 - 1)


def ledger(frame: pd.DataFrame, **how) -> pd.DataFrame:
    return plain(transitions(table(frame), "team", **how))


def one(rounds, **how) -> dict:
    (row,) = ledger(said("q", rounds), **how).to_dict("records")
    return row


@settings(max_examples=5)
@given(SEEDS)
def test_every_column_is_what_its_definition_says(seed):
    frame = random_debates(seed, debates=60)
    rows = ledger(frame, endpoint="every")
    debates = replies(frame)
    assert len(rows) == sum(len(debate) - 1 for debate in debates.values())
    for row in rows.to_dict("records"):
        wanted = slow_transition(debates[tuple(row[name] for name in DEBATE)], row["round"], "C")
        assert {name: None if pd.isna(row[name]) else row[name] for name in wanted} == wanted


@settings(max_examples=5)
@given(SEEDS, st.sampled_from(["alphabetical", "reverse_alphabetical", "strict_plurality", "keep_previous"]))
def test_majorities_by_every_tie_rule(seed, ties):
    frame = random_debates(seed, debates=40)
    seats = seat(table(frame))
    says = majorities(seats, ties)
    answers = [None if code < 0 else seats.answers[code].as_py() for code in says.answer]
    wanted = [answer for debate in replies(frame).values() for answer in slow_rounds(debate, ties)]
    assert answers == wanted
    assert ((says.right == 1) == [answer == "C" for answer in wanted]).all()
    assert ((says.right == -1) == [answer is None for answer in wanted]).all()


@settings(max_examples=5)
@given(SEEDS)
def test_what_the_missing_could_make_of_a_majority_holds_all_that_they_can(seed):
    """Against every way to fill the missing answers in, from the options and one nobody gave; ties go either way."""
    frame = random_debates(seed, debates=15, sizes=(1, 2, 3))
    rows, debates = ledger(frame), replies(frame)
    for row in rows.to_dict("records"):
        debate = debates[tuple(row[name] for name in DEBATE)]
        for end, turn in (("initial", 1), ("final", row["round"])):
            given_ = [answer for answer, *_ in debate[turn - 1]]
            filled = [[]]
            for answer in given_:
                filled = [[*way, a] for way in filled for a in ([answer] if answer else [*"ABCDE"])]
            ties = ("alphabetical", "reverse_alphabetical") if None in given_ else ("alphabetical",)
            right = {slow_majority(way, rule) == "C" for way in filled for rule in ties}
            said_ = {"right": {True}, "wrong": {False}, "either": {True, False}}[row[f"{end}_could"]]
            assert right <= said_
            if None not in given_:
                assert right == said_


@settings(max_examples=5)
@given(SEEDS, SEEDS)
def test_agents_in_another_order_have_the_same_ledger(seed, order):
    frame = random_debates(seed, debates=15)
    rng = np.random.default_rng(order)
    places = {n: rng.permutation(n) + 1 for n in range(1, 6)}
    moved = frame.assign(agent=[places[n][agent - 1] for n, agent in zip(frame["n"], frame["agent"], strict=True)])
    pd.testing.assert_frame_equal(ledger(frame, endpoint="every"), ledger(moved, endpoint="every"))


@settings(max_examples=5)
@given(SEEDS, st.permutations("ABCD"))
def test_options_by_another_name_have_the_same_labels_where_nothing_is_tied(seed, names):
    frame = random_debates(seed, debates=15)
    renamed = frame.assign(answer=frame["answer"].map(dict(zip("ABCD", names, strict=True)), na_action="ignore"))
    one, other = ledger(frame, endpoint="every"), ledger(renamed, endpoint="every")
    told = ["undefined_wrong", "transition", "initial_could", "final_could", "initial_chance", "strict_plurality"]
    untied = ~(one["initial_tie"] | one["final_tie"])
    pd.testing.assert_frame_equal(one.loc[untied, told], other.loc[untied, told])
    always = ["strict_plurality", "initial_chance", "final_chance", "initial_parsed", "changed_answers"]
    pd.testing.assert_frame_equal(one[always], other[always])


def test_a_tie_goes_to_the_first_answer_by_text_numbers_too():
    assert one([["9", "10"], ["9", "9"]])["initial_answer"] == "10"
    tied = one([["-1", "2", None], ["2", None, None]])
    assert (tied["initial_answer"], tied["initial_tie"], tied["final_tie"]) == ("-1", True, False)
    assert (tied["initial_parsed"], tied["initial_top"], tied["final_parsed"]) == (2, 1, 1)


def test_the_first_break_the_lasting_one_and_one_that_was_mended():
    broken = one([["A"] * 3, ["B"] * 3, ["A"] * 3, ["B"] * 3])
    assert (broken["transition"], broken["onset_round"], broken["onset_lasting"]) == ("collapse", 2, 4)
    mended = one([["A"] * 3, ["B"] * 3, ["A"] * 3])
    assert (mended["transition"], mended["transient_break"]) == ("preserved", True)
    assert pd.isna(mended["onset_round"])


def test_silence_is_unlabelled_and_by_the_reference_a_collapse_that_cannot_be_placed():
    row = one([["A", "A", "B"], [None] * 3])
    assert (row["transition"], row["undefined_wrong"], row["undefined_final_wrong"]) == (
        "unlabelled",
        "collapse",
        "collapse",
    )
    assert row["onset_round"] == 2
    assert pd.isna(row["onset_defined"])
    assert pd.isna(row["final_chance"])


def test_replies_whose_rule_nobody_noted_have_no_label_by_stricter_reading():
    row = one([["A", "A"], ["A", "B"]])
    untold = ledger(said("q", [["A", "A"], ["A", "B"]], rule=""))
    assert row["tag_only"] == "preserved"
    assert untold[["no_fallback", "tag_only"]].isna().all(axis=None)


def test_two_endpoints_are_never_mixed():
    long, short = said("q1", [["A"], ["B"], ["A"], ["A"]]), said("q2", [["A"], ["B"], ["A"]])
    with pytest.raises(UserError, match=r"q2, replicate 1, n=1, k=0, round 3 is the last round, and other debates"):
        ledger(pd.concat([long, short]))
    assert ledger(pd.concat([long, short]), endpoint=2)["transition"].tolist() == ["collapse"] * 2
    with pytest.raises(UserError, match=r"q2.*round 3 is the last round, and the endpoint is round 4"):
        ledger(pd.concat([long, short]), endpoint=4)
    assert ledger(long, endpoint=2)["round"].tolist() == [2]


def test_a_round_that_is_missing_is_named():
    frame = said("q", [["A"], ["B"], ["A"]])
    with pytest.raises(UserError, match=r"round 3: the round before is not there"):
        ledger(frame[frame["round"] != 2])


def test_debates_of_one_round_have_no_ledger():
    assert ledger(said("q", [["A", "B"]])).empty
    assert ledger(said("q", [["A", "B"]]).head(0)).empty


def test_the_slow_way_knows_the_cells():
    assert [slow_label(*ends, "A") for ends in (("A", "A"), ("A", "B"), ("B", "A"), ("B", "C"), (None, "A"))] == [
        *("preserved", "collapse", "correction", "unrepaired", "unlabelled"),
    ]
