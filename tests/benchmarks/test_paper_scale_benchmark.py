"""What the paper-scale benchmark stands on: its grid, its watch, and the implementation it compares with."""

import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from headcount.config import parse
from headcount.debate.planner import plan

CHECKOUT = Path(__file__).parents[2]
BURN = "import time\nheld = bytearray(80_000_000)\nend = time.time() + 0.5\nwhile time.time() < end:\n    pass\n"


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(CHECKOUT / "benchmarks"))


def fits_of_table_11(cells):
    """The paper's own count: without self-consistency, solo runs, and questions that stand for code."""
    return {
        (cell.team, cell.task, cell.condition)
        for cell in cells
        if cell.condition != "self_consistency" and not cell.task.startswith("humaneval")
    }


def test_the_grid_has_the_teams_tasks_and_conditions_of_table_11():
    from grids import Grid, config_of

    published = pd.read_csv(CHECKOUT / "resources/published/table11_master_fits.csv")
    ours = {
        (team, task.removesuffix("_200"), c) for team, task, c in fits_of_table_11(planned(config_of(Grid())).cells)
    }
    theirs = set(zip(published["model"], published["task"], published["condition"], strict=True))
    assert len(theirs) == 44
    assert theirs <= ours


def test_a_part_of_the_items_asks_that_part_of_each_task():
    from grids import Grid, config_of

    whole, half = config_of(Grid()), config_of(Grid(items=0.5))
    assert whole["tasks"]["mmlu_hard"]["items"] == 724
    assert half["tasks"]["mmlu_hard"]["items"] == 362
    assert planned(half).cells == planned(whole).cells


@pytest.mark.parametrize("teams", [1, 2, 5])
def test_some_teams_are_a_run_of_their_own(teams):
    from grids import Grid, config_of

    config = config_of(Grid(teams=teams))
    assert {cell.team for cell in planned(config).cells} == set(config["teams"])
    assert len(config["teams"]) == teams


def test_a_job_is_known_by_its_script_and_its_memory_and_time_are_seen(tmp_path):
    from watch import watch

    script = tmp_path / "scripts" / "tmp1234.tables.py"
    script.parent.mkdir()
    script.write_text(BURN)
    seen = watch([sys.executable, str(script)], tmp_path, tmp_path / "log", {})
    (kind, told), *others = seen.by_kind().items()
    assert (kind, told["jobs"], others) == ("tables", 1, [])
    assert 0.2 < told["processor"] <= told["wall"] + 0.1
    assert seen.peak > 80_000_000


def test_a_command_that_fails_ends_the_benchmark_with_its_log(tmp_path):
    from watch import watch

    with pytest.raises(SystemExit, match="no such luck"):
        watch([sys.executable, "-c", "raise ValueError('no such luck')"], tmp_path, tmp_path / "log", {})


def test_measures_by_pandas_are_those_of_a_team_counted_by_hand():
    from naive import measures

    answers = pd.DataFrame({"item": "i", "n": 4, "answer": ["A", "A", "B", None], "correct": [True, True, False, None]})
    team = measures(answers).iloc[0]
    assert team["n_eff_answer"] == pytest.approx(2 ** (np.log2(3) - 2 / 3))
    assert team["agreement"] == pytest.approx(1 / 3)
    assert team["n_correct"] == 2


def test_curve_fit_finds_the_law_that_a_curve_was_made_with():
    from naive import fit, ringelmann

    n = np.array([2.0, 3, 5, 7, 10, 15, 20, 30])
    assert fit(pd.Series(ringelmann(n, 0.4, 0.3), index=n)) == pytest.approx([0.4, 0.3], abs=1e-5)


def test_the_page_says_what_was_measured():
    from report import page

    folder = CHECKOUT / "benchmarks"
    written = (folder / "README.md").read_text()
    assert written == page(written)
    for figure in re.findall(r"\]\((report/.*\.png)\)", written):
        assert (folder / figure).exists()


def planned(config):
    return plan(parse(config, "config/benchmark.yaml"))
