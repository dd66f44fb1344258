"""Files with planted errors: each is told with file, line and remedy, and nothing changes unless that is asked for."""

import copy
import csv

import pytest
from saved_files import battery, plain_rows, simulated, states, trace, tree, write_lines
from typer.testing import CliRunner

from headcount.cli import app
from headcount.config import load
from headcount.schema import ANSWERS
from headcount.store import plain, read

GOOD = [["A", "A", "B"], ["A", "A", "A"], ["A", "A", "A"], ["A", None, "A"]]
LONGER = [*GOOD, ["B", "B", "B"]]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def call(*words, exits=0):
    result = CliRunner().invoke(app, ["import", *map(str, words)])
    assert result.exit_code == exits, result.output
    return result.output.splitlines()


def planted():
    """Twelve rows, of which the first, the third to last and the second to last can be converted."""
    rows = [trace(f"q{place}", copy.deepcopy(GOOD)) for place in range(1, 13)]
    rows[1]["initial_answers"][1] = "K"
    del rows[2]["round_traces"][1]
    rows[3] = rows[0]
    rows[4]["round_traces"][0]["answers"].pop()
    rows[5]["initial_answers"] = "A, A, B"
    rows[6]["correct_label"] = None
    rows[7]["round_traces"][2]["round"] = "last"
    rows[8]["question_id"] = "q1"
    rows[8]["initial_answers"] = ["A", "A", "C"]
    rows[8]["correct_label"] = "A"
    rows[9]["initial_answers"] = [None, "", None]
    rows[9]["final_correct"] = False
    rows[9]["wall_s"] = 3
    rows[10] = trace("q11", LONGER)
    return rows


EXPECTED = [
    "d.jsonl: line 2: 'initial_answers[1]' is 'K', no option's letter. Write one of A to J, or null where there is no "
    "answer.",
    "d.jsonl: line 3: round 2 is missing, and debates are judged after round 3. Complete the row, or end all debates "
    "earlier with --rounds.",
    "d.jsonl: line 4: the debate of qwen3-4b on mmlu_pro / q1, n=3, stands in d.jsonl, line 1 already. Remove one of "
    "the rows.",
    "d.jsonl: line 5: round 1 has 2 answers, and the first round 3: an agent is missing. Give an agent without an "
    "answer a null.",
    "d.jsonl: line 6: 'initial_answers' is 'A, A, B', not a list. Write a list.",
    "d.jsonl: line 7: 'correct_label' is missing. Give the row the letter of the right option there.",
    "d.jsonl: line 8: 'round_traces[2].round' is 'last', not a whole number from 1 to 1,000. Write a whole number "
    "from 1 to 1,000.",
    "d.jsonl: line 9: the debate of qwen3-4b on mmlu_pro / q1, n=3, stands in d.jsonl, line 1 already, with other "
    "answers. Find out which is right, and remove the other.",
    "d.jsonl: line 13: the last line is not whole JSON, as in a file that was cut off. Fetch or copy the file again, "
    "or delete the line.",
]


def test_every_planted_error_is_told_and_nothing_is_written(tmp_path):
    write_lines("d.jsonl", [*planted(), '{"model": "qwen3-4b", "question_id": "q13", "correct_l'])
    before = tree(tmp_path)
    said = call("d.jsonl", "--run", "theirs", "--task", "mmlu_pro", exits=1)
    assert [line for line in said if line.startswith("d.jsonl: line")] == _with_line_8(EXPECTED, said)
    assert "d.jsonl (traces, 13 rows): 3 of 13 debates can be converted, 6 answers missing in them" in said
    assert "  round 4 is kept out: debates end at R3; --rounds 4 takes it too (line 11)" in said
    assert "  not read: wall_s (line 10)" in said
    assert any(line.startswith("  stated 'initial_majority' is not that of the answers") for line in said)
    assert said[-2].startswith("Nothing was written: ")
    assert tree(tmp_path) == before


def _with_line_8(expected, said):
    """A round that has no number is also one that lacks."""
    more = [line for line in said if line.startswith("d.jsonl: line 8: round 3 is missing")]
    assert len(more) == 1
    place = next(place for place, line in enumerate(expected) if line.startswith("d.jsonl: line 9"))
    return [*expected[:place], *more, *expected[place:]]


def test_the_rest_is_converted_when_told_to(tmp_path):
    write_lines("d.jsonl", [*planted(), '{"model": '])
    before = tree(tmp_path)
    call("d.jsonl", "--run", "theirs", "--task", "mmlu_pro", "--skip-bad")
    answers = plain(read(tmp_path / "resources/theirs/answers/qwen3-4b/mmlu_pro.parquet", ANSWERS))
    assert set(answers["item"]) == {"q10", "q11", "q12"}, "of q1 there are two, and which is right is not known"
    assert answers["round"].max() == 4
    assert load(tmp_path / "config/theirs.yaml").tasks["mmlu_pro"].items == 3
    made = {"resources/theirs/answers/qwen3-4b/mmlu_pro.parquet", "resources/theirs/SOURCES.json", "config/theirs.yaml"}
    after = tree(tmp_path)
    assert {name: content for name, content in after.items() if name not in made} == before
    assert set(after) - set(before) == made


def test_a_clean_file_is_converted_and_null_answers_are_counted_and_no_error(tmp_path):
    write_lines("d.jsonl", [trace("q1", GOOD), trace("q2", [[None] * 3] * 4)])
    said = call("d.jsonl", "--run", "theirs", "--task", "mmlu_pro")
    assert said[0] == "d.jsonl (traces, 2 rows): 2 of 2 debates can be converted, 13 answers missing in them"
    assert said[-1] == "Go on: snakemake --profile profiles/local --configfile config/theirs.yaml"
    rows = plain(read(tmp_path / "resources/theirs/answers/qwen3-4b/mmlu_pro.parquet", ANSWERS))
    missing = rows[rows["answer"].isna()]
    assert set(missing["status"]) == {"missing"}
    assert missing["correct"].isna().all()


def test_two_files_that_contradict_each_other_name_each_other():
    write_lines("d.jsonl", [trace("q1", GOOD), trace("q2", GOOD)])
    write_lines("e.jsonl", [trace("q1", GOOD, "other", gold="B"), trace("q2", GOOD, "other")])
    said = call("d.jsonl", "e.jsonl", "--run", "theirs", "--task", "t", exits=1)
    assert said[0] == (
        "e.jsonl: line 1: the right answer to q1 is 'B', and 'A' in d.jsonl, line 1. Find out which is right, and "
        "correct the other."
    )
    assert said[1] == "d.jsonl (traces, 2 rows): 1 of 2 debates can be converted, 1 answers missing in them"


def test_a_panel_that_lacks_an_agent_throughout_is_no_smaller_panel():
    pair = [answers[:2] for answers in GOOD]
    write_lines("d.jsonl", [trace("q1", GOOD), trace("q2", pair)])
    said = call("d.jsonl", "--run", "theirs", "--task", "t", exits=1)
    assert said[0].startswith(
        "d.jsonl: line 2: 2 agents answer, and 3 do in d.jsonl, line 1: an agent is missing. Give "
    )


def test_what_is_wrong_with_states_is_told():
    rows = [states(f"q{place}", copy.deepcopy(LONGER)) for place in range(1, 9)]
    rows[1]["round_traces"][1].pop()
    rows[2]["round_traces"][0][2]["agent_id"] = "1"
    rows[3]["round_traces"][0][0]["round_num"] = 2
    rows[4]["initial_answers"] = ["A", "A", "C"]
    rows[5]["temperatures"] = [0.5, "warm", 1.0]
    del rows[6]["round_traces"][2][1]["answer"]
    rows[7]["round_traces"] = rows[7]["round_traces"][:2]
    write_lines("d.jsonl", rows)
    said = [line for line in call("d.jsonl", "--run", "theirs", exits=1) if line.startswith("d.jsonl: line")]
    assert said == [
        "d.jsonl: line 2: round 2 has no state of agent 3. Give an agent without an answer a null.",
        "d.jsonl: line 3: agent 1 stands twice in round 1. Remove one of them.",
        "d.jsonl: line 4: a state of round 2 stands in round 1. Put every state in its round.",
        "d.jsonl: line 5: 'initial_answers' are not the answers of 'initial_states'. Correct the row, or remove one of "
        "them.",
        "d.jsonl: line 6: 'temperatures' has 'warm', not a number. Write a number, or null where it is not known.",
        "d.jsonl: line 7: 'round_traces[2][1].answer' is missing. Give the row a letter, or null where there is no "
        "answer, there.",
        "d.jsonl: line 8: round 3 is missing, and debates are judged after round 3. Complete the row, or end all "
        "debates earlier with --rounds.",
    ]


def test_what_is_wrong_with_probe_rows_is_told():
    rows = [battery(f"q{place}", 0, "A", {}) for place in range(1, 10)]
    rows[1]["condition"] = "hostile"
    rows[2]["probe_results"].pop()
    rows[3]["probe_results"][1] = rows[3]["probe_results"][0]
    rows[4]["probe_results"][0]["strength"] = "feeble"
    rows[5]["probe_results"][0]["post_answer"] = "a"
    del rows[6]["probe_results"][0]["post_answer"]
    del rows[7]["correct_label"]
    rows[8] = rows[0]
    write_lines("p.jsonl", rows)
    write_lines("d.jsonl", [states("q1", LONGER)])
    said = [line for line in call("d.jsonl", "p.jsonl", "--run", "x", exits=1) if line.startswith("p.jsonl: line")]
    assert [line.partition(". ")[0] for line in said] == [
        "p.jsonl: line 2: 'condition' is 'hostile'",
        "p.jsonl: line 3: no result of very_strong_social",
        "p.jsonl: line 4: weak_solo stand twice",
        "p.jsonl: line 4: no result of weak_social",
        "p.jsonl: line 5: 'probe_results[0].strength' is none of weak, moderate, strong, very_strong",
        "p.jsonl: line 6: 'probe_results[0].post_answer' is 'a', no option's letter",
        "p.jsonl: line 7: 'probe_results[0].post_answer' is missing",
        "p.jsonl: line 8: 'correct_label' is missing, and no debate or row of this import has the question's right "
        "answer",
        "p.jsonl: line 9: agent 0 of gemma-3 on mmlu_pro / q1 stands in p.jsonl, line 1 already",
    ]


def test_what_is_wrong_with_a_plain_table_is_told_by_its_rows(tmp_path):
    rows = plain_rows(simulated(tmp_path / "own", items=6)).astype(object).sort_values(["item", "round", "agent"])
    rows = rows.assign(status="", rule="").reset_index(drop=True)  # twelve rows an item
    rows.loc[0, "answer"] = "E?"
    rows.loc[12, "agent"] = 0
    rows.loc[25, "agent"] = 1
    rows.loc[36, "gold"] = "B"
    rows = rows.drop(index=50)
    rows.to_csv("a.csv", index=False)
    said = [line for line in call("a.csv", "--run", "theirs", exits=1) if line.startswith("a.csv: row")]
    assert [line.partition(". ")[0] for line in said] == [
        "a.csv: row 2: 'answer' is 'E?', no option's letter",
        "a.csv: row 14: 'agent' is '0', not a whole number from 1 to 1,000",
        "a.csv: row 26: item 'q2' lacks agent 2 in round 1",
        "a.csv: row 27: agent 1 answers item 'q2' twice in round 1, in row 26 too",
        "a.csv: row 39: 'gold' is 'A', and 'B' in row 38",
        *(f"a.csv: row {row}: 'gold' is 'A', and 'B' in row 38" for row in range(40, 50)),
        "a.csv: row 50: item 'q4' lacks agent 3 in round 1",
    ]


def test_twenty_problems_are_shown_and_all_of_them_written(tmp_path):
    write_lines("d.jsonl", [trace(f"q{place}", [["K", "A", "A"], *GOOD[1:]]) for place in range(30)])
    said = call("d.jsonl", "--run", "theirs", "--task", "t", "--problems", "all.csv", exits=1)
    assert sum(line.startswith("d.jsonl: line") for line in said) == 20
    assert "... and 10 more problems; --problems FILE.csv has them all." in said
    with (tmp_path / "all.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["number"] for row in rows] == [str(line) for line in range(1, 31)]
    assert rows[0]["remedy"] == "Write one of A to J, or null where there is no answer"


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("./d.jsonl", "is a file of this import"),
        (".", "no place for a file"),
        ("nowhere/all.csv", "no place for a file"),
    ],
)
def test_where_problems_cannot_go_nothing_is_imported_or_replaced(tmp_path, file, says):
    write_lines("d.jsonl", [trace("q1", GOOD)])
    before = tree(tmp_path)
    assert says in call("d.jsonl", "--run", "theirs", "--task", "t", "--problems", file, exits=1)[0]
    assert tree(tmp_path) == before


@pytest.mark.parametrize("number", ["1e999999999", "1.5", True, [1]])
def test_no_number_of_an_agent_is_read_that_is_none(number):
    rows = states("q1", LONGER)
    rows["round_traces"][0][0]["agent_id"] = number
    write_lines("d.jsonl", [rows])
    said = call("d.jsonl", "--run", "theirs", exits=1)
    assert said[0].startswith("d.jsonl: line 1: 'round_traces[0][0].agent_id' is ")


def test_what_is_missing_is_called_missing_and_no_null_is_offered_for_the_right_option():
    rows = [battery(f"q{place}", 0, "A", {}) for place in (1, 2)]
    del rows[0]["agent_idx"], rows[1]["initial_answer"]
    debates = trace("q9", GOOD) | {"correct_label": "Z"}
    write_lines("p.jsonl", rows)
    write_lines("d.jsonl", [debates])
    said = call("d.jsonl", "p.jsonl", "--run", "theirs", "--task", "mmlu_pro", exits=1)[:3]
    assert said == [
        "d.jsonl: line 1: 'correct_label' is 'Z', no option's letter. Write one of A to J.",
        "p.jsonl: line 1: 'agent_idx' is missing. Give the row a whole number from 0 to 1,000 there.",
        "p.jsonl: line 2: 'initial_answer' is missing. Give the row the agent's first answer, null where there is "
        "none.",
    ]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"standard_debate": {}, "question_id": "q"}, "has the ends of a debate and no answers by round"),
        ({"init_agree_frac": 1.0, "model": "m"}, "features made from a debate and not its answers"),
        ({"item": "q", "answer": "A"}, "a plain row needs agent, gold, round too"),
        ({"x": 1}, "not a kind of row that is known; its keys are x"),
    ],
)
def test_rows_of_another_kind_are_refused_with_a_reason(row, says):
    write_lines("d.jsonl", [row])
    assert says in call("d.jsonl", "--run", "theirs", "--task", "t", exits=1)[0]
