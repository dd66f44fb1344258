"""A whole run: what it leaves, what it says of itself, and the names that people type."""

import json

import pyarrow.parquet as pq
import pytest
from checkout import KINDS, page_files, pages_of

from headcount.config import load
from headcount.debate.planner import plan
from headcount.publish.graph import steps

TABLES = [f"tables/{name}" for name in pages_of("tables")]
FIGURES = [f"figures/{name}" for name in pages_of("figures")]
BATCHES = {kind: {f"{kind}_of_{KINDS[kind][name].question}": 1 for name in pages_of(kind)} for kind in KINDS}


def test_every_file_of_the_plan_exists_and_the_manifest_names_it(finished):
    config = load(finished.folder / "small.yaml")
    results = finished.folder / "results/small"
    files = {step.path for step in steps(config, plan(config))}
    parquet = {str(path.relative_to(results)) for path in results.rglob("*.parquet")}
    tracked = {file for file in files if file.startswith("resources/")}
    cells = {f"pages/{cell.team}/{cell.task}.{cell.condition}.html" for cell in plan(config).cells}
    cards = {f"cards/{model}.{kind}" for model in "ab" for kind in ("html", "json")}  # a debates alone, both are probed
    assert files - tracked == parquet | page_files() | cells | cards | {"pilot.html"}
    assert all((results / file).stat().st_size for file in files - tracked)
    manifest = json.loads((results / "manifest.json").read_text())
    assert set(manifest["files"]) == files
    assert manifest["simulated"] == ["alone", "mixed"]


def test_a_second_run_has_nothing_to_do(finished):
    assert finished.jobs() == {}


def test_simulated_stands_in_everything_that_people_read(finished):
    results = finished.folder / "results/small"
    for name in TABLES:
        for suffix in ("csv", "md", "tex"):
            assert "SIMULATED" in (results / f"{name}.{suffix}").read_text(), name
        caption = (results / f"{name}.md").read_text().splitlines()[0]
        assert caption.startswith("SIMULATED"), name
    for name in FIGURES:
        rows = (results / f"{name}.csv").read_text().splitlines()
        place = rows[0].split(",").index("simulated")
        assert "True" in {row.split(",")[place] for row in rows[1:]}, name
    assert all(pq.read_table(results / "fits.parquet")["simulated"].to_pylist())


def test_show_prints_a_table_of_the_run(finished):
    shown = finished.headcount("show", "table01", "--run", "small")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "SIMULATED" in shown.stdout
    assert "debate" in shown.stdout


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("regimes", {"tables_of_size": 1, "regimes": 1}),
        ("table01", {"tables_of_size": 1, "table01": 1}),
        ("tables", BATCHES["tables"] | {"tables": 1}),
        ("figures", BATCHES["figures"] | {"figures": 1}),
        ("figure1", {"figures_of_size": 1, "figure1": 1}),
    ],
)
def test_tables_and_figures_are_targets_by_name_and_by_number(copy, target, expected):
    for page in (*TABLES, *FIGURES):
        for file in (copy.folder / "results/small").glob(f"{page}.*"):
            file.unlink()
    assert copy.jobs(target) == expected


def test_a_bad_config_stops_with_one_line(fresh):
    fresh.edit("small.yaml", "engine: simulated", "engine: simulate")
    stopped = fresh.snakemake("--dry-run")
    assert stopped.returncode == 1
    (line,) = [line for line in stopped.stderr.splitlines() if line]
    assert "models.a.engine: 'simulate' is not allowed. Did you mean 'simulated'?" in line
    assert not stopped.stdout


def test_a_failing_job_says_why_once_and_names_its_log(fresh):
    fresh.edit("letters.csv", "l2,Which is letter 2?,x2,y2,z2,C", "l2,Which is letter 2?,x2,y2,z2,D")
    failed = fresh.snakemake("results/small/items/letters.parquet")
    log = "results/small/logs/items/letters.log"
    why = "letters.csv: row 4: answer 'D' is not one of the 3 choices A-C."
    assert failed.returncode == 1
    assert failed.stderr.count(why) == 1
    assert f"(log: {log})" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert why in (fresh.folder / log).read_text()
