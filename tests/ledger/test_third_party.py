"""A controller's file: refused as a whole where a row is wrong, and scored on unchanged denominators."""

import json

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


def write_json(path, debates, actions):
    rows = debates[["source", "question_id"]].assign(action=actions).to_dict("records")
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return path


@pytest.fixture
def debates():
    return ends(2, 2, 2, 2).assign(gold="A").astype({"initial_correct": object})


@pytest.fixture
def actions_file(tmp_path):
    return tmp_path / "actions.csv"


def test_a_file_that_freezes_as_a_gate_does_scores_as_the_gate(actions_file):
    debates = random_saved(4, rows=40, models=2, questions=20).assign(gold=None)  # only answers need it
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
        (
            5,
            6,
            ["s,q4,answer:b"],
            r"row 6: 'answer:b': an option is its capital letter and nothing else\. Write answer:B",
        ),
        (5, 6, ["s,q4,answer:(B)"], r"row 6: 'answer:\(B\)': an option is its capital letter .* Write answer:B\."),
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


# --- JSON lines ------------------------------------------------------------------------------------------------------


def test_json_lines_say_the_same_as_csv(debates, tmp_path):
    actions = ["keep", "freeze", "keep", "freeze", "abstain", "answer:A", "keep", "answer:B"]
    assert read_actions(write_json(tmp_path / "actions.jsonl", debates, actions), debates) == actions


@pytest.mark.parametrize(
    ("place", "line", "message"),
    [
        (7, '{"source": "s", "question_id": "q7", "act', r"actions\.jsonl: row 8: is not JSON .* Is it cut short\?"),
        (2, "", r"row 3: is not JSON"),
        (2, '["s", "q2", "keep"]', r"row 3: is not an object of source, question_id, action"),
        (2, '{"source": "s", "question_id": "q2"}', r"row 3: is not an object of source, question_id, action"),
        (2, '{"source": "s", "question_id": "q2", "action": "keep", "why": ""}', r"row 3: is not an object of"),
        (2, '{"source": "s", "question_id": 2, "action": "keep"}', r"row 3: question_id is 2\. Give text, in quotes"),
        (2, '{"source": "s", "question_id": "q2", "action": null}', r"row 3: action is null\. Give text"),
        (
            2,
            '{"source": "s", "question_id": "q1", "action": "keep"}',
            r"row 3: .* question 'q1' stood in row 2 already",
        ),
        (2, '{"source": "s", "question_id": "q2", "action": "stop"}', r"row 3: 'stop' is not an action"),
        (2, '{"source": "s", "question_id": "qq", "action": "keep"}', r"row 3: there is no saved debate .*'qq'"),
    ],
)
def test_a_wrong_line_is_named_with_its_file(debates, tmp_path, place, line, message):
    path = write_json(tmp_path / "actions.jsonl", debates, ["keep"] * 8)
    lines = path.read_text().splitlines()
    lines[place] = line
    path.write_text("\n".join(lines))
    with pytest.raises(UserError, match=message):
        read_actions(path, debates)


# --- answers ---------------------------------------------------------------------------------------------------------


def test_an_answer_that_nobody_can_judge_is_refused_by_row(debates, actions_file):
    debates.loc[3, "gold"] = None
    keep = ["keep"] * 8
    assert read_actions(write(actions_file, debates, keep), debates) == keep
    path = write(actions_file, debates, [*keep[:3], "answer:B", *keep[4:]])
    with pytest.raises(UserError, match=r"row 5: the right answer to the debate .*'q3' is not at hand.*Give keep"):
        read_actions(path, debates)


@pytest.mark.parametrize(
    ("given", "gold", "right"),
    [
        ("A", "A", 1),
        ("a", "A", 0),
        ("12.0", "12", 1),
        ("1/2", "0.5", 1),
        ("12", "13", 0),
        ("x", "12", 0),
        ("1/0", "1", 0),
    ],
)
def test_numbers_are_right_if_they_are_equal(given, gold, right):
    unrepaired = ends(0, 0, 0, 1).assign(gold=gold)
    assert outcome(score_actions(unrepaired, [f"answer:{given}"])).repaired == right
