"""What an import writes, where and over what; what it makes of rounds, temperatures, names and stated majorities."""

import hashlib
import json
from pathlib import Path

import pandas as pd
import pytest
from saved_files import states, trace, tree, write_lines

from headcount.answers.team import team_answers
from headcount.config import load
from headcount.errors import UserError
from headcount.imports.imported import Wanted, import_files
from headcount.imports.written import write_import
from headcount.schema import ANSWERS
from headcount.store import plain, read

THREE = [["A", "A", "B"], ["A", "B", "B"], ["B", "B", "B"], ["B", "B", "A"]]
FOUR = [*THREE, ["A", "A", "A"]]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def imported(*files, run="theirs", **wanted):
    return import_files([Path(file) for file in files], Wanted(run, **wanted), Path())


def answers_of(team, task="mmlu_pro"):
    return plain(read(Path(f"resources/theirs/answers/{team}/{task}.parquet"), ANSWERS))


def remarks(done):
    return [remark for source in done.read.sources for remark in source.notes.told()]


def test_three_and_four_round_files_end_at_the_same_round():
    write_lines("three.jsonl", [trace("q1", THREE)])
    write_lines("four.jsonl", [states("q1", FOUR)])
    done = imported("three.jsonl", "four.jsonl", task="mmlu_pro")
    assert remarks(done) == ["round 4 is kept out: debates end at R3; --rounds 4 takes it too (line 1)"]
    for team in ("qwen3-4b", "gemma-3"):
        debate = answers_of(team).query("condition == 'debate'")
        assert debate["round"].max() == 4, "their R3 is our round 4"
        assert debate.query("round == 4").sort_values("agent")["answer"].tolist() == THREE[3]
    assert load(Path("config/theirs.yaml")).experiments["debate-2"].updates == 3


def test_a_fourth_round_is_taken_by_all_files_or_none():
    write_lines("three.jsonl", [trace("q1", THREE)])
    write_lines("four.jsonl", [states("q1", FOUR)])
    done = imported("three.jsonl", "four.jsonl", task="mmlu_pro", rounds=4)
    assert [str(problem).partition(".jsonl: ")[2] for problem in done.read.problems] == [
        "line 1: round 4 is missing, and debates are judged after round 4. Complete the row, or end all debates "
        "earlier with --rounds."
    ]
    assert not done.written
    imported("four.jsonl", rounds=4)
    assert answers_of("gemma-3")["round"].max() == 5
    assert load(Path("config/theirs.yaml")).experiments["debate-2"].updates == 4


def test_temperatures_are_of_the_slot_and_unknown_in_traces():
    write_lines("four.jsonl", [states("q1", FOUR)])
    write_lines("three.jsonl", [trace("q1", THREE)])
    imported("four.jsonl", "three.jsonl", task="mmlu_pro")
    by_agent = answers_of("gemma-3").groupby("agent")["temperature"].unique()
    assert [list(values) for values in by_agent] == [pytest.approx([at]) for at in (0.5, 0.7, 1.0)]
    assert answers_of("qwen3-4b")["temperature"].isna().all()


def test_stated_majorities_that_ties_were_broken_for_otherwise_are_a_remark_and_not_used():
    tie = [["B", "A", None], *[["B", "A", None]] * 3]
    row = trace("q1", tie)
    row |= {"initial_majority": "B", "initial_correct": False, "final_answer": "B", "final_correct": False}
    row["round_traces"][1]["majority"] = "B"
    right = trace("q2", [[None] * 3, *THREE[1:]])
    right["initial_majority"] = ""  # how the reference writes that there is none
    write_lines("d.jsonl", [row, right])
    done = imported("d.jsonl", task="t")
    assert done.written
    stated = ("majority", "initial_majority", "initial_correct", "final_answer", "final_correct")
    assert remarks(done) == [
        f"stated '{key}' is not that of the answers (ties to the first letter), and is not used (line 1)"
        for key in stated
    ]


def test_models_and_tasks_get_names_that_files_can_have_and_keep_their_own():
    write_lines("d.jsonl", [trace("q1", THREE, "Qwen/Qwen3-4B")])
    imported("d.jsonl", task="MMLU Pro")
    config = load(Path("config/theirs.yaml"))
    assert config.models["qwen-qwen3-4b"].model == "Qwen/Qwen3-4B"
    assert set(config.tasks) == {"mmlu-pro"}
    assert set(answers_of("qwen-qwen3-4b", "mmlu-pro")["model"]) == {"qwen-qwen3-4b"}


def test_two_names_that_would_become_one_are_refused():
    write_lines("d.jsonl", [trace("q1", THREE, "a/b"), trace("q2", THREE, "A b")])
    done = imported("d.jsonl", task="t")
    assert [problem.what for problem in done.read.problems] == ["models 'a/b' and 'A b' would both be called 'a-b'"]


def test_a_file_without_its_model_is_told_once_and_the_user_names_it():
    write_lines("d.jsonl", [trace(f"q{place}", THREE, None) for place in range(5)])
    write_lines("e.jsonl", [trace(f"q{place}", THREE, None) for place in range(5)])
    done = imported("d.jsonl", "e.jsonl", task="t", models=["d.jsonl=one"])
    assert [str(problem) for problem in done.read.problems] == [
        "e.jsonl: line 1: no row says its model. Name it with --model."
    ]
    assert imported("d.jsonl", "e.jsonl", task="t", models=["d.jsonl=one", "e.jsonl=two"]).written
    assert set(load(Path("config/theirs.yaml")).teams) == {"one", "two"}
    with pytest.raises(UserError, match=r"--model f\.jsonl=x: no file of this import is called 'f\.jsonl'"):
        imported("d.jsonl", task="t", models=["f.jsonl=x"], run="other")


def test_sources_say_what_was_read_and_what_became_of_it():
    file = write_lines("d.jsonl", [trace("q1", THREE), trace("q2", THREE[:2]), trace("q3", [[None] * 3, *THREE[1:]])])
    imported("d.jsonl", task="t", skip=True)
    said = json.loads(Path("resources/theirs/SOURCES.json").read_text())
    (source,) = said["files"]
    assert source["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert (source["name"], source["kind"]) == ("d.jsonl", "traces")
    counts = {key: source[key] for key in ("rows", "holds", "converted", "refused", "missing_answers")}
    assert counts == {"rows": 3, "holds": 3, "converted": 2, "refused": 1, "missing_answers": 3}
    assert source["problems"] == [
        f"line 2: round {number} is missing, and debates are judged after round 3" for number in (2, 3)
    ]
    assert said["endpoint"] == {"rounds": [4], "reference_round": ["R3"]}


def test_teams_with_other_items_replay_each_its_own():
    write_lines("d.jsonl", [trace(f"q{place}", THREE, "one") for place in range(5)])
    write_lines("e.jsonl", [trace(f"q{place}", THREE, "two") for place in range(3, 10)])
    imported("d.jsonl", "e.jsonl", task="t")
    config = load(Path("config/theirs.yaml"))
    assert (config.tasks["t"].items, config.tasks["t"].partial) == (10, True)
    items = {team: set(plain(team_answers(config, team, Path()))["item"]) for team in ("one", "two")}
    assert {team: len(own) for team, own in items.items()} == {"one": 5, "two": 7}


def test_an_import_is_replaced_only_when_told_to():
    write_lines("d.jsonl", [trace("q1", THREE)])
    imported("d.jsonl", task="t")
    before = tree(Path())
    write_lines("d.jsonl", [trace("q1", THREE), trace("q2", THREE)])
    with pytest.raises(UserError, match="resources/theirs is there already: --overwrite replaces it"):
        imported("d.jsonl", task="t")
    assert {name: text for name, text in tree(Path()).items() if name != "d.jsonl"} == {
        name: text for name, text in before.items() if name != "d.jsonl"
    }
    imported("d.jsonl", task="other", overwrite=True)
    assert set(answers_of("qwen3-4b", "other")["item"]) == {"q1", "q2"}
    assert not Path("resources/theirs/answers/qwen3-4b/t.parquet").exists()


@pytest.mark.parametrize("taken", ["resources/theirs/README.md", "config/theirs.yaml"])
def test_what_no_import_made_is_never_replaced(taken):
    write_lines("d.jsonl", [trace("q1", THREE)])
    Path(taken).parent.mkdir(parents=True)
    Path(taken).write_text("run: theirs\n")
    before = tree(Path())
    with pytest.raises(UserError, match="is no import's, and is never replaced"):
        imported("d.jsonl", task="t", overwrite=True)
    assert tree(Path()) == before


def test_a_configuration_that_was_edited_is_never_replaced():
    write_lines("d.jsonl", [trace("q1", THREE)])
    imported("d.jsonl", task="t")
    config = Path("config/theirs.yaml")
    config.write_text(config.read_text(encoding="utf-8").replace("family: qwen3-4b", "family: qwen"), encoding="utf-8")
    before = tree(Path())
    with pytest.raises(UserError, match=r"config/theirs\.yaml: was edited since it was imported"):
        imported("d.jsonl", task="other", overwrite=True)
    assert tree(Path()) == before


def test_where_one_half_cannot_be_written_the_former_import_stays():
    write_lines("d.jsonl", [trace("q1", THREE)])
    imported("d.jsonl", task="t")
    Path("config/.theirs.yaml.partial").mkdir()  # in the way of the configuration
    before = tree(Path())
    with pytest.raises(UserError, match=r"config/\.theirs\.yaml\.partial: cannot be written: .*Nothing was imported"):
        imported("d.jsonl", task="other", overwrite=True)
    assert tree(Path()) == before


def test_a_release_that_is_in_its_place_already_is_taken_back_where_its_configuration_fails():
    write_lines("d.jsonl", [trace("q1", THREE)])
    imported("d.jsonl", task="t")
    Path("config/theirs.yaml").unlink()
    Path("config/theirs.yaml").mkdir()  # in the way since it was looked at
    before = tree(Path())
    with pytest.raises(UserError, match=r"Is a directory\. Nothing was imported"):
        write_import("theirs", Path(), {}, {}, {"run": "theirs"}, "run: theirs")
    assert tree(Path()) == before


@pytest.mark.parametrize(
    ("files", "wanted", "says"),
    [
        (["nope.jsonl"], {}, "nope.jsonl: no such file. Name each file"),
        (["."], {}, ": no such file. Name each file; folders and patterns are not looked into"),
        (["d.jsonl", "d.jsonl"], {}, "d.jsonl is named twice"),
        (["empty.jsonl"], {}, "empty.jsonl: holds no rows"),
        (["d.jsonl"], {"run": "Not A Run"}, "--run Not A Run: is no name of a run"),
    ],
)
def test_mistakes_on_the_command_line_are_told(files, wanted, says):
    write_lines("d.jsonl", [trace("q1", THREE)])
    write_lines("empty.jsonl", [])
    with pytest.raises(UserError, match=says):
        imported(*files, task="t", **wanted)


def test_without_a_debate_there_is_nothing_to_run():
    write_lines("d.jsonl", [trace("q1", THREE[:2])])
    done = imported("d.jsonl", task="t", skip=True)
    assert (done.written, done.read.debates) == ([], [])
    assert not Path("resources").exists()


def test_release_holds_no_text_of_a_reply():
    row = states("q1", FOUR)
    row["initial_states"][0]["reasoning"] = "a secret thought"
    write_lines("d.jsonl", [row])
    assert "texts of replies are not read (line 1)" in remarks(imported("d.jsonl"))
    columns = pd.read_parquet("resources/theirs/answers/gemma-3/mmlu_pro.parquet").astype(str)
    assert not columns.apply(lambda column: column.str.contains("secret")).any(axis=None)
