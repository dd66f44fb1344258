"""Features of saved debates against the slow and obvious way to compute them."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from debates import DEBATE, random_debates, replies, said, slow_rounds, table

from headcount.ledger.trajectories import PRE_DEBATE, REPLAY, ROUND_1, before, trajectories
from headcount.ledger.transitions import transitions


def course(frame):
    """Features of debates, from what agents said to transitions to these."""
    return trajectories(transitions(table(frame), "t", "every"))


def slow_trajectory(debate):
    """Features of one debate, by definition."""
    n, says = len(debate[0]), slow_rounds(debate)
    given = [[answer for answer, _, _ in turn] for turn in debate]
    spoken = [[answer for answer in turn if answer is not None] for turn in given]
    agree = [max((turn.count(answer) for answer in turn), default=0) / n for turn in spoken]
    changed = [None, *(now is not None and now != then for then, now in pairwise(says))]
    flips = sum(a is not None and b is not None and a != b for a, b in zip(given[0], given[1], strict=True))
    row = {
        "init_unanimous": len(spoken[0]) == n and len(set(spoken[0])) == 1,
        "init_unanimous_ref": len(set(spoken[0])) <= 1,
        "r1_unanimous": len(spoken[1]) == n and len(set(spoken[1])) == 1,
        "init_agree_frac": agree[0],
        "r1_n_flipped": flips,
        "r1_flip_frac": flips / n,
        "r1_consensus_gain": agree[1] - agree[0],
        "r1_changed_x_agree": changed[1] * agree[1],
        "r1_changed_x_init_split": changed[1] * (1 - agree[0]),
        "r1_changed_x_not_unanimous": changed[1] and agree[1] < 1,
        "r1_majority_correct": None if says[1] is None else says[1] == "C",
    }
    for number in range(1, len(says)):
        row |= {f"r{number}_majority_changed": changed[number], f"r{number}_agree_frac": agree[number]}
    return {name: np.nan if value is None else float(value) for name, value in row.items()}


@pytest.mark.parametrize("seed", range(2))
def test_features_are_those_of_every_debate_looked_at(seed):
    frame = random_debates(seed)
    found = course(frame.sample(frac=1, random_state=seed)).set_index(DEBATE)
    debates = replies(frame)
    assert len(found) == len(debates) > 0
    for key, debate in debates.items():
        row, expected = found.loc[key].dropna(), slow_trajectory(debate)
        assert row.to_dict() == pytest.approx({name: value for name, value in expected.items() if value == value})


def test_a_debate_by_hand():
    rounds = [["A", "A", "B"], ["B", "B", None], ["B", "B", "B"]]
    row = course(said("q", rounds)).iloc[0]
    assert (row["init_agree_frac"], row["r1_agree_frac"], row["r1_n_flipped"]) == (2 / 3, 2 / 3, 2)
    assert (row["r1_majority_changed"], row["r2_majority_changed"], row["r1_majority_correct"]) == (1, 0, 0)


def test_one_voice_beside_silence_is_no_unanimity_but_for_the_reference():
    row = course(said("q", [["A", None, None], ["A", "A", "A"]])).iloc[0]
    assert (row["init_unanimous"], row["init_unanimous_ref"], row["init_agree_frac"]) == (0, 1, 1 / 3)


def test_a_single_round_is_no_debate():
    assert course(said("q", [["A", "B", "A"]])).empty


def test_a_debate_without_an_endpoint_has_no_course():
    with pytest.raises(ValueError, match="lacks an endpoint"):
        trajectories(transitions(table(said("q", [["A", "B"]] * 3)), "t", 3))


def test_relabelled_answers_and_agents_in_another_order_change_nothing_but_ties():
    """Panels of three without a tie: letters moved around, agents turned around."""
    rounds = [["A", "A", "B"], ["C", "C", "C"], ["B", "A", "B"]]
    letters = {"A": "D", "B": "A", "C": "B"}
    other = [[letters[answer] for answer in turn][::-1] for turn in rounds]
    one, two = (course(said("q", spoken, gold)) for spoken, gold in ((rounds, "A"), (other, "D")))
    pd.testing.assert_frame_equal(one, two)


def test_no_predictor_is_of_the_outcomes_round_or_knows_the_answer():
    assert before(2) == before(3) == ROUND_1
    assert before(4) == [*ROUND_1, "r2_majority_changed", "r2_agree_frac"]
    assert set(PRE_DEBATE) < set(ROUND_1) < set(REPLAY)
    frame = random_debates(1)
    for_c, for_d = (course(frame.assign(correct=right(frame, gold))) for gold in "CD")
    pd.testing.assert_frame_equal(for_c[[*REPLAY, "r2_agree_frac"]], for_d[[*REPLAY, "r2_agree_frac"]])
    assert not for_c["r1_majority_correct"].equals(for_d["r1_majority_correct"])


def right(frame, gold):
    return (frame["answer"] == gold).astype("boolean").where(frame["answer"].notna())
