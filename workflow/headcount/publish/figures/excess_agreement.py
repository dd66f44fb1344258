"""How much of a debate's agreement is owed to talk? Agreement beyond each null's, against N."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from headcount.publish.cells import CELL
from headcount.publish.excess_cells import of_cells
from headcount.publish.figures.grids import panel_height, settle
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    DECIMALS,
    aside,
    by_team,
    house_style,
    name_panels,
    nothing,
    panels,
    plain_ticks,
    stamp,
)
from headcount.publish.inputs import Inputs
from headcount.schema import EXCESS

PAPER = ""
QUESTION = "talk"
NEEDS = ("debate", "updates")
READS = ("excess",)
PUBLISHED = ()

LOOKS = {  # a null takes the colour of the condition that it is made of
    "A": ("A: first answers", COLOURS["self_consistency"], "D"),
    "B": ("B: second thoughts", COLOURS["self_correction"], "s"),
    "C": ("C: a second team", COLOURS["debate"], "o"),
}
PANEL = ["team", "task"]


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(EXCESS))


def draw(excess: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each team and task that debated: kappa against N, by null, after the last round.

    Returns:
        the figure, and every number in it.
    """
    data = numbers(excess)
    if data.empty:
        return nothing("No team debated beside agents who heard nobody."), data
    places = by_team(data)
    rows, columns = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    with house_style():
        width = COLUMN if columns < 3 else 2 * COLUMN
        figure, grid = panels(rows, columns, width, panel_height(rows, 1.5))
        for (team, task), place in places.items():
            _draw_panel(grid[place], data[(data["team"] == team) & (data["task"] == task)])
        name_panels(grid, places)
        _scale(grid[0, 0], data)
        figure.supxlabel("team size N", fontsize=7.5)
        figure.supylabel("agreement beyond the null's, κ", fontsize=7.5)
        figure.legend(handles=_legend(data), loc="outside upper center", ncols=3)
        settle(figure)
    return figure, data


def numbers(excess: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn: kappa of debates against each null."""
    rows = of_cells(excess)
    rows = rows[(rows["condition"] == "debate") & (rows["quantity"] == "kappa")]
    columns = [*CELL, "round", "null", "n", "value", "low", "high", "n_items", "simulated"]
    return rows[columns].round(DECIMALS).reset_index(drop=True)


def _draw_panel(axes: Axes, panel: pd.DataFrame) -> None:
    if panel["simulated"].any():
        stamp(axes)
    axes.axhline(0, color="0.6", linewidth=0.6, zorder=0.9)
    for place, (null, (_, colour, marker)) in enumerate(LOOKS.items()):
        rows, beside = panel[panel["null"] == null], aside(axes, 2.2 * (place - 1))
        axes.vlines(rows["n"], rows["low"], rows["high"], colors=colour, linewidth=0.8, transform=beside)
        look: dict[str, Any] = {"color": colour, "mec": "white", "mew": 0.3, "linewidth": 0.7}
        axes.plot(rows["n"], rows["value"], marker=marker, transform=beside, **look)


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    ends = data[["value", "low", "high"]]
    low, high = min(-0.02, ends.min().min()), max(0.1, ends.max().max())
    room = 0.06 * (high - low)
    axes.set(xscale="log", ylim=(low - room, high + room))
    axes.set_xlim(0.85 * data["n"].min(), 1.18 * data["n"].max())
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    plain_ticks(axes.xaxis)


def _legend(data: pd.DataFrame) -> list[Line2D]:
    return [
        Line2D([], [], color=colour, marker=marker, mec="white", mew=0.3, linewidth=0.7, label=label)
        for null, (label, colour, marker) in LOOKS.items()
        if null in set(data["null"])
    ]
