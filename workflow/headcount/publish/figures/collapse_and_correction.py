"""What does talk destroy, and what does it repair? Collapse and correction against N, beside a mere second asking."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from headcount.publish.cells import CELL
from headcount.publish.figures.grids import settle
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    DECIMALS,
    MARKERS,
    Places,
    aside,
    by_team,
    house_style,
    nothing,
    plain_ticks,
    stamp,
)
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import wide
from headcount.publish.words import CONDITIONS
from headcount.schema import LEDGER_RATES

PAPER = ""
QUESTION = "talk"
NEEDS = ("updates",)
READS = ("ledger_rates",)
PUBLISHED = ()

RATES = ("collapse", "correction")  # above, below
REDRAW = "re-draw, no talk"
_NULL: dict[str, Any] = {"color": "black", "linestyle": (0, (1, 1.5)), "linewidth": 0.9, "marker": ".", "markersize": 3}
_HEIGHTS = {False: 1.35, True: 0.85}  # of a panel, inches; of few teams and of many
_FEW = 2


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(LEDGER_RATES))


def draw(rates: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Two panels for each team and task: how often right teams end wrong, and wrong ones right, by condition.

    Returns:
        the figure, and every number in it: `kind` is collapse, correction, or either of a re-draw.
    """
    data = numbers(rates)
    if data.empty:
        return nothing("No team of two or more was asked again after the first round."), data
    places = by_team(data)
    rows, columns = (1 + max(number) for number in zip(*places.values(), strict=True))
    with house_style():
        figure, grid = _panels(rows, columns)
        pairs = grid.reshape(rows, 2, columns).swapaxes(1, 2)
        for (team, task), place in places.items():
            panel = data[(data["team"] == team) & (data["task"] == task)]
            for axes, rate in zip(pairs[place], RATES, strict=True):
                _draw_panel(axes, panel, rate)
        _name(pairs, places)
        _scale(grid, data)
        figure.align_ylabels()
        figure.supxlabel("team size N", fontsize=7.5)
        ncols = 2 if figure.get_figwidth() == COLUMN else 4
        figure.legend(handles=_legend(data), loc="outside upper center", ncols=ncols, handlelength=1.8)
        settle(figure)
    return figure, data


def numbers(rates: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing."""
    rows = wide(rates, [*RATES, *(f"{rate}_redraw" for rate in RATES)])
    measured = [
        rows.rename(columns={rate: "value", f"{rate}_low": "low", f"{rate}_high": "high"}).assign(kind=rate)
        for rate in RATES
    ]
    # The null of a size is the same whatever is done after round 1.
    nulls = [
        rows.drop_duplicates(["team", "task", "n"]).assign(
            condition="", kind=f"{rate}_redraw", value=rows[f"{rate}_redraw"]
        )
        for rate in RATES
    ]
    columns = [*CELL, "round", "kind", "n", "value", "low", "high", "simulated"]
    data = pd.concat([frame.reindex(columns=columns).dropna(subset="value") for frame in (*measured, *nulls)])
    return data.round(DECIMALS).reset_index(drop=True)


def _panels(teams: int, tasks: int) -> tuple[Figure, np.ndarray]:
    """Pairs of panels, one above the other, on one scale."""
    heights = 2 * teams * _HEIGHTS[teams > _FEW]
    width = COLUMN if tasks < 3 and teams == 1 else 2 * COLUMN
    figure = Figure(figsize=(width, heights + 0.3 * teams + 0.5), layout="constrained")
    return figure, figure.subplots(2 * teams, tasks, squeeze=False)


def _draw_panel(axes: Axes, panel: pd.DataFrame, rate: str) -> None:
    if panel["simulated"].any():
        stamp(axes)
    null = panel[panel["kind"] == f"{rate}_redraw"].sort_values("n")
    axes.plot(null["n"], null["value"], **_NULL)
    rows = panel[panel["kind"] == rate]
    present = [name for name in CONDITIONS if name in set(rows["condition"])]
    for place, condition in enumerate(present):
        _draw_condition(axes, rows[rows["condition"] == condition], condition, 2.4 * (place - (len(present) - 1) / 2))


def _draw_condition(axes: Axes, rows: pd.DataFrame, condition: str, shift: float) -> None:
    """Marks joined by a thin line, with intervals. `shift` moves them apart by points on paper; data stay exact."""
    colour, beside = COLOURS[condition], aside(axes, shift)
    axes.vlines(rows["n"], rows["low"], rows["high"], colors=colour, linewidth=0.8, alpha=0.8, transform=beside)
    axes.plot(rows["n"], rows["value"], linewidth=0.7, transform=beside, **_mark(condition))


def _mark(condition: str) -> dict[str, Any]:
    return {"color": COLOURS[condition], "marker": MARKERS[condition], "mec": "white", "mew": 0.3}


def _name(pairs: np.ndarray, places: Places) -> None:
    """Tasks above the pairs, with their team where there are several; what is drawn, and numbers, at the outer ones."""
    for (team, task), (row, column) in places.items():
        above, below = pairs[row, column]
        above.set_title(task if len(pairs) == 1 else f"{team}: {task}")
        above.tick_params(labelleft=column == 0, labelbottom=False)
        below.tick_params(labelleft=column == 0, labelbottom=(row + 1, column) not in places.values())
        if column == 0:
            above.set_ylabel("collapse")
            below.set_ylabel("correction")
    for place in np.ndindex(pairs.shape[:2]):
        if place not in places.values():
            for axes in pairs[place]:
                axes.set_axis_off()


def _scale(grid: np.ndarray, data: pd.DataFrame) -> None:
    """One scale of sizes; one of collapse, one of correction, each from 0."""
    for (row, _), axes in np.ndenumerate(grid):
        rows = data[data["kind"].str.startswith(RATES[row % 2])]
        axes.set(xscale="log", xlim=(0.88 * data["n"].min(), 1.15 * data["n"].max()))
        axes.set_ylim(-0.02, min(1.03, 1.05 * rows[["value", "high"]].max().max() + 0.02))
        plain_ticks(axes.xaxis)
        axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))


def _legend(data: pd.DataFrame) -> list[Line2D]:
    null = [Line2D([], [], label=REDRAW, **_NULL)] if data["kind"].str.endswith("_redraw").any() else []
    told = [
        Line2D([], [], label=label, linewidth=0.7, **_mark(name))
        for name, label in CONDITIONS.items()
        if name in set(data["condition"])
    ]
    return [*told, *null]
