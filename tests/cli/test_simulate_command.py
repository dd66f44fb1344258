"""`headcount simulate`: a release of answers alone, made at once, that its run replays without asking anybody."""

import json

import pandas as pd
import pyarrow as pa
import pytest
import yaml
from typer.testing import CliRunner

from headcount.answers.probes import released_probes
from headcount.answers.team import team_answers
from headcount.cli import app
from headcount.config import parse
from headcount.content import content_hash, file_hash
from headcount.debate.planner import plan
from headcount.debate.release_files import check_files
from headcount.debate.release_metadata import check_replay, read_metadata
from headcount.errors import UserError
from headcount.schema import ANSWERS
from headcount.store import read, write_chunks

SIMULATED = {"engine": "simulated", "population": {"correlation": 0.2, "missing": 0.05}}
RUN = {
    "run": "made",
    "models": {"a": SIMULATED | {"family": "one"}, "b": SIMULATED | {"family": "two"}},
    "teams": {"alone": {"members": ["a"]}, "mixed": {"members": ["a", "b"]}},
    "tasks": {
        "letters": {"format": "made_up", "items": 6, "options": 4},
        "numbers": {"format": "made_up", "items": 5, "seed": 2},
    },
    "experiments": {
        "core": {"teams": ["alone"], "tasks": ["letters", "numbers"], "sizes": [1, 2, 4], "null_teams": [4]},
        "few": {
            "teams": ["alone", "mixed"],
            "tasks": ["letters"],
            "conditions": ["debate"],
            "sizes": [4],
            "peers": [2],
        },
    },
    "probing": {"models": ["b"], "tasks": ["letters"], "items": 2, "conditions": ["default"]},
}


def call(folder, raw=RUN, name="out"):
    (folder / "run.yaml").write_text(yaml.safe_dump(raw))
    return CliRunner().invoke(app, ["simulate", str(folder / "run.yaml"), "--to", str(folder / name)])


def mistake(folder, raw, name="out"):
    done = call(folder, raw, name)
    assert done.exit_code == 1
    return done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    done = call(folder)
    assert done.exit_code == 0, done.output
    return folder, done.stdout


def test_it_says_what_it_made_and_that_it_is_simulated(made):
    folder, told = made
    files = sorted(str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*") if path.is_file())
    assert files == [
        *("answers/alone/letters.parquet", "answers/alone/numbers.parquet", "answers/mixed/letters.parquet"),
        *("probes/b/letters.parquet", "release.json"),
    ]
    assert all(file in told for file in files)
    assert "SIMULATED" in told
    assert f"replay={folder / 'out'} tier=open" in told


def test_its_release_holds_and_says_who_answered(made):
    said = check_files(made[0] / "out" / "release.json")
    assert said.tier == "open"
    assert {server.server for server in said.servers} == {"simulated, written directly"}
    assert {(server.model, server.task) for server in said.servers} == {
        *(("a", "letters"), ("a", "numbers"), ("b", "letters"))
    }


def test_the_run_replays_it_at_its_answers(made, tmp_path):
    """Every answer of every cell, with no file of the run and no engine."""
    config = parse(RUN | {"replay": str(made[0] / "out"), "tier": "open"}, "replay")
    check_replay(config)
    for team, tasks in (("alone", ["letters", "numbers"]), ("mixed", ["letters"])):
        answers = team_answers(config, team, tmp_path / "nothing")
        released = [read(made[0] / "out" / "answers" / team / f"{task}.parquet", ANSWERS) for task in tasks]
        assert content_hash(answers) == content_hash(pa.concat_tables(released, promote_options="permissive"))
        assert config.simulated(team)
    (screen,) = plan(config).screens
    assert set(released_probes(config, screen)["item"].to_pylist()) < set(answers["item"].to_pylist())


def test_a_second_team_of_other_agents_is_a_second_repetition(made):
    answers = read(made[0] / "out" / "answers" / "alone" / "letters.parquet", ANSWERS).to_pandas()
    debate = answers[(answers["condition"] == "debate") & (answers["n"] == 4) & (answers["k"] == 3)]
    assert set(debate["replicate"]) == {1, 2}
    teams = [debate[debate["replicate"] == replicate]["answer"].to_list() for replicate in (1, 2)]
    assert teams[0] != teams[1]


def test_it_is_the_same_every_time(made, tmp_path):
    assert call(tmp_path).exit_code == 0
    one, other = (read_metadata(folder / "out" / "release.json") for folder in (made[0], tmp_path))
    assert one.files == other.files


def test_a_former_simulation_is_replaced_whole(tmp_path):
    assert call(tmp_path).exit_code == 0
    less = RUN | {"experiments": {"few": RUN["experiments"]["few"]}, "probing": None}
    assert call(tmp_path, less).exit_code == 0
    assert set(check_files(tmp_path / "out" / "release.json").files) == {
        *("answers/alone/letters.parquet", "answers/mixed/letters.parquet")
    }


def test_other_answers_than_simulated_ones_are_never_replaced(tmp_path):
    assert call(tmp_path).exit_code == 0
    path = tmp_path / "out" / "release.json"
    said = json.loads(path.read_text())
    said["servers"][0]["server"] = "vllm 0.9"
    path.write_text(json.dumps(said))
    assert "other answers than simulated ones" in mistake(tmp_path, RUN)
    assert (tmp_path / "out" / "answers" / "alone" / "letters.parquet").exists()


def test_real_models_and_programs_are_refused(tmp_path):
    real = {"family": "two", "engine": "api", "url": "http://localhost"}
    sections = {"tasks": {"letters": {"format": "arithmetic"}}, "probing": None}
    core = {"core": {"teams": ["alone", "mixed"], "tasks": ["letters"], "sizes": [2]}}
    raw = RUN | sections | {"experiments": core}
    told = mistake(tmp_path, raw | {"models": RUN["models"] | {"b": real}})
    assert "models.b.engine: 'api'" in told
    coded = {"letters": {"format": "humaneval"}}
    assert "tasks.letters: of format 'humaneval'" in mistake(tmp_path, raw | {"tasks": coded})
    assert not (tmp_path / "out").exists()


def test_noise_needs_two_items(tmp_path):
    tasks = {"letters": {"format": "made_up", "items": 1}}
    core = {"core": {"teams": ["alone"], "tasks": ["letters"], "sizes": [2]}}
    assert "only one item" in mistake(tmp_path, RUN | {"tasks": tasks, "experiments": core, "probing": None})


def test_a_file_is_hashed_a_column_at_a_time_as_if_it_were_read(made):
    path = made[0] / "out" / "answers" / "alone" / "letters.parquet"
    assert file_hash(path, ANSWERS.schema) == content_hash(read(path, ANSWERS))


def test_chunks_that_are_out_of_order_are_refused(made, tmp_path):
    rows = read(made[0] / "out" / "answers" / "alone" / "letters.parquet", ANSWERS)
    halves = [rows.slice(0, 20), rows.slice(20)]
    assert write_chunks(tmp_path / "a.parquet", halves, ANSWERS) == rows.num_rows
    pd.testing.assert_frame_equal(read(tmp_path / "a.parquet", ANSWERS).to_pandas(), rows.to_pandas())
    with pytest.raises(UserError, match="are sorted"):
        write_chunks(tmp_path / "b.parquet", halves[::-1], ANSWERS)
    assert not (tmp_path / "b.parquet").exists()
