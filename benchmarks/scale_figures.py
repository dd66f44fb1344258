"""What paper_scale.py measured, as figures: where the seconds go, and how they grow."""

from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from results import Numbers


def draw(numbers: Numbers, folder: Path) -> None:
    """The figures, where.png and growth.png."""
    _where(numbers["rebuild"]["kinds"], folder / "where.png")
    if series := _series(numbers.get("curve", [])):
        _curves(series, folder / "growth.png")


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
    panel.set_xlim(0, 1.08 * max(x))
    panel.set_ylim(0, 1.08 * max(y))
    _plain(panel)


def _plain(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
