"""What `headcount simulate` writes is a run like any other, from its answers on, and everything made of it says so."""

import json

import pytest

pytestmark = pytest.mark.workflow

CONFIG = """\
run: made
models:
  a: {family: one, engine: simulated, population: {correlation: 0.2, missing: 0.02}}
teams: {alone: {members: [a]}}
tasks: {letters: {format: made_up, options: 4, items: 30}}
experiments: {core: {teams: [alone], tasks: [letters], sizes: [1, 2, 3, 5]}}
fitting: {bootstrap: 20}
"""
REPLAY = ("--configfile", "made.yaml", "--config", "replay=resources/made", "tier=open")


def test_simulated_answers_become_tables_without_one_call(fresh):
    folder = fresh.folder
    (folder / "made.yaml").write_text(CONFIG)
    told = fresh.headcount("simulate", "made.yaml", "--to", "resources/made")
    assert told.returncode == 0, told.stderr
    tables = [f"results/made/tables/{name}.{kind}" for name in ("regimes", "levels_compared") for kind in ("md", "csv")]
    figure = "results/made/figures/independent_voters.png"
    fresh.run(*REPLAY, "--", tables[0], tables[2], figure)
    assert (folder / figure).exists()
    for table in tables[::2]:
        assert (folder / table).read_text().startswith("SIMULATED")
    for stage in ("items", "draws", "turns"):
        assert not (folder / "results/made" / stage).exists()
    assert not list((folder / "cache").rglob("*.sqlite"))
    assert json.loads((folder / "resources/made/release.json").read_text())["tier"] == "open"
    assert not fresh.jobs(tables[0], *REPLAY)
