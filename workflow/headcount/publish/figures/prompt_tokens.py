"""What does hearing the others cost? Prompt tokens of a question's last round against N. The paper's Figure 9."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, LogLocator, NullLocator

from headcount.publish.cells import CELL, wide
from headcount.publish.figures.grids import settle, ticks_apart
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    DECIMALS,
    MARKERS,
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
from headcount.publish.words import CONDITIONS
from headcount.schema import ESTIMATES

PAPER = "figure9"
QUESTION = "cost"
NEEDS = ("sizes", "updates")
READS = ("estimates",)
PUBLISHED = ()

PANEL = ["team", "task"]
LINES: dict[str, Any] = {"debate": "-", "self_correction": (0, (4, 1.5)), "noise": (0, (1, 1.2))}


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(ESTIMATES))


def draw(estimates: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each team and task; where both were run, how many times as much debate costs as thinking again.

    Returns:
        the figure, and every number in it: `kind` is measured or times.
    """
    data = numbers(estimates)
    if data.empty:
        return nothing("No team of two or more was asked again after the first round."), data
    places = by_team(data)
    rows, columns = (1 + max(number) for number in zip(*places.values(), strict=True))
    with house_style():
        width = COLUMN if columns < 3 else 2 * COLUMN
        figure, grid = panels(rows, columns, width, 2.0 if rows == 1 else 1.45)
        for (team, task), (row, column) in places.items():
            _draw_panel(grid[row, column], data[(data["team"] == team) & (data["task"] == task)])
        name_panels(grid, places)
        _scale(grid[0, 0], data, 0.8 * width / columns - 0.3)
        figure.supxlabel("team size N", fontsize=7.5)
        figure.supylabel("prompt tokens a question, last round", fontsize=7.5)
        figure.legend(handles=_legend(data), loc="outside upper center", ncols=3, handlelength=2.8)
        settle(figure)
    return figure, data


def numbers(estimates: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn. A team of one that would hear others is not asked again, and pays nothing: no row."""
    rows = wide(estimates, ["prompt_tokens"]).rename(columns=lambda name: name.replace("prompt_tokens", "tokens"))
    rows = rows[rows["condition"].isin(LINES) & (rows["round"] > 1) & (rows["tokens"] > 0)]
    largest = rows.groupby(PANEL)["n"].transform("max")
    measured = rows[largest > 1].assign(kind="measured", times=np.nan)
    debate, alone = (measured[measured["condition"] == name] for name in ("debate", "self_correction"))
    times = debate.merge(alone[[*PANEL, "n", "tokens"]], on=[*PANEL, "n"], suffixes=("", "_alone"))
    times = times.loc[times.groupby(PANEL)["n"].idxmax()].assign(kind="times")
    times["times"] = times["tokens"] / times["tokens_alone"]
    columns = [*CELL, "round", "kind", "n", "tokens", "tokens_low", "tokens_high", "times", "simulated"]
    return pd.concat([measured, times])[columns].round(DECIMALS).reset_index(drop=True)


def _draw_panel(axes: Axes, panel: pd.DataFrame) -> None:
    if panel["simulated"].any():
        stamp(axes)
    measured = panel[panel["kind"] == "measured"]
    present = [name for name in LINES if name in set(measured["condition"])]
    for place, condition in enumerate(present):
        rows = measured[measured["condition"] == condition]
        beside = aside(axes, 2.4 * (place - (len(present) - 1) / 2))
        look: dict[str, Any] = {"color": COLOURS[condition], "linestyle": LINES[condition]}
        axes.plot(rows["n"], rows["tokens"], transform=beside, **look)
        axes.vlines(rows["n"], rows["tokens_low"], rows["tokens_high"], colors=COLOURS[condition], transform=beside)
        axes.plot(rows["n"], rows["tokens"], MARKERS[condition], transform=beside, **_mark(condition))
    for times in panel[panel["kind"] == "times"].to_dict("records"):
        _draw_times(axes, times)


def _draw_times(axes: Axes, times: Mapping[Hashable, Any]) -> None:
    """An arrow from thinking again up to debate, at the right end."""
    high, low = times["tokens"], times["tokens"] / times["times"]
    beside = aside(axes, 9)
    arrow = {"arrowstyle": "<->", "color": "0.35", "lw": 0.6, "mutation_scale": 5, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (times["n"], low), (times["n"], high), xycoords=beside, textcoords=beside, arrowprops=arrow)
    text = f"{times['times']:.1f}×" if times["times"] < 10 else f"{times['times']:.0f}×"
    axes.text(times["n"], np.sqrt(low * high), f" {text}", transform=beside, va="center", fontsize=7, color="0.2")


def _mark(condition: str) -> dict[str, Any]:
    return {"color": COLOURS[condition], "mec": "white", "mew": 0.3}


def _scale(axes: Axes, data: pd.DataFrame, inches: float) -> None:
    """Logarithmic axes with room for the arrow, beside sizes that take some inches."""
    low, high = data[["tokens", "tokens_low"]].min().min(), data[["tokens", "tokens_high"]].max().max()
    smallest, largest = 0.88 * data["n"].min(), data["n"].max()
    axes.set(xscale="log", yscale="log", xlim=(smallest, 1.9 * largest), ylim=(0.75 * low, 1.3 * high))
    plain_ticks(axes.xaxis, ticks_apart(smallest, largest, inches))
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 60 * low else (1,)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(EngFormatter())


def _legend(data: pd.DataFrame) -> list[Line2D]:
    return [
        Line2D([], [], linestyle=line, marker=MARKERS[name], label=CONDITIONS[name], **_mark(name))
        for name, line in LINES.items()
        if name in set(data["condition"])
    ]
