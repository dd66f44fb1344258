"""What paper_scale.py measured, as a page and figures.

    python benchmarks/scale_report.py FOLDER/paper_scale.json

So that words and drawings can change without measuring again.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

GIB = 2**30
STAGES = {"measures": "measures", "fits": "fits", "audits": "audits"}  # what naive.py does too, by kind of job
STEPS = {
    "plan": "plan alone (`snakemake --dry-run all`)",
    "rebuild": "the whole rebuild (`snakemake all`)",
    "nothing_to_do": "the same with nothing to do",
    "one_table": "one table, deleted and made again",
}
BESIDE = """Pandas and `curve_fit` were timed on one cell, agree with the workflow there, and are stretched by counts of
teams, curves and refits. The workflow's jobs do more: other votes, moves, pairs, ledgers, rival laws and skills."""
Numbers = dict[str, Any]


def write(path: Path) -> None:
    """Page and figures beside the numbers."""
    numbers: Numbers = json.loads(path.read_text())
    path.with_suffix(".md").write_text(page(numbers))
    _where(numbers["rebuild"]["kinds"], path.with_name("where.png"))
    if series := _series(numbers.get("curve", [])):
        _curves(series, path.with_name("growth.png"))


def page(numbers: Numbers) -> str:
    """The page, in Markdown."""
    return "\n".join(_page(numbers)).rstrip() + "\n"


def _page(numbers: Numbers) -> Iterator[str]:
    run = numbers["rebuild"]
    yield f"# {run['cells']} cells, {run['final_answers']:,} final answers, {run['turns']:,} turns"
    yield ""
    yield f"Answers written by the simulator in {run['simulate_seconds']:.1f} s, {run['answers_bytes'] / 1e6:.1f} MB."
    yield ""
    yield from _table(("step", "seconds", "peak memory, GiB"), _steps(run))
    yield "![Seconds of each kind of job](where.png)"
    yield ""
    yield from _table(("job", "jobs", "seconds", "of processor time", "a job", "peak, GiB"), _kinds(run["kinds"]))
    yield from _table(("what pandas and curve_fit take", "seconds", "the workflow's job", "times"), _ratios(numbers))
    yield BESIDE
    yield ""
    yield from _table(("no rebuild can go below", "seconds"), _floor(numbers["floor"]))
    if _series(numbers.get("curve", [])):
        yield "![Seconds against items, cells and replicates](growth.png)"
        yield ""
        head = ("share of items", "cells", "replicates", "final answers", "seconds", "peak memory, GiB")
        yield from _table(head, _growing(numbers["curve"]))


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(str(cell) for cell in row)} |" for row in rows)
    yield ""


def _steps(run: Numbers) -> Iterator[tuple[object, ...]]:
    for step, words in STEPS.items():
        yield words, f"{run[step]['seconds']:.1f}", f"{run[step]['peak'] / GIB:.2f}"


def _kinds(kinds: Numbers) -> Iterator[tuple[object, ...]]:
    for kind, own in kinds.items():
        each = own["wall"] / own["jobs"]
        seconds = (f"{own['wall']:.1f}", f"{own['processor']:.1f}", f"{each:.2f}")
        yield kind, f"{own['jobs']:.0f}", *seconds, f"{own['peak'] / GIB:.2f}"


def _ratios(numbers: Numbers) -> Iterator[tuple[object, ...]]:
    theirs, ours = numbers["naive"], numbers["rebuild"]["kinds"]
    pairs = {stage: (theirs[f"{stage}_seconds"], ours[kind]["processor"]) for stage, kind in STAGES.items()}
    pairs["all three"] = (sum(a for a, _ in pairs.values()), sum(b for _, b in pairs.values()))
    for stage, (naive, own) in pairs.items():
        yield stage, f"{naive:,.0f}", f"{own:.1f}", f"{naive / own:,.0f}"


def _growing(points: list[Numbers]) -> Iterator[tuple[object, ...]]:
    for point in sorted(points, key=lambda point: (point["items"], point["cells"], point["replicates"])):
        size = (f"{point['items']:g}", point["cells"], point["replicates"], f"{point['final_answers']:,}")
        yield *size, f"{point['seconds']:.0f}", f"{point['peak'] / GIB:.2f}"


def _floor(floor: Numbers) -> Iterator[tuple[object, ...]]:
    yield f"reading {floor['rows']:,} rows once, {floor['bytes'] / 1e6:.1f} MB", f"{floor['reading_seconds']:.2f}"
    words = f"{floor['product_flops'] / 1e9:.1f} Gflop of weighted means behind the fits"
    yield words, f"{floor['product_seconds']:.2f}"


def _where(kinds: Numbers, path: Path) -> None:
    """Seconds of each kind of job: of the processor, and of waiting for it."""
    names = list(kinds)[::-1]
    figure, axes = plt.subplots(figsize=(6.5, 0.22 * len(names) + 0.9), layout="constrained")
    axes.barh(names, [kinds[name]["wall"] for name in names], color="#c9d3df", label="from start to end")
    axes.barh(
        names, [kinds[name]["processor"] for name in names], color="#33587f", height=0.45, label="of processor time"
    )
    axes.set_xlabel("seconds, all jobs of a kind together")
    axes.legend(frameon=False, loc="lower right")
    _plain(axes)
    figure.savefig(path, dpi=150)


def _series(points: list[Numbers]) -> dict[str, tuple[str, list[Numbers]]]:
    """Points that differ in one thing, by its name and column; empty until each has two."""
    if not points:
        return {}
    few = min(point["items"] for point in points)
    whole = [point for point in points if point["items"] == few and point["teams"] is None]
    standard = next(point for point in whole if point["replicates"] == 1000)
    series = {
        "share of items": ("items", [p for p in points if p["teams"] is None and p["replicates"] == 1000]),
        "cells": ("cells", [p for p in points if p["teams"] is not None] + [standard]),
        "replicates": ("replicates", whole),
    }
    return series if min(len(own) for _, own in series.values()) > 1 else {}


def _curves(series: dict[str, tuple[str, list[Numbers]]], path: Path) -> None:
    """Seconds against items, cells and replicates, each with the line through its ends."""
    figure, axes = plt.subplots(1, 3, figsize=(9, 2.9), layout="constrained")
    for panel, (words, (name, own)) in zip(axes, series.items(), strict=True):
        _growth(panel, sorted((point[name], point["seconds"]) for point in own))
        panel.set_xlabel(words)
    axes[0].set_ylabel("seconds of the whole rebuild")
    figure.savefig(path, dpi=150)


def _growth(panel: Axes, points: list[tuple[float, float]]) -> None:
    x, y = zip(*points, strict=True)
    panel.plot(x[:: len(x) - 1], y[:: len(y) - 1], color="#b9b9b9", linewidth=1)
    panel.plot(x, y, "o", color="#33587f")
    panel.set_xlim(left=0)
    panel.set_ylim(bottom=0)
    _plain(panel)


def _plain(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
