"""Programs through the whole workflow: asked for, run in sandboxes, measured on both axes, released and replayed."""

import csv
import shutil

import pytest
from checkout import Checkout, check_out

from headcount.config import load
from headcount.debate.planner import plan
from headcount.publish.graph import steps
from headcount.schema import ANSWERS, DRAWS, TURNS, VERDICTS
from headcount.store import read

pytestmark = [pytest.mark.network, pytest.mark.workflow]

CONFIG = """\
run: code
seed: 1
models:
  a: {family: one, engine: simulated, population: {accuracy: 0.5, adoption: 0.3, redraw: 0.3, missing: 0.05}}
teams:
  coders: {members: [a]}
tasks:
  humaneval_4: {format: humaneval, items: 4}
experiments:
  pilot: {teams: [coders], tasks: [humaneval_4], conditions: [debate, self_correction], sizes: [1, 2, 3]}
fitting: {bootstrap: 20}
"""
VERDICTS_FILE = "verdicts/coders/humaneval_4.parquet"
AXES = ("humaneval_4", "humaneval_4.code")
CONDITIONS = ("debate", "self_correction")


@pytest.fixture(scope="module")
def coded(tmp_path_factory) -> Checkout:
    """A checkout in which Table 20 was asked for, and the pages of its cells."""
    checkout = check_out(tmp_path_factory.mktemp("coded"))
    (checkout.folder / "code.yaml").write_text(CONFIG)
    checkout.run("--configfile", "code.yaml", "--", "table20", "results/code/pages/coders")
    return checkout


def said(checkout: Checkout) -> dict[str, str]:
    """All replies, by request."""
    results = checkout.folder / "results/code"
    files = [("draws/a/humaneval_4", DRAWS), *((f"turns/coders/humaneval_4/{name}", TURNS) for name in CONDITIONS)]
    tables = [read(results / f"{name}.parquet", table) for name, table in files]
    return {row["request"]: row["text"] for table in tables for row in table.to_pylist()}


def test_table_20_has_both_axes_of_real_programs(coded):
    with (coded.folder / "results/code/tables/code_axes.csv").open() as file:
        rows = list(csv.DictReader(file))
    places = {(row["axis"], row["condition"], row["n"]) for row in rows}
    assert places == {(axis, c, n) for axis in ("pass_vector", "code") for c in CONDITIONS for n in "123"}
    assert all(row["r"] == "1.0000" for row in rows if row["n"] == "1")
    assert all(row["simulated"] == "SIMULATED" and row["c"] for row in rows)
    of = {(row["axis"], row["condition"], row["n"]): float(row["r"]) for row in rows}
    assert of["code", "self_correction", "3"] > of["pass_vector", "self_correction", "3"]


def test_answers_are_right_where_the_known_solution_was_written(coded):
    texts = said(coded)
    rows = read(coded.folder / "results/code/answers/coders.parquet", ANSWERS).to_pylist()
    assert {row["task"] for row in rows} == set(AXES)
    for row in rows:
        stated = "right_" in texts[row["request"]] if "FINAL" in texts[row["request"]] else None
        assert row["correct"] == stated
        assert (row["answer"] is None) == (stated is None)


def test_the_plan_has_every_file_and_no_other(coded):
    config = load(coded.folder / "code.yaml")
    planned = {step.path: step for step in steps(config, plan(config))}
    results = coded.folder / "results/code"
    made = {str(path.relative_to(results)) for path in results.rglob("*.parquet")}
    assert made <= planned.keys()
    assert VERDICTS_FILE in made
    assert VERDICTS_FILE in planned["answers/coders.parquet"].made_from
    pages = {f"pages/coders/{task}.{condition}.html" for task in AXES for condition in CONDITIONS}
    assert pages <= planned.keys()
    assert {str(path.relative_to(results)) for path in results.rglob("*.html")} == pages


def test_a_page_and_a_transcript_of_the_code_axis_quote_the_programs(coded):
    page = (coded.folder / "results/code/pages/coders/humaneval_4.code.debate.html").read_text()
    assert "def " in page
    item = read(coded.folder / "results/code" / VERDICTS_FILE, VERDICTS)["item"][0].as_py()
    shown = coded.headcount("transcript", "coders", "humaneval_4.code", "debate", item, "2", "--run", "code")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "] program " in shown.stdout
    assert "```python" in shown.stdout


def test_a_replay_of_the_release_needs_no_sandbox(coded, tmp_path):
    done = coded.headcount("release", "code.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    replaying = check_out(tmp_path)
    shutil.copytree(coded.folder / "resources/code", tmp_path / "resources/code")
    (tmp_path / "again.yaml").write_text(CONFIG.replace("run: code", "run: again\nreplay: resources/code"))
    forbidden = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    before = ("unshare", "--user", "--map-root-user", "--net", "sh", "-c", forbidden, "sh")
    target = f"results/again/{VERDICTS_FILE}"
    replaying.run("--configfile", "again.yaml", "--", target, before=before)
    original = coded.folder / "results/code" / VERDICTS_FILE
    assert read(tmp_path / target, VERDICTS).equals(read(original, VERDICTS))
