"""What would larger teams amount to, get right and cost? The plan of each cell, beside what was seen."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, MaxNLocator, NullLocator, PercentFormatter

from headcount.publish.figures.grids import panel_height, settle
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    MARKERS,
    aside,
    house_style,
    nothing,
    panels,
    plain_ticks,
    stamp,
)
from headcount.publish.inputs import Inputs
from headcount.publish.pilot_cells import TITLES, drawn
from headcount.publish.words import CONDITIONS
from headcount.schema import PILOT_SIZES, PILOTS

PAPER = ""
QUESTION = "pilot"
NEEDS = ("sizes",)
READS = ("pilots", "pilot_sizes")
PUBLISHED = ()


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(PILOTS), inputs.read(PILOT_SIZES))


def draw(pilots: pd.DataFrame, sizes: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Three panels for each team and task: effective size, accuracy and tokens of teams of 2 to 100, by condition.

    Returns:
        the figure, and every number in it.
    """
    data = drawn(pilots, sizes)
    if data.empty:
        return nothing("No cell has a pilot: two sizes of two and more."), data
    names = list(dict.fromkeys(zip(data["team"], data["task"], strict=True)))
    several = data["team"].nunique() > 1
    with house_style():
        figure, grid = panels(len(names), len(TITLES), 2 * COLUMN, panel_height(len(names)), share=False)
        for row, (team, task) in zip(grid, names, strict=True):
            _draw_panels(row, data[(data["team"] == team) & (data["task"] == task)])
            row[0].set_ylabel(f"{team}\n{task}" if several else task)
        for axes, title in zip(grid[0], TITLES.values(), strict=True):
            axes.set_title(title)
        figure.supxlabel("team size N", fontsize=7.5)
        figure.legend(handles=_legend(data), loc="outside upper center", ncols=4, handlelength=2.2, columnspacing=1.4)
        settle(figure)
    return figure, data


def _draw_panels(row: np.ndarray, data: pd.DataFrame) -> None:
    """The three panels of a team and task.

    Args:
        row: three axes.
        data: rows of `drawn`.
    """
    size, right, tokens = row
    shift = np.linspace(-2.2, 2.2, data["condition"].nunique()) if data["condition"].nunique() > 1 else [0.0]
    for (condition, rows), points in zip(data.groupby("condition", sort=False), shift, strict=True):
        for axes, name in ((size, "n_eff"), (right, "accuracy")):
            _draw_prediction(axes, str(condition), rows, name, float(points))
        tokens.plot(rows["n"], rows["tokens"], color=COLOURS[str(condition)])
        seen = rows[rows["in_pilot"] & rows["tokens"].notna()]
        tokens.plot(seen["n"], seen["tokens"], MARKERS[str(condition)], color=COLOURS[str(condition)], mfc="white")
    _scale(row, data)
    for axes in row:
        if data["simulated"].any():
            stamp(axes, 11)


def _draw_prediction(axes: Axes, condition: str, rows: pd.DataFrame, name: str, shift: float) -> None:
    """A line with its band; open marks are the pilot, filled ones teams that it had not seen."""
    colour = COLOURS[condition]
    axes.fill_between(rows["n"], rows[f"{name}_low"], rows[f"{name}_high"], color=colour, alpha=0.1, linewidth=0)
    for end in ("low", "high"):
        axes.plot(rows["n"], rows[f"{name}_{end}"], color=colour, linewidth=0.35, alpha=0.6)
    axes.plot(rows["n"], rows[name], color=colour)
    seen, place = rows[rows[f"seen_{name}"].notna()], aside(axes, shift)
    low, high = (seen[f"seen_{name}_{end}"] for end in ("low", "high"))
    axes.vlines(seen["n"], low, high, colors=colour, linewidth=0.7, transform=place)
    for pilot, fill in ((True, "white"), (False, colour)):
        marks = seen[seen["in_pilot"] == pilot]
        axes.plot(
            marks["n"], marks[f"seen_{name}"], MARKERS[condition], color=colour, mfc=fill, mew=0.7, transform=place
        )


def _scale(row: np.ndarray, data: pd.DataFrame) -> None:
    size, right, tokens = row
    largest = float(data["n"].max())
    for axes in row:
        axes.set(xscale="log", xlim=(1.8, 1.12 * largest))
        plain_ticks(axes.xaxis, [2, 5, 10, 30, 100])
    top = max(data["n_eff"].max(), data["seen_n_eff"].max(), 2.0)
    size.set(yscale="log", ylim=(0.95, 1.6 * top))
    plain_ticks(size.yaxis, [tick for tick in (1, 1.5, 2, 3, 5, 10, 20, 50, 100) if tick <= 1.6 * top])
    high = max(data[["accuracy", "seen_accuracy", "seen_accuracy_high"]].max().max(), 0.1)
    right.set_ylim(-0.03 * high, min(1.02, 1.25 * high))
    right.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    right.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    if data["tokens"].notna().any():
        tokens.set_yscale("log")
        tokens.yaxis.set_minor_locator(NullLocator())
        tokens.yaxis.set_major_formatter(EngFormatter(sep=" "))
    else:
        tokens.text(0.5, 0.5, "not told", transform=tokens.transAxes, ha="center", fontsize=6.5, color="0.4")


def _legend(data: pd.DataFrame) -> list[Line2D]:
    """A line and mark for each condition, and what open and filled marks are."""
    shown = [name for name in CONDITIONS if name in set(data["condition"])]
    look: dict[str, Any] = {"color": "0.3", "linestyle": ""}
    return [
        *(
            Line2D([], [], color=COLOURS[name], marker=MARKERS[name], mfc="white", label=CONDITIONS[name])
            for name in shown
        ),
        Line2D([], [], marker="o", mfc="white", label="pilot", **look),
        Line2D([], [], marker="o", label="seen, not in the pilot", **look),
    ]
