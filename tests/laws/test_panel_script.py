"""The script of `panel`, from files to files."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_up_panels import answers_of, random_codes, table_of

from headcount.schema import ANSWERS, BEST_MEMBER, CALIBRATION, CROWD, ITEMS, PAIR_MEANS, PAIRS
from headcount.store import plain, read, write

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:crowdkit")
CONFIG = {
    "run": "r",
    "replay": "release",
    "models": {
        "a": {"family": "one", "engine": "recorded"},
        "b": {"family": "two", "engine": "recorded"},
        "s": {"family": "three", "engine": "simulated"},
        "u": {"family": "three", "engine": "simulated"},
    },
    "teams": {"told": {"members": ["s", "u"]}, "recorded": {"members": ["a", "b"]}},
    "tasks": {"letters": {"format": "mmlu_hard"}, "panel": {"format": "recorded", "items": 20}},
    "experiments": {
        "one": {"teams": ["told"], "tasks": ["letters"], "conditions": ["self_consistency"], "sizes": [2]},
        "two": {"teams": ["recorded"], "tasks": ["panel"], "conditions": ["self_consistency"], "sizes": [2]},
    },
    "fitting": {"bootstrap": 10},
}
FILES = {table.name: table for table in (PAIRS, PAIR_MEANS, CROWD, BEST_MEMBER, CALIBRATION)}


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("panel", Path(__file__).parents[2] / "workflow/scripts/panel.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def results(folder: Path, answers: dict[str, pd.DataFrame], options: int) -> dict[str, pd.DataFrame]:
    """What the script makes of some teams' answers, where items have this many options."""
    for team, frame in answers.items():
        write(folder / f"{team}.parquet", table_of(frame), ANSWERS)
    names = [f"item{i:04d}" for i in range(20)]
    items = {"item": names, "question": "?", "gold": "A", "metadata": "{}"}
    rows = pd.DataFrame(items).assign(choices=[["x"] * options] * len(names))
    write(folder / "letters.parquet", rows, ITEMS)
    pq.write_table(pa.table({"item": names, "n_options": [options] * len(names)}), folder / "items.parquet")
    made = folder / "results"
    teams = [folder / f"{team}.parquet" for team in answers]
    script().main(CONFIG, teams, [folder / "letters.parquet"], [folder / "items.parquet"], made)
    return {name: plain(read(made / f"{name}.parquet", table)) for name, table in FILES.items()}


@pytest.mark.parametrize("options", [4, 9])
def test_options_come_from_the_items_or_from_the_release(tmp_path, options):
    codes, gold = random_codes(np.random.default_rng(0), 20, [0.9, 0.8])  # who agree, so that every rule is soon sure
    answers = {
        "told": answers_of(codes, gold, "su", task="letters"),
        "recorded": answers_of(codes, gold, "ab", task="panel"),
    }
    made = results(tmp_path, answers, options)
    chance = made["pairs"][made["pairs"]["quantity"] == "equal_wrong_chance"]
    assert chance["value"].tolist() == pytest.approx([1 / (options - 1)] * 2)
    for name, rows in made.items():
        assert rows.groupby("team", observed=True)["simulated"].unique().map(list).to_dict() == {
            "told": [True],
            "recorded": [False],
        }, name


def test_a_run_without_a_mixed_team_has_empty_tables(tmp_path):
    assert all(rows.empty for rows in results(tmp_path, {}, 4).values())
