"""Is a larger team right more often? Team accuracy against nominal size: what voters are wanted for."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter
from matplotlib.transforms import offset_copy

from headcount.publish.cells import CELL, wide
from headcount.publish.figures.grids import panel_height, settle
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    DECIMALS,
    MARKERS,
    by_team,
    house_style,
    name_panels,
    nothing,
    panels,
    plain_ticks,
    stamp,
)
from headcount.publish.inputs import Inputs
from headcount.publish.words import CONDITIONS
from headcount.schema import ESTIMATES

PAPER = ""
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("estimates",)
PUBLISHED = ()


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(ESTIMATES))


def draw(estimates: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each team and task: how often teams of each size are right, with intervals, by condition.

    Returns:
        the figure, and every number in it.
    """
    data = numbers(estimates)
    if data.empty:
        return nothing("No team was asked anything."), data
    places = by_team(data)
    rows, columns = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    with house_style():
        width = COLUMN if columns < 3 else 2 * COLUMN
        figure, grid = panels(rows, columns, width, panel_height(rows))
        for (team, task), place in places.items():
            _draw_panel(grid[place], data[(data["team"] == team) & (data["task"] == task)])
        name_panels(grid, places)
        _scale(grid[0, 0], data)
        figure.supxlabel("team size N", fontsize=7.5)
        figure.supylabel("team is right, by plurality", fontsize=7.5)
        figure.legend(handles=legend(data), loc="outside upper center", ncols=4, handlelength=2, columnspacing=1.2)
        settle(figure)
    return figure, data


def numbers(estimates: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing."""
    rows = wide(estimates, ["team_accuracy"]).dropna(subset="team_accuracy")
    columns = [*CELL, "round", "n", "team_accuracy", "team_accuracy_low", "team_accuracy_high", "n_items", "simulated"]
    return rows[columns].round(DECIMALS).reset_index(drop=True)


def look(condition: str) -> dict[str, Any]:
    """A condition's line and marks. Noise often covers debate, whose costs it has: its line has gaps."""
    dash = (0, (3, 1.5)) if condition == "noise" else "-"
    return {"color": COLOURS[condition], "marker": MARKERS[condition], "linestyle": dash, "mec": "white", "mew": 0.3}


def legend(data: pd.DataFrame) -> list[Line2D]:
    """The conditions of some rows, in the paper's order."""
    return [
        Line2D([], [], label=label, **look(name))
        for name, label in CONDITIONS.items()
        if name in set(data["condition"])
    ]


def _draw_panel(axes: Axes, panel: pd.DataFrame) -> None:
    if panel["simulated"].any():
        stamp(axes)
    present = [name for name in CONDITIONS if name in set(panel["condition"])]
    for order, condition in enumerate(present):
        rows, colour = panel[panel["condition"] == condition], COLOURS[condition]
        shift = 1.8 * (order - (len(present) - 1) / 2)  # in points on paper; data stay exact
        beside = offset_copy(axes.transData, axes.get_figure(root=True), x=shift, units="points")
        ends = (rows["team_accuracy_low"], rows["team_accuracy_high"])
        axes.vlines(rows["n"], *ends, colors=colour, linewidth=0.7, alpha=0.8, transform=beside)
        axes.plot(rows["n"], rows["team_accuracy"], linewidth=0.9, transform=beside, **look(condition))


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    ends = data[["team_accuracy", "team_accuracy_low", "team_accuracy_high"]]
    low, high = ends.min().min(), ends.max().max()
    margin = 0.05 * (high - low) + 0.01
    axes.set_xscale("log")
    axes.set_xlim(0.88, 1.17 * data["n"].max())
    axes.set_ylim(max(-0.02, low - margin), min(1.02, high + margin))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
    plain_ticks(axes.xaxis)
