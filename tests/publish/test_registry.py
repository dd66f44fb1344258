"""Names and the paper's aliases of tables and figures; lean jobs; the scripts end to end."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from headcount.config import load as load_config
from headcount.debate.planner import plan
from headcount.errors import UserError
from headcount.publish import figures, tables
from headcount.publish.needs import applying
from headcount.publish.registry import Pages, load
from headcount.schema import CURVES, FITS
from headcount.store import write

ROOT = Path(__file__).parents[2]


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "workflow" / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_paper_in_hand_finds_our_names():
    assert tables.PAGES["regimes"].alias == "table01"
    assert figures.PAGES["effective_team_size"].alias == "figure1"
    assert "style" not in figures.PAGES
    assert load("tables", "table01") is load("tables", "regimes")


def test_no_alias_is_taken_twice():
    taken = [page.alias for page in [*tables.PAGES.values(), *figures.PAGES.values()] if page.alias]
    assert len(taken) == len(set(taken))


def test_a_wrong_name_is_corrected():
    with pytest.raises(UserError, match=r"no 'regime' among the tables\. Did you mean 'regimes'"):
        load("tables", "regime")


def test_a_page_is_read_without_the_sources_of_others(tmp_path):
    said = 'PAPER = "table01"\nQUESTION = "size"\nNEEDS = ()\nREADS = ("fits",)\nPUBLISHED = ()\n'
    (tmp_path / "good.py").write_text(said, encoding="utf-8")
    (tmp_path / "helper.py").write_text("X = 1\n", encoding="utf-8")
    (tmp_path / "unreadable.py").write_text("PAPER =\n", encoding="utf-8")
    pages = Pages([str(tmp_path)])
    assert pages["good"].reads == ("fits",)
    assert "helper" not in pages
    assert "absent" not in pages
    with pytest.raises(SyntaxError):
        list(pages)


def test_naming_figures_and_making_tables_import_little():
    code = """
import sys, importlib
import headcount.publish.figures, headcount.publish.tables
assert not {"matplotlib", "pandas"} & set(sys.modules)
for name in headcount.publish.tables.PAGES:
    importlib.import_module(f"headcount.publish.tables.{name}")
assert not {"matplotlib", "scipy", "rich"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scripts_from_parquet_to_files(fits, curves, published_folder, tmp_path):
    rest = dict.fromkeys(("n_items", "n_valid", "r"), 1)
    write(tmp_path / "fits.parquet", fits, FITS)
    write(tmp_path / "curves.parquet", curves.assign(**rest), CURVES)
    script("tables").main(["regimes"], tmp_path, published_folder)
    rows = pd.read_csv(tmp_path / "tables" / "regimes.csv")
    assert rows["condition"].tolist() == ["self_consistency", "debate", "debate", "noise"]
    assert rows["sizes"].unique().tolist() == ["2;3;5"]
    assert (tmp_path / "tables" / "regimes.tex").exists()
    names = ("effective_team_size", "regime_plane")
    script("figures").main(names, tmp_path, published_folder)
    for name in names:
        assert (tmp_path / "figures" / f"{name}.pdf").stat().st_size > 1000


def test_the_rehearsal_fills_every_table_and_figure():
    config = load_config(ROOT / "config" / "rehearsal.yaml")
    for pages in (tables.PAGES, figures.PAGES):
        assert applying(pages, config, plan(config)) == list(pages)
