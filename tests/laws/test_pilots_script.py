"""The scripts of plans and budgets, from file to file."""

import importlib.util
from pathlib import Path

import pytest
from made_up_teams import answers
from small_runs import small_config

from headcount.config import parse
from headcount.content import content_hash
from headcount.laws.budgets import budgets_of_run
from headcount.laws.joined import TeamNumbers
from headcount.laws.pilot_error import PilotErrors
from headcount.laws.pilot_plan import Planning
from headcount.laws.pilot_tokens import Budget
from headcount.laws.pilots import pilots_of_run
from headcount.laws.settings import FitSettings
from headcount.measures.subsets import subset_measures
from headcount.measures.table import measure
from headcount.schema import ANSWERS, BUDGETS, MEASURES, PILOT_SIZES, PILOTS, SUBSETS
from headcount.store import conform, read, write

ROOT = Path(__file__).parents[2]
ERRORS = ROOT / "resources" / "calibration" / "pilot_error.csv"
SIZES = (1, 2, 3, 5)


def script(name):
    spec = importlib.util.spec_from_file_location(f"script_{name}", ROOT / "workflow" / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    rows = conform(answers(sizes=SIZES, items=12, rounds=2), ANSWERS, "test")
    tables = {
        "answers": (rows, ANSWERS),
        "measures": (measure(rows), MEASURES),
        "subsets": (subset_measures(rows, {("t", "self_correction"): SIZES}), SUBSETS),
    }
    folder = tmp_path_factory.mktemp("run")
    for name, (table, schema) in tables.items():
        write(folder / name / "t.parquet", table, schema)
    return folder


def config_of(**changes):
    return small_config().model_dump(mode="json") | changes


def test_plans_from_file_to_file(files, tmp_path):
    config = config_of(fitting={"seed": 3}, pilot={"target": 20, "budget_answers": 4})
    made = tmp_path / "pilots.parquet", tmp_path / "pilot_sizes.parquet"
    inputs = [files / "measures" / "t.parquet"], [files / "subsets" / "t.parquet"]
    script("pilots").main(config, *inputs, ERRORS, *made)
    numbers = TeamNumbers(read(inputs[0][0], MEASURES), read(inputs[1][0], SUBSETS))
    how = Planning(FitSettings(seed=3), PilotErrors.read(ERRORS), 20, Budget(answers=4))
    for path, table, expected in zip(
        made, (PILOTS, PILOT_SIZES), pilots_of_run({"t": numbers}, how, ["t"]), strict=True
    ):
        assert content_hash(read(path, table)) == content_hash(expected)
        assert expected.num_rows


def test_budgets_from_file_to_file(files, tmp_path):
    inputs = files / "measures" / "t.parquet", files / "answers" / "t.parquet"
    script("budgets").main(config_of(), [inputs[0]], [inputs[1]], tmp_path / "budgets.parquet")
    numbers = TeamNumbers(read(inputs[0], MEASURES))
    expected = budgets_of_run({"t": numbers}, {"t": read(inputs[1], ANSWERS)}, FitSettings(), ["t"])
    assert content_hash(read(tmp_path / "budgets.parquet", BUDGETS)) == content_hash(expected)
    assert expected.num_rows


def test_a_teams_price_is_the_mean_of_its_members_and_unknown_if_one_has_none():
    models = {
        "m": {"family": "f", "engine": "api", "url": "http://x", "prices": {"prompt": 1, "completion": 2}},
        "o": {"family": "f", "engine": "api", "url": "http://x", "prices": {"prompt": 3, "completion": 6}},
        "free": {"family": "f", "engine": "api", "url": "http://x"},
    }
    teams = {"t": {"members": ["m"]}, "two": {"members": ["m", "o"]}, "unpriced": {"members": ["m", "free"]}}
    settings = parse(config_of(models=models, teams=teams), "test")
    found = {team: script("pilots").prices(settings, team) for team in teams}
    assert found == {"t": (1.0, 2.0), "two": (2.0, 4.0), "unpriced": None}
