"""The script of `audits`, from file to file."""

import importlib.util
from pathlib import Path

import pytest
from made_up_teams import answers
from small_runs import small_config

from headcount.content import content_hash
from headcount.laws.audit import audit_run
from headcount.laws.projection import projections_of_run
from headcount.laws.rivals import rivals_of_run
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings
from headcount.laws.skills import skills_of_run
from headcount.measures.subsets import subset_measures
from headcount.measures.table import measure
from headcount.schema import ANSWERS, AUDITS, MEASURES, PROJECTIONS, RIVALS, SKILLS, SUBSETS
from headcount.store import conform, read, write

SCRIPT = Path(__file__).parents[2] / "workflow" / "scripts" / "audits.py"
SIZES = (2, 3, 5, 7)


@pytest.fixture
def script():
    spec = importlib.util.spec_from_file_location("script_audits", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_audits_from_file_to_file(script, tmp_path):
    rows = conform(answers(sizes=SIZES, items=6, rounds=2), ANSWERS, "test")
    team = TeamRows(measure(rows), subset_measures(rows, {("t", "self_correction"): SIZES}))
    inputs = [tmp_path / "measures" / "t.parquet", tmp_path / "subsets" / "t.parquet"]
    for path, table, schema in zip(inputs, (team.measures, team.subsets), (MEASURES, SUBSETS), strict=True):
        write(path, table, schema)
    config = small_config().model_dump(mode="json") | {"fitting": {"bootstrap": 10, "seed": 3}}
    made = {name: tmp_path / f"{name}.parquet" for name in ("rivals", "skills", "audits", "projections")}
    script.main(config, inputs[:1], inputs[1:], **made)
    how = FitSettings(n_boot=10, seed=3)
    simulated = ["t"]  # the one team of the configuration
    teams = {"t": team}
    expected = {
        RIVALS: rivals_of_run(teams, how, simulated),
        SKILLS: skills_of_run(teams, how, simulated),
        AUDITS: audit_run(teams, how, simulated),
        PROJECTIONS: projections_of_run(teams, how, simulated),
    }
    for table, rows in expected.items():
        assert content_hash(read(made[table.name], table)) == content_hash(rows)
