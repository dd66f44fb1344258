"""When does an intervention pay? Utility of each gate against what a collapse weighs, under the oracle's bound."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from headcount.publish.figures.grids import settle
from headcount.publish.figures.style import COLUMN, DECIMALS, aside, house_style, nothing, plain_ticks, stamp
from headcount.publish.gate_words import GATE_NAMES, shown
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import cells, two_sizes
from headcount.publish.words import CONDITIONS
from headcount.schema import GATE_OUTCOMES
from headcount.schema.ledger import ALL, UTILITIES, UTILITY_WEIGHTS

PAPER = ""
QUESTION = "ledger"
NEEDS = ("updates",)
READS = ("gate_outcomes",)
PUBLISHED = ()

_HEIGHT = 1.7  # of a panel, inches
_WIDE = 5.4  # a column's panel and the legend beside it
_BOUND: dict[str, Any] = {"color": "black", "linestyle": (0, (4, 2)), "linewidth": 0.9}
_STYLES: dict[str, dict[str, Any]] = {  # what is chosen in sample has no place beside what is not
    "learned_probe_freeze": {"color": "#D55E00", "marker": "P"},
    "learned_probe_r1_stump": {"color": "#D55E00", "marker": "p"},
    "learned_probe_r0_stump": {"color": "#D55E00", "marker": "p", "mfc": "white"},
    "learned_r1_stump": {"color": "#CC79A7", "marker": "D"},
    "learned_r0_stump": {"color": "#CC79A7", "marker": "d", "mfc": "white"},
    "r1_aware": {"color": "#56B4E9", "marker": "v"},
    "r1_majority_changed": {"color": "#0072B2", "marker": "o"},
    "any_r1_flip": {"color": "#009E73", "marker": "s"},
    "disagreement": {"color": "#E69F00", "marker": "^"},
    "always_freeze": {"color": "#666666", "marker": "x", "mew": 0.9},
}


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(GATE_OUTCOMES))


def draw(outcomes: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each condition, all teams of one model together: at the paper's size, and below at the largest.

    Returns:
        the figure, and every number in it: utility per 100 debates, its two weights scaled to a mean of 1, so that
        its sign is what it was, its value at weight 1 is the accuracy gained, and large weights fit the page.
    """
    data = numbers(outcomes)
    if data.empty:
        return nothing("No team of two or more, all of one model, was asked again after the first round."), data
    conditions = [name for name in CONDITIONS if name in set(data["condition"])]
    sizes = sorted(data["n"].unique())
    with house_style():
        beside = len(conditions) == 1  # then there is room for the legend to the right
        size = (_WIDE, max(_HEIGHT * len(sizes) + 0.5, 2.2)) if beside else (2 * COLUMN, _HEIGHT * len(sizes) + 0.75)
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(len(sizes), len(conditions), squeeze=False, sharex=True, sharey="row")
        for (row, column), axes in np.ndenumerate(grid):
            _draw_panel(axes, data[(data["n"] == sizes[row]) & (data["condition"] == conditions[column])])
            axes.set_title(f"{CONDITIONS[conditions[column]]}, N = {sizes[row]}")
        figure.supxlabel("weight of a collapse, in corrections", fontsize=7.5)
        figure.supylabel("utility per 100 debates", fontsize=7.5)
        place: dict[str, Any] = (
            {"loc": "outside right upper"} if beside else {"loc": "outside upper center", "ncols": 4}
        )
        figure.legend(handles=_legend(data), handlelength=1.8, **place)
        settle(figure)
    return figure, data


def numbers(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing."""
    rows = shown(cells(outcomes))
    rows = rows[(rows["team"] == ALL) & (rows["gate"].isin(["oracle", *_STYLES])) & rows["net"].notna()]
    rows = rows[rows["n"].isin(_sizes(rows))]
    ladder = [
        rows.assign(
            weight=weight, **{end: 200 / (1 + weight) * rows[f"{name}{suffix}"] for end, suffix in _ENDS.items()}
        )
        for weight, name in zip(UTILITY_WEIGHTS, UTILITIES, strict=True)
    ]
    data = pd.concat(ladder).assign(_place=lambda r: r["condition"].map(list(CONDITIONS).index).astype(int))
    data = data.sort_values(["n", "_place", "_gate", "weight"], ignore_index=True)
    return data[["condition", "round", "n", "gate", "weight", *_ENDS, "debates", "simulated"]].round(DECIMALS)


_ENDS = {"value": "", "low": "_low", "high": "_high"}


def _sizes(rows: pd.DataFrame) -> list[int]:
    """The paper's size, or the next larger one, and the largest that all conditions share if there is one."""
    of = [set(own["n"]) for _, own in rows.groupby("condition")]
    return two_sizes(set.intersection(*of) or set.union(*of)) if of else []


def _draw_panel(axes: Axes, panel: pd.DataFrame) -> None:
    if panel["simulated"].any():
        stamp(axes)
    axes.axhline(0, color="0.6", linewidth=0.6, zorder=0.6)
    oracle = panel[panel["gate"] == "oracle"]
    axes.plot(oracle["weight"], oracle["value"], **_BOUND)
    present = [name for name in _STYLES if name in set(panel["gate"])]
    for place, name in enumerate(present):
        rows, beside = panel[panel["gate"] == name], aside(axes, 1.5 * (place - (len(present) - 1) / 2))
        bars = {"linewidth": 0.5, "alpha": 0.4, "colors": _STYLES[name]["color"]}
        axes.vlines(rows["weight"], rows["low"], rows["high"], transform=beside, **bars)
        axes.plot(rows["weight"], rows["value"], linewidth=0.7, transform=beside, **_mark(name))
    axes.set(xscale="log", xlim=(0.85, 11.8))
    plain_ticks(axes.xaxis, UTILITY_WEIGHTS)
    ends = panel[["low", "high", "value"]].min().min(), panel[["value", "high"]].max().max()
    axes.update_datalim([(1, float(ends[0])), (1, float(ends[1]))])
    axes.autoscale_view(scalex=False)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))


def _mark(gate: str) -> dict[str, Any]:
    return {"mec": _STYLES[gate]["color"], "mew": 0.6} | _STYLES[gate]


def _legend(data: pd.DataFrame) -> list[Line2D]:
    told = [
        Line2D([], [], label=GATE_NAMES[name], linewidth=0.7, **_mark(name))
        for name in _STYLES
        if name in set(data["gate"])
    ]
    return [Line2D([], [], label="oracle: the bound", **_BOUND), *told]
