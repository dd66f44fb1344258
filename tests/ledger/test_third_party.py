"""A controller's file: refused as a whole where a row is wrong, and scored on unchanged denominators."""

import pytest
from saved_debates import ends, random_saved

from headcount.errors import UserError
from headcount.ledger.gates import fire
from headcount.ledger.replay import freeze, labelled, outcome
from headcount.ledger.third_party import read_actions, score_actions


def write(path, debates, actions, header="source,question_id,action"):
    rows = zip(debates["source"], debates["question_id"], actions, strict=True)
    path.write_text("\n".join([header, *(",".join(row) for row in rows)]) + "\n")
    return path


@pytest.fixture
def debates():
    return ends(2, 2, 2, 2).assign(gold="A").astype({"initial_correct": object})


@pytest.fixture
def actions_file(tmp_path):
    return tmp_path / "actions.csv"


def test_a_file_that_freezes_as_a_gate_does_scores_as_the_gate(actions_file):
    debates = random_saved(4, rows=40, models=2, questions=20)
    fired = fire("any_r1_flip", debates)
    path = write(actions_file, debates, ["freeze" if gate else "keep" for gate in fired])
    actions = read_actions(path, debates)
    assert outcome(score_actions(debates, actions)) == outcome(freeze(debates, fired))


def test_rows_may_come_in_any_order(debates, actions_file):
    actions = ["keep", "freeze", "keep", "freeze", "abstain", "answer:A", "keep", "answer:B"]
    expected = read_actions(write(actions_file, debates, actions), debates)
    assert expected == actions
    lines = actions_file.read_text().splitlines()
    actions_file.write_text("\n".join([lines[0], *reversed(lines[1:])]))
    assert read_actions(actions_file, debates) == actions


def test_every_action_by_hand(debates):
    """preserved, preserved, collapse, collapse, correction, correction, unrepaired, unrepaired"""
    counts = outcome(
        score_actions(debates, ["keep", "abstain", "freeze", "answer:B", "freeze", "answer: A", "answer:A", "abstain"])
    )
    assert (counts.prevented, counts.lost, counts.broken, counts.repaired) == (1, 1, 1, 1)
    assert (counts.debates, counts.right, counts.net, counts.fired) == (8, 4, 0, 7)


def test_unlabelled_rows_need_an_action_and_are_not_scored(debates, actions_file):
    debates.loc[0, "initial_correct"] = None
    actions = read_actions(write(actions_file, debates, ["freeze"] * 8), debates)
    assert outcome(score_actions(debates, actions)).debates == len(labelled(debates)) == 7


@pytest.mark.parametrize(
    ("start", "stop", "put", "message"),
    [
        (4, 5, [], r"actions\.csv: no action for the debate of source 's', question 'q3'\."),
        (3, 9, [], r"question 'q2' and 5 more\. Give every saved debate a row"),
        (9, 9, ["s,q2,keep"], r"actions\.csv: row 10: the debate of source 's', question 'q2' stood in row 4 already"),
        (5, 6, ["s,q4,frezze"], r"row 6: 'frezze' is not an action\. Did you mean 'freeze'\?"),
        (5, 6, ["s,q4,answer:"], r"row 6: 'answer:' is not an action"),
        (9, 9, ["s,q44,keep"], r"row 10: there is no saved debate .*'q44'\. Did you mean question 'q4'\?"),
        (9, 9, ["other,q4,keep"], r"row 10: there is no saved debate .*Sources are s\."),
        (8, 9, ["s,q"], r"row 9: 2 values for 3 columns\. Is it cut short\?"),
        (0, 1, ["source,question,action"], r"row 1: the columns are source, question, action\. Give"),
        (0, 9, [], r"row 1: the columns are none"),
    ],
)
def test_a_wrong_row_is_named_with_its_file(debates, actions_file, start, stop, put, message):
    lines = write(actions_file, debates, ["keep"] * len(debates)).read_text().splitlines()
    lines[start:stop] = put
    actions_file.write_text("\n".join(lines) + "\n")
    with pytest.raises(UserError, match=message):
        read_actions(actions_file, debates)


def test_a_file_that_is_not_there_or_not_text(debates, actions_file):
    with pytest.raises(UserError, match=r"actions\.csv: cannot be read"):
        read_actions(actions_file, debates)
    actions_file.write_bytes(b"source,question_id,action\n\xff\xfe,q,keep\n")
    with pytest.raises(UserError, match="is not UTF-8 text"):
        read_actions(actions_file, debates)
