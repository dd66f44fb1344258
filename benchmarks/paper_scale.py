"""The paper's grid rebuilt from its answers: how long, with how much memory, and how that grows.

    python benchmarks/paper_scale.py [--quick] [--to FOLDER]

Makes the answers of config/benchmark.yaml with simulated agents. Then it times what Snakemake takes on two cores to
plan the run, to rebuild every number, table, figure and page with no call, to find nothing to do, and to rebuild one
table alone. It rebuilds parts of the items, of the teams and of the replicates too, and times a straightforward
implementation beside all this (naive.py). The numbers go to FOLDER/paper_scale.json, and to two figures beside it
(scale_figures.py). `--quick` takes an eighth of the items and draws no curve. Run nothing beside it: seconds are
of the wall.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import floor
import naive
import pyarrow.parquet as pq
import scale_figures
import scale_report
from grids import Grid, config_of, written
from results import Numbers
from watch import Watched, watch

from headcount.config import parse
from headcount.debate.planner import plan

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
CORES = 2
REPORT, QUICK = "benchmarks/report", "benchmarks/quick"  # the first is tracked, and on the page that report.py writes
TABLE = "regimes"
ITEMS, TEAMS, REPLICATES = (1 / 8, 1 / 4, 1 / 2), (1, 2, 4), (250, 500, 2000)  # parts beside the whole


def main(quick: bool, target: Path) -> None:
    with TemporaryDirectory(dir=target) as work:
        whole = Grid(items=ITEMS[0] if quick else 1.0)
        bench = Rebuild(whole, Path(work) / "whole")
        whole_run = bench.timed() | {"seen": date.today().isoformat(), "cores": CORES}
        numbers: Numbers = {"rebuild": whole_run}
        _report(numbers, target)
        numbers["floor"] = floor.measured(bench.release, bench.results)
        numbers["naive"] = naive.compared(bench.release, bench.results)
        _report(numbers, target)
        numbers["curve"] = [whole_run | whole_run["rebuild"]]
        for place, grid in enumerate(() if quick else _curve()):
            numbers["curve"].append(_point(grid, Path(work) / f"point{place}"))
            _report(numbers, target)
    print("\n".join(scale_report.section(numbers)))


def _report(numbers: Numbers, target: Path) -> None:
    """What is known so far: a part that fails takes nothing with it."""
    (target / "paper_scale.json").write_text(json.dumps(numbers, indent=1) + "\n")
    scale_figures.draw(numbers, target)


def _curve() -> Iterator[Grid]:
    """Parts of the grid, one thing at a time."""
    yield from (Grid(items=share) for share in ITEMS)
    yield from (Grid(items=ITEMS[0], teams=count) for count in TEAMS)
    yield from (Grid(items=ITEMS[0], replicates=count) for count in REPLICATES)


def _point(grid: Grid, folder: Path) -> Numbers:
    bench = Rebuild(grid, folder)
    run = bench.snakemake("rebuild", "all")
    return bench.size() | {"seconds": run.seconds, "peak": run.peak, "kinds": run.by_kind()}


class Rebuild:
    """A part of the grid in a folder of its own, with its answers."""

    def __init__(self, grid: Grid, folder: Path) -> None:
        self.grid, self.folder, self.release = grid, folder, folder / "release"
        self.config = config_of(grid)
        self.results = folder / "results" / str(self.config["run"])
        folder.mkdir()
        for name in ("Snakefile", "workflow", "resources"):
            (folder / name).symlink_to(ROOT / name)
        written(self.config, folder / "config.yaml")
        self.made = self._run("simulate", [f"{BIN}/headcount", "simulate", "config.yaml", "--to", "release"])

    def timed(self) -> Numbers:
        """Every step, in the order that a user meets them."""
        steps = {
            "plan": self.snakemake("plan", "all", "--dry-run"),
            "rebuild": self.snakemake("rebuild", "all"),
            "nothing_to_do": self.snakemake("again", "all"),
        }
        (self.results / "tables" / f"{TABLE}.csv").unlink()
        steps["one_table"] = self.snakemake("table", TABLE)
        told: Numbers = {name: {"seconds": run.seconds, "peak": run.peak} for name, run in steps.items()}
        return self.size() | told | {"kinds": steps["rebuild"].by_kind()}

    def snakemake(self, name: str, target: str, *flags: str) -> Watched:
        """Snakemake on this folder, with no model to ask."""
        command = [f"{BIN}/snakemake", "--cores", str(CORES), "--configfile", "config.yaml", "--quiet", "rules", *flags]
        return self._run(name, [*command, "--config", "replay=release", "tier=open", "--", target])

    def size(self) -> Numbers:
        """What the grid is, and what its answers are."""
        bytes_ = sum(path.stat().st_size for path in self.release.rglob("*.parquet"))
        return asdict(self.grid) | {"answers_bytes": bytes_, "simulate_seconds": self.made.seconds, **self._counts()}

    def _counts(self) -> Numbers:
        """Cells of all conditions, turns in the files, and final answers of all teams."""
        config = parse(self.config, "config/benchmark.yaml")
        planned = plan(config)
        turns = sum(pq.read_metadata(path).num_rows for path in self.release.rglob("answers/**/*.parquet"))
        final = sum(
            (config.tasks[cell.task].items or 0) * sum(shape.n * shape.replicates for shape in cell.shapes)
            for cell in planned.cells
        )
        return {"cells": len(planned.cells), "turns": turns, "final_answers": final}

    def _run(self, name: str, command: list[str]) -> Watched:
        paths = {"PYTHONPATH": str(ROOT / "workflow")}
        return watch(command, self.folder, self.folder / f"{name}.log", paths)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="an eighth of the items, and no curve")
    parser.add_argument("--to", type=Path, help=f"folder of the numbers and figures; default: {REPORT}, or {QUICK}")
    return parser.parse_args()


if __name__ == "__main__":
    told = _arguments()
    target = told.to or ROOT / (QUICK if told.quick else REPORT)
    target.mkdir(parents=True, exist_ok=True)
    main(told.quick, target)
