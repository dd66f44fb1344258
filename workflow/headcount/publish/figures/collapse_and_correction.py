"""What does talk destroy, and what does it repair? Collapse and correction against N, beside a mere second asking."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from headcount.publish.cells import CELL
from headcount.publish.figures.grids import Pairs, pairs, settle
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    DECIMALS,
    MARKERS,
    aside,
    house_style,
    nothing,
    stamp,
)
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import wide
from headcount.publish.words import CONDITIONS
from headcount.schema import LEDGER_RATES

PAPER = ""
QUESTION = "ledger"
NEEDS = ("updates",)
READS = ("ledger_rates",)
PUBLISHED = ()

RATES = ("collapse", "correction")  # above, below
REDRAW = "re-draw, no talk"
_NULL: dict[str, Any] = {"color": "black", "linestyle": (0, (1, 1.5)), "linewidth": 0.9, "marker": ".", "markersize": 3}
HEIGHTS = (1.35, 1.35)  # of the two panels, inches


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
    with house_style():
        grid = pairs(data, HEIGHTS)
        for (team, task), panels in grid.panels.items():
            panel = data[(data["team"] == team) & (data["task"] == task)]
            for axes, rate in zip(panels, RATES, strict=True):
                _draw_panel(axes, panel, rate)
                if panel["simulated"].any():
                    stamp(axes, grid.stamp_size)
        grid.label(*RATES)
        _scale(grid, data)
        figure = grid.figure
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


def _draw_panel(axes: Axes, panel: pd.DataFrame, rate: str) -> None:
    null = panel[panel["kind"] == f"{rate}_redraw"].sort_values("n")
    axes.plot(null["n"], null["value"], **_NULL)
    rows = panel[panel["kind"] == rate]
    present = [name for name in CONDITIONS if name in set(rows["condition"])]
    for place, condition in enumerate(present):
        _draw_condition(axes, rows[rows["condition"] == condition], condition, 2.4 * (place - (len(present) - 1) / 2))


def _draw_condition(axes: Axes, rows: pd.DataFrame, condition: str, shift: float) -> None:
    """Marks joined by a thin line, with intervals. `shift` moves them apart by points on paper; data stay exact."""
    colour, beside = COLOURS[condition], aside(axes, shift)
    axes.vlines(rows["n"], rows["low"], rows["high"], colors=colour, linewidth=0.7, alpha=0.5, transform=beside)
    axes.plot(rows["n"], rows["value"], linewidth=0.7, transform=beside, **_mark(condition))


def _mark(condition: str) -> dict[str, Any]:
    return {"color": COLOURS[condition], "marker": MARKERS[condition], "mec": "white", "mew": 0.3}


def _scale(grid: Pairs, data: pd.DataFrame) -> None:
    """One scale of sizes; one of collapse, one of correction, each from 0."""
    grid.scale_sizes(data["n"].min(), data["n"].max())
    for panels in grid.panels.values():
        for axes, rate in zip(panels, RATES, strict=True):
            rows = data[data["kind"].str.startswith(rate)]
            axes.set_ylim(-0.02, min(1.03, 1.05 * rows[["value", "high"]].max().max() + 0.02))
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
