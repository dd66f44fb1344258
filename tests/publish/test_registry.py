"""Names and the paper's aliases of tables and figures; lean jobs; the scripts end to end."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from headcount.errors import UserError
from headcount.publish import figures, tables
from headcount.publish.registry import load
from headcount.schema import CURVES, FITS
from headcount.store import write

ROOT = Path(__file__).parents[2]


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "workflow" / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_paper_in_hand_finds_our_names():
    assert tables.ALIASES["regimes"] == "table01"
    assert figures.ALIASES == figures.ALIASES | {"effective_team_size": "figure1", "regime_plane": "figure7"}
    assert "style" not in figures.ALIASES
    assert load("tables", "table01") is load("tables", "regimes")


def test_no_alias_is_taken_twice():
    taken = [alias for alias in [*tables.ALIASES.values(), *figures.ALIASES.values()] if alias]
    assert len(taken) == len(set(taken))


def test_a_wrong_name_is_corrected():
    with pytest.raises(UserError, match=r"no 'regime' among the tables\. Did you mean 'regimes'"):
        load("tables", "regime")


def test_naming_figures_and_making_tables_import_little():
    code = """
import sys, importlib
import headcount.publish.figures, headcount.publish.tables
assert not {"matplotlib", "pandas"} & set(sys.modules)
for name in headcount.publish.tables.ALIASES:
    importlib.import_module(f"headcount.publish.tables.{name}")
assert not {"matplotlib", "scipy", "rich"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scripts_from_parquet_to_files(fits, curves, published_folder, tmp_path):
    rest = dict.fromkeys(("n_items", "n_valid", "r", "team_accuracy", "share_unanimous"), 1)
    rest |= dict.fromkeys(("share_unanimous_wrong", "share_missing"), 0) | {"agent_accuracy": None}
    write(tmp_path / "fits.parquet", fits, FITS)
    write(tmp_path / "curves.parquet", curves.assign(**rest), CURVES)
    inputs = tmp_path / "fits.parquet", tmp_path / "curves.parquet"
    out = {kind: tmp_path / "made" / f"x.{kind}" for kind in ("csv", "md", "tex", "pdf", "png")}

    script("table").main("regimes", inputs[0], published_folder, out["csv"], out["md"], out["tex"])
    rows = pd.read_csv(out["csv"])
    assert rows["condition"].tolist() == ["self_consistency", "debate", "debate", "noise"]
    assert rows["sizes"].unique().tolist() == ["2;3;5"]
    for name in figures.ALIASES:
        script("figure").main(name, *inputs, published_folder, out["pdf"], out["png"], out["csv"])
        assert out["pdf"].stat().st_size > 1000
