"""A run of recorded answers: no questions, no draws, no turns; the rest as of any run."""

import pandas as pd
import pytest

pytestmark = pytest.mark.workflow

PANEL = ("--configfile", "config/panel.yaml")
RECORDED = """\
run: recorded
replay: resources/recorded
models: {m: {family: one, engine: recorded}, o: {family: two, engine: recorded}}
teams: {two: {members: [m, o]}}
tasks: {a: {format: recorded, items: 1}}
experiments: {e: {teams: [two], tasks: [a], conditions: [self_consistency], sizes: [2]}}
"""


def test_the_panels_measures_need_its_answers_and_no_job_that_asks(fresh):
    assert fresh.jobs("results/panel/measures/panel.parquet", *PANEL) == {"answers": 1, "measures": 1}


def test_there_is_no_rule_for_what_a_recorded_task_has_not(fresh):
    (fresh.folder / "recorded.yaml").write_text(RECORDED)
    (fresh.folder / "resources/recorded").mkdir()
    for file in ("items/a", "draws/m/a", "turns/two/a/debate"):
        refused = fresh.snakemake(f"results/recorded/{file}.parquet", "--configfile", "recorded.yaml")
        assert refused.returncode == 1
        assert "No rule to produce" in refused.stderr


def test_a_release_that_changes_makes_the_answers_again(fresh):
    release = fresh.folder / "resources/panel/answers/panel/mmlu_pro.parquet"
    target = "results/panel/answers/panel.parquet"
    fresh.run(target, *PANEL)
    assert len(pd.read_parquet(fresh.folder / target)) == 2 * 29 * 12032
    assert fresh.jobs(target, *PANEL) == {}
    release.touch()
    release.write_bytes(release.read_bytes() + b" ")
    assert fresh.jobs(target, *PANEL) == {"answers": 1}
