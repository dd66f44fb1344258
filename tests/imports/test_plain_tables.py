"""The plain table: sizes, conditions, replicates, teams of several models, and answers that are no letters."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headcount.answers.team import team_answers
from headcount.config import load
from headcount.debate.planner import plan
from headcount.imports.imported import Wanted, import_files
from headcount.store import plain


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def table(n=3, rounds=3, items=4, **columns):
    """Answers of teams of n, all alike but for the agent."""
    rows = [
        {"item": f"q{item}", "round": turn, "agent": agent, "answer": "ABC"[(item + turn * agent) % 3], "gold": "A"}
        for item in range(items)
        for turn in range(1, rounds + 1)
        for agent in range(1, n + 1)
    ]
    return pd.DataFrame(rows).assign(**({"model": "m", "task": "a"} | columns))


def imported(*tables, **wanted):
    pd.concat(tables).to_csv("answers.csv", index=False)
    return import_files([Path("answers.csv")], Wanted("theirs", **wanted), Path())


def replayed(*tables, **wanted):
    """The configuration of an import, and the answers of its teams."""
    done = imported(*tables, **wanted)
    assert done.written, done.read.problems
    config = load(Path("config/theirs.yaml"))
    teams = {cell.team for cell in plan(config).cells}
    return config, pd.concat([plain(team_answers(config, team, Path())).assign(team=team) for team in sorted(teams)])


def test_sizes_conditions_and_replicates_all_come_back():
    parts = [
        *(table(n, condition="debate", replicate=r).assign(n=n) for n in (2, 4) for r in (1, 2)),
        table(4, condition="self_correction", replicate=1).assign(n=4),
        table(5, condition="debate", replicate=1, k=2, rounds=2).assign(n=5),
    ]
    config, answers = replayed(*parts)
    cells = {(c.condition, s.n, s.k, s.updates, s.replicates) for c in plan(config).cells for s in c.shapes}
    assert cells == {
        ("debate", 2, 1, 2, 2),
        ("debate", 4, 3, 2, 2),
        ("debate", 5, 2, 1, 1),
        ("self_correction", 4, 0, 2, 1),
        *(("self_consistency", n, 0, 0, 1) for n in range(1, 6)),
    }
    given = pd.concat(parts)
    talking = answers[answers["condition"] != "self_consistency"]
    keys = ["condition", "item", "replicate", "n", "round", "agent"]
    ours, theirs = (rows.set_index(keys)["answer"].sort_index().to_dict() for rows in (talking, given))
    assert ours == theirs
    assert not config.tasks["a"].partial


def test_teams_that_answered_once_heard_nobody():
    config, answers = replayed(table(6, rounds=1))
    assert set(answers["condition"]) == {"self_consistency"}
    assert {cell.condition for cell in plan(config).cells} == {"self_consistency"}
    assert set(answers["k"]) == {0}


def test_a_team_of_several_models_keeps_its_seats():
    mixed = table(3, team="Mixed").assign(model=lambda rows: rows["agent"].map({1: "m", 2: "o", 3: "m"}))
    config, answers = replayed(mixed, table(3))
    assert config.teams["mixed"].members == ("m", "o", "m")
    assert config.teams["m"].members == ("m",)
    seats = answers[answers["team"] == "mixed"].groupby("agent")["model"].unique()
    assert [list(models) for models in seats] == [["m"], ["o"], ["m"]]


def test_a_seat_that_changes_hands_is_refused():
    one = table(2, items=2, team="t").assign(model=lambda rows: rows["agent"].map({1: "m", 2: "o"}))
    other = one.assign(item=one["item"] + "x", model=one["agent"].map({1: "o", 2: "m"}))
    done = imported(one, other)
    assert not done.written
    assert done.read.problems[0].what == "agent 1 of t is 'o', and 'm' in answers.csv, row 2"


def test_a_model_that_changes_within_a_debate_is_refused():
    rows = table(2, items=1, team="t").assign(model=lambda rows: rows["round"].map({1: "m", 2: "o", 3: "m"}))
    assert [problem.what for problem in imported(rows).read.problems] == [
        f"agent {agent} is 'o', and 'm' in row {row}" for agent, row in ((1, 2), (2, 3))
    ]


def test_answers_that_are_no_letters_are_compared_as_they_stand():
    rows = table(2).replace({"answer": {"A": "42", "B": "4,2", "C": ""}}).assign(gold="42")
    _, answers = replayed(rows)
    assert set(answers["answer"].dropna()) == {"42", "4,2"}
    assert (answers["correct"].dropna() == (answers["answer"].dropna() == "42")).all()
    assert answers.loc[answers["answer"].isna(), "status"].eq("missing").all()


@pytest.mark.parametrize(("answer", "gold"), [("3.0", "3"), ("3", "3.00"), ("c", "C"), ("C", "c"), ("042", "42")])
def test_a_right_answer_in_another_writing_is_refused_and_not_counted_as_wrong(answer, gold):
    done = imported(table(2, items=1).replace({"answer": {"A": answer, "B": gold, "C": ""}}).assign(gold=gold))
    assert done.read.problems
    assert not done.written
    assert all(repr(answer) in problem.what for problem in done.read.problems)


@pytest.mark.parametrize("answers", [[float("nan"), 1.0], [["A"], ["B"]], [{"is": "A"}, {"is": "B"}]])
def test_what_is_no_text_is_neither_an_answer_nor_a_missing_one(answers):
    columns = {"item": ["q"] * 2, "agent": [1, 2], "round": [1] * 2, "gold": ["1"] * 2, "model": ["m"] * 2}
    pq.write_table(pa.table({**columns, "task": ["a"] * 2, "answer": pa.array(answers)}), "answers.parquet")
    done = import_files([Path("answers.parquet")], Wanted("theirs"), Path())
    assert (done.read.problems[0].number, done.read.problems[0].unit) == (1, "row")
    assert "not a text or a number" in done.read.problems[0].what
    assert not done.written


def test_letters_beyond_the_questions_options_are_refused():
    done = imported(table(2, items=1, options=2))
    assert {problem.what for problem in done.read.problems} == {"'answer' is 'C', no option's letter"}
    assert done.read.problems[0].remedy == "Write one of A to B"


def test_a_status_that_contradicts_the_answer_is_refused():
    done = imported(table(2, items=1, status="missing"))
    assert done.read.problems[0].what == "'status' is 'missing' with an answer"


def test_an_item_without_all_replicates_is_refused():
    done = imported(table(2, replicate=1), table(2, replicate=2).query("item != 'q1'"))
    assert [problem.what for problem in done.read.problems] == ["item q1 lacks replicate 2 of 2"]


def test_an_agent_missing_in_one_debate_is_missed_though_no_row_says_how_many_there_are():
    done = imported(table(3).query("item != 'q2' or agent != 3"))
    assert [problem.what for problem in done.read.problems] == [
        "item 'q2' lacks agent 3 in round 1; agent 3 in round 2; agent 3 in round 3"
    ]


def test_a_debate_with_one_bad_row_is_left_out_whole():
    rows = table(2)
    rows.loc[5, "answer"] = "?"  # the last row of item q0
    _, answers = replayed(rows, skip=True)
    assert set(answers["item"]) == {"q1", "q2", "q3"}


def test_debates_may_end_earlier_but_only_all_of_them():
    short = table(2).query("item != 'q2' or round < 3")
    done = imported(short)
    assert [problem.what for problem in done.read.problems] == ["item 'q2' lacks round 3"]
    _, answers = replayed(short, rounds=1)
    assert answers["round"].max() == 2


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"condition": "debate", "k": 3}, "'k' is 3 in the debate of a team of 3"),
        ({"condition": "self_correction", "k": 2}, "'k' is 2 in the self_correction of a team of 3"),
        ({"condition": "self_consistency"}, "round 2 of a team that answers once"),
        ({"condition": "talk"}, "'condition' is 'talk'"),
        ({"gold": ""}, "'gold' is missing"),
        ({"agent": "one"}, "'agent' is 'one', not a whole number from 1 to 1,000"),
        ({"n": 2}, "agent 3 is on a team of 2"),
    ],
)
def test_what_no_run_can_hold_is_refused(columns, says):
    done = imported(table(3, items=1).assign(**columns))
    assert not done.written
    assert says in {problem.what for problem in done.read.problems}


def test_a_gold_answer_of_several_letters_is_no_option():
    _, answers = replayed(table(2).assign(gold="BC").replace({"answer": {"A": "BC", "B": "CB"}}))
    assert set(answers["answer"]) == {"BC", "CB", "C"}
