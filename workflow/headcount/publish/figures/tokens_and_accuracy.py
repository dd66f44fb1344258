"""Is talking better than sampling more for the same tokens? Team accuracy against all tokens spent on an item."""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, NullLocator, PercentFormatter
from matplotlib.transforms import offset_copy

from headcount.publish.cells import CELL, wide
from headcount.publish.figures.grids import panel_height, settle
from headcount.publish.figures.labels import Label, place
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    DECIMALS,
    by_team,
    house_style,
    name_panels,
    nothing,
    panels,
    stamp,
)
from headcount.publish.figures.team_accuracy import legend, look
from headcount.publish.inputs import Inputs
from headcount.publish.words import CONDITIONS
from headcount.schema import ESTIMATES

PAPER = ""
QUESTION = "cost"
NEEDS = ("updates", "sizes")
READS = ("estimates",)
PUBLISHED = ()

_SPENT = ("prompt_tokens_to_here", "completion_tokens_to_here")
_ACCURACY = ("team_accuracy", "team_accuracy_low", "team_accuracy_high")


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(ESTIMATES))


def draw(estimates: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each team and task, a line for each condition, a point for each team size, which stands beside it.

    Returns:
        the figure, and every number in it.
    """
    data = numbers(estimates)
    if data.empty:
        return nothing("No team says what it spent: the run has no tokens."), data
    places = by_team(data)
    rows, columns = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    with house_style():
        figure, grid = panels(rows, columns, COLUMN if columns == 1 else 2 * COLUMN, panel_height(rows))
        _scale(grid[0, 0], data)
        shown = [
            (grid[place], data[(data["team"] == team) & (data["task"] == task)])
            for (team, task), place in places.items()
        ]
        for axes, panel in shown:
            _draw_panel(axes, panel)
        name_panels(grid, places)
        figure.supxlabel("tokens an item, prompts and replies of all rounds", fontsize=7.5)
        figure.supylabel("team is right, by plurality", fontsize=7.5)
        figure.legend(handles=legend(data), loc="outside upper center", ncols=4, handlelength=2, columnspacing=1.2)
        settle(figure)
        for axes, panel in shown:
            place(axes, _sizes(panel), size=5.5, reach=(2.5, 4.5))
    return figure, data


def numbers(estimates: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing.

    The interval of all tokens is the sum of those of prompts and replies: exact if both rise together from item to
    item, else too wide.
    """
    rows = wide(estimates[estimates["subsets"] == "first"], ["team_accuracy", *_SPENT])
    for end in ("", "_low", "_high"):
        rows[f"tokens{end}"] = sum(rows[f"{part}{end}"] for part in _SPENT)
    rows = rows[rows["team_accuracy"].notna() & (rows["tokens"] > 0)]
    columns = [*CELL, "round", "n", "tokens", "tokens_low", "tokens_high", *_ACCURACY, "n_items", "simulated"]
    return rows[columns].round(DECIMALS).reset_index(drop=True)


def _draw_panel(axes: Axes, panel: pd.DataFrame) -> None:
    if panel["simulated"].any():
        stamp(axes)
    present = [name for name in CONDITIONS if name in set(panel["condition"])]
    for order, condition in enumerate(present):
        rows, colour = panel[panel["condition"] == condition], COLOURS[condition]
        shift = 1.2 * (order - (len(present) - 1) / 2)  # in points on paper; data stay exact
        beside = offset_copy(axes.transData, axes.get_figure(root=True), x=shift, units="points")
        accuracy, low, high = (rows[name] for name in _ACCURACY)
        lines: dict[str, Any] = {"colors": colour, "linewidth": 0.6, "alpha": 0.7, "transform": beside}
        axes.vlines(rows["tokens"], low, high, **lines)
        axes.hlines(accuracy, rows["tokens_low"], rows["tokens_high"], **lines)
        axes.plot(rows["tokens"], accuracy, linewidth=0.9, transform=beside, **look(condition))


def _sizes(panel: pd.DataFrame) -> list[Label]:
    """N beside its point, the largest first; the others where there is room."""
    ends = panel.groupby("condition")["n"].transform("max") == panel["n"]
    rows = panel.assign(_end=ends).sort_values(["_end", "n"], ascending=False, kind="stable")
    return [
        Label(f"{row['n']}", [(row["tokens"], row["team_accuracy"])], COLOURS[row["condition"]], needed=row["_end"])
        for row in rows.to_dict("records")
    ]


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    ends = data[list(_ACCURACY)]
    low, high = ends.min().min(), ends.max().max()
    margin = 0.06 * (high - low) + 0.01
    axes.set_xscale("log")
    axes.set_xlim(data["tokens"].min() / 1.4, data["tokens"].max() * 1.4)
    axes.set_ylim(max(-0.02, low - margin), min(1.02, high + margin))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
    decades = math.log10(data["tokens"].max() / data["tokens"].min())
    axes.xaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if decades < 1.4 else (1, 3) if decades < 2 else (1,)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(EngFormatter(sep=" "))
