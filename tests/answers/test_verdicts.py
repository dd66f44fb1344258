"""From replies that state programs to answers on both axes, the programs really run."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from code_items import code_draws, code_items, program

from headcount.answers.table import Replies, answer_cell
from headcount.answers.verdicts import judge
from headcount.config import Task, parse
from headcount.debate.planner import plan
from headcount.errors import UserError
from headcount.items.load import load_items
from headcount.schema import ANSWERS
from headcount.store import conform, plain

RIGHT, SAME, OTHERWISE = program("return 2 * x"), program("return 2*x  # twice"), program("return x + x")
HALF, CRASH, BROKEN = program("return x * x or 0"), program("return missing"), program("return (")
SILENT = "I cannot tell."
SAID = [RIGHT, SAME, OTHERWISE, HALF, CRASH, BROKEN, SILENT]


@pytest.fixture(scope="module")
def verdicts() -> pa.Table:
    return judge(code_items(), [code_draws(SAID)], None, threads=2)


def answers(verdicts: pa.Table | None, said: list[str] = SAID):
    """Rows of ANSWERS of a team that said it all in round 1, by task."""
    raw = {
        "run": "small",
        "models": {"m": {"family": "f", "engine": "simulated"}},
        "teams": {"t": {"members": ["m"]}},
        "tasks": {"h": {"format": "humaneval"}},
        "experiments": {
            "e": {"teams": ["t"], "tasks": ["h"], "conditions": ["self_consistency"], "sizes": [len(said)]}
        },
    }
    config = parse(raw, "small")
    (cell,) = plan(config).cells
    made = answer_cell(config, cell, code_items(), Replies({"m": code_draws(said)}, None, verdicts))
    rows = plain(conform(made, ANSWERS, "answers")).astype(object)
    rows = rows.where(rows.notna(), None)
    return {task: rows[rows["task"] == task].set_index("agent") for task in ("h", "h.code")}


def test_each_distinct_program_has_one_verdict(verdicts):
    """Six programs were stated, and no two of them are the same text; the reply without one has no verdict."""
    assert sorted(verdicts["passed"].to_pylist()) == ["000", "000", "100", "111", "111", "111"]
    twice = judge(code_items(), [code_draws([RIGHT, RIGHT]), code_draws([RIGHT])], None, threads=1)
    assert twice["passed"].to_pylist() == ["111"]


def test_outcomes_say_why(verdicts):
    outcomes = {row["passed"]: row["outcomes"] for row in verdicts.to_pylist()}
    assert outcomes["100"] == ["passed", "failed", "failed"]
    assert outcomes["000"] == ["error"] * 3


def test_an_answer_is_what_the_program_passes_and_missing_is_not_wrong(verdicts):
    rows = answers(verdicts)["h"]
    assert rows["answer"].tolist() == ["111", "111", "111", "100", "000", "000", None]
    assert rows["correct"].tolist() == [True, True, True, False, False, False, None]
    assert rows["status"].tolist() == ["parsed"] * 5 + ["fallback", "missing"]


def test_on_the_code_axis_an_answer_is_how_the_program_is_written(verdicts):
    rows = answers(verdicts)["h.code"]
    assert rows["answer"].tolist()[:3] == [f"def double(x):\n    return {body}" for body in ("2 * x", "2 * x", "x + x")]
    assert rows["answer"].isna().tolist() == [False] * 5 + [True, True]
    assert rows["status"].tolist() == ["parsed"] * 5 + ["missing", "missing"]
    assert rows["correct"].tolist() == [True, True, True, False, False, None, None]


def test_both_axes_are_of_the_same_replies(verdicts):
    rows, coded = answers(verdicts).values()
    for name in ("request", "confidence", "completion_tokens", "rule", "item", "n", "round"):
        assert rows[name].equals(coded[name])


def test_known_verdicts_are_taken_as_they_are_and_nothing_else_is_kept(verdicts):
    marked = verdicts.set_column(2, "passed", pa.array(["101"] * len(verdicts)))
    again = judge(code_items(), [code_draws([RIGHT, CRASH])], marked, threads=1)
    assert again["passed"].to_pylist() == ["101", "101"]


def test_a_program_without_a_verdict_stops_the_run(verdicts):
    with pytest.raises(UserError, match=r"No verdict on the program of request q0-1\. Delete the verdicts"):
        answers(verdicts, [program("return x + x + 0")])


def test_no_sandbox_is_needed_where_there_is_nothing_to_run(monkeypatch, verdicts):
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")  # a sandbox is built on a temporary folder
    with pytest.raises(FileNotFoundError):
        judge(code_items(), [code_draws(SAID)], None, threads=1)
    assert judge(code_items(), [code_draws([SILENT])], None, threads=1).num_rows == 0
    assert judge(code_items(), [code_draws(SAID)], verdicts, threads=1).equals(verdicts)


# Four problems whose checks need what stands before the function, one whose prompt has two statements, three others.
SAMPLE = [f"HumanEval/{number}" for number in (0, 10, 32, 38, 50, 115, 129, 163)]


@pytest.fixture(scope="module")
def humaneval(request) -> pa.Table:
    return load_items(Task(format="humaneval"), Path(request.config.cache.mkdir("headcount")))


def published(items: pa.Table) -> pa.Table:
    """A reply an item that states the published solution."""
    texts = [
        (row["item"], f"FINAL:\n```python\n{row['question']}{json.loads(row['metadata'])['canonical_solution']}```")
        for row in items.to_pylist()
    ]
    return pa.concat_tables(code_draws([text], item) for item, text in texts)


@pytest.mark.network
def test_published_solutions_pass_everything(humaneval):
    items = humaneval.filter(pc.is_in(humaneval["item"], pa.array(SAMPLE)))
    verdicts = judge(items, [published(items)], None, threads=2)
    assert verdicts["item"].to_pylist() == sorted(SAMPLE)
    assert all("0" not in passed for passed in verdicts["passed"].to_pylist())


@pytest.mark.network
@pytest.mark.sandbox
def test_all_published_solutions_pass_everything(humaneval):
    verdicts = judge(humaneval, [published(humaneval)], None, threads=2)
    assert verdicts.num_rows == 164
    assert {row["item"] for row in verdicts.to_pylist() if "0" in row["passed"]} == set()
