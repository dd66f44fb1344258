"""What several documents take their numbers from."""

import re
import sys
import tomllib
from functools import cache
from typing import Any

import pandas as pd
from pages import ROOT
from typer.testing import CliRunner

sys.path.insert(0, str(ROOT / "tests" / "workflow"))  # whose modules the replays are made with

from replays import Replay

from headcount.cli import app
from headcount.config import Config, load
from headcount.publish import figures, tables
from headcount.publish.calibration_tables import failures_of

__all__ = ["ROOT", "Replay"]


def command(*words: str) -> str:
    """What a command prints on a terminal of 80 columns."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(app, [*words])
    assert result.exit_code == 0, result.output
    return result.stdout.strip("\n")


def panel_config() -> Config:
    return load(ROOT / "config/panel.yaml")


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def paper_numbers() -> dict[str, int]:
    """The paper's number of each table and figure that has one."""
    aliases = {name: page.alias for pages in (tables.PAGES, figures.PAGES) for name, page in pages.items()}
    return {name: int(re.sub(r"\D", "", alias)) for name, alias in aliases.items() if alias}


@cache
def study(name: str) -> pd.DataFrame:
    """The rows of a tracked study of calibration."""
    return pd.read_csv(ROOT / f"resources/calibration/{name}.csv")


def coverage_counts() -> tuple[int, int, dict[int, int], dict[int, int]]:
    """Populations of the study of coverage, its numbers at each number of items, and how many the default and the
    paper's interval fall short of, by items."""
    rows = study("coverage")
    lines = failures_of(rows).splitlines()
    items = [int(head.replace(",", "")) for head in re.findall(r"([\d,]+) items", lines[0])]
    counted = {line.split(" | ")[0]: re.findall(r"(\d+) of (\d+)", line) for line in lines[2:]}
    ours, theirs = counted["| jackknife t (default)"], counted["| percentile, β ≥ 0 (paper)"]
    ((of_all,),) = {(of,) for _, of in ours}
    short = [dict(zip(items, (int(count) for count, _ in line), strict=True)) for line in (ours, theirs)]
    return rows["population"].nunique(), int(of_all), short[0], short[1]


def release_rows(run: str) -> int:
    """Distinct requests in a release's replies."""
    files = (ROOT / f"resources/{run}/responses").rglob("*.parquet")
    return len(set().union(*(pd.read_parquet(file, columns=["request"])["request"] for file in files)))


def held(test: str, pattern: str) -> list[float]:
    """Numbers that a test holds: the groups of a pattern that must be found in its source."""
    found = re.search(pattern, (ROOT / test).read_text(encoding="utf-8"))
    assert found, f"{test} has nothing like {pattern}"
    return [float(number) for number in found.groups()]


def locked(package: str) -> str:
    """Major and minor version of a package in the locked environment."""
    listed = (ROOT / "envs/core.txt").read_text(encoding="utf-8")
    (version,) = re.findall(rf"(?m)^{re.escape(package)}==(\d+\.\d+)", listed)
    return str(version)


@cache
def paper_table(name: str) -> pd.DataFrame:
    """Published numbers, from `resources/published`."""
    return pd.read_csv(ROOT / f"resources/published/{name}.csv")


def printed(name: str) -> list[float]:
    """Numbers of the paper's text: one, or the parts of a range or list."""
    text = paper_table("prose_scalars").set_index("name")["value"][name]
    return [float(part) for part in re.findall(r"\d+(?:\.\d+)?", str(text))]


def cells(table: str, **where: object) -> pd.DataFrame:
    """Rows of a published table with these values."""
    rows = paper_table(table)
    for name, value in where.items():
        rows = rows[rows[name] == value]
    return rows


def column(table: str, name: str, **where: object) -> list[float]:
    """A column of such rows."""
    return [float(value) for value in cells(table, **where)[name]]


def ends(values: "pd.Series[float]") -> list[float]:
    """The least and the largest."""
    return [float(values.min()), float(values.max())]
