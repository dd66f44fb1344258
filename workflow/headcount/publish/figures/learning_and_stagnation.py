"""Do agents learn from talk, and does the team? Net change to right, and effective size, against N. Figure 4."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import offset_copy

from headcount.publish.cells import CELL, wide
from headcount.publish.figures.grids import Pairs, pairs, settle
from headcount.publish.figures.style import (
    COLOURS,
    DECIMALS,
    MARKERS,
    aside,
    house_style,
    nothing,
    plain_ticks,
    stamp,
)
from headcount.publish.inputs import Inputs
from headcount.publish.words import CONDITIONS
from headcount.schema import ESTIMATES

PAPER = "figure4"
QUESTION = "talk"
NEEDS = ("updates",)
READS = ("estimates",)
PUBLISHED = ()

QUANTITIES = {"net_first": "net", "n_eff_answer": "n_eff"}  # above, below
PANEL = ["team", "task"]
HEIGHTS = (1.25, 1.45)  # of the two panels, inches


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(ESTIMATES))


def draw(estimates: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Two panels for each team and task: what its agents gained since round 1, and how many voters they amount to.

    Returns:
        the figure, and every number in it: `kind` is net (share of agents), n_eff, independent or one_voter (voters).
    """
    data = numbers(estimates)
    if data.empty:
        return nothing("No team of two or more was asked again after the first round."), data
    with house_style():
        grid = pairs(data, HEIGHTS)
        first = next(iter(grid.panels))
        for (team, task), panels in grid.panels.items():
            panel = data[(data["team"] == team) & (data["task"] == task)]
            _draw_pair(panels, panel, named=(team, task) == first)
            for axes in panels if panel["simulated"].any() else ():
                stamp(axes, grid.stamp_size)
        grid.label("net change\nto right", "effective\nteam size")
        _scale(grid, data)
        figure = grid.figure
        figure.align_ylabels()
        figure.supxlabel("team size N", fontsize=7.5)
        figure.legend(handles=_legend(data), loc="outside upper center", ncols=3, handlelength=1.8)
        settle(figure)
    return figure, data


def numbers(estimates: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, of teams of two and more: a team of one has nobody to hear, and is one voter."""
    rows = wide(estimates, list(QUANTITIES))
    rows = rows[(rows["round"] > 1) & (rows["n"] > 1)]
    measured = [
        rows.rename(columns={quantity: "value", f"{quantity}_low": "low", f"{quantity}_high": "high"}).assign(kind=kind)
        for quantity, kind in QUANTITIES.items()
    ]
    ends = rows.groupby(PANEL, sort=False).agg(n=("n", "max"), simulated=("simulated", "any")).reset_index()
    ends = pd.concat([ends.assign(n=1), ends]).assign(condition="")
    lines = [ends.assign(kind="independent", value=ends["n"]), ends.assign(kind="one_voter", value=1)]
    columns = [*CELL, "round", "kind", "n", "value", "low", "high", "simulated"]
    data = pd.concat([*(kind.dropna(subset="value") for kind in measured), *lines])
    return data.reindex(columns=columns).round(DECIMALS).reset_index(drop=True)


def _draw_pair(pair: Sequence[Axes], panel: pd.DataFrame, *, named: bool) -> None:
    """`named`: say in the panel what its bounds are."""
    above, below = pair
    above.axhline(0, color="0.6", linewidth=0.6, zorder=0.9)
    _draw_bounds(below, panel, named=named)
    for axes, kind in zip((above, below), QUANTITIES.values(), strict=True):
        rows = panel[panel["kind"] == kind]
        present = [name for name in CONDITIONS if name in set(rows["condition"])]
        for place, condition in enumerate(present):
            here = rows[rows["condition"] == condition]
            _draw_condition(axes, here, condition, 2.4 * (place - (len(present) - 1) / 2))


def _draw_bounds(axes: Axes, panel: pd.DataFrame, *, named: bool) -> None:
    """What N independent voters would be, and one voter."""
    for kind in ("independent", "one_voter"):
        line = panel[panel["kind"] == kind]
        axes.plot(line["n"], line["value"], color="black", linestyle=(0, (1, 1.5)), linewidth=0.9)
    if not named:
        return
    says: dict[str, Any] = {"fontsize": 6, "color": "0.25"}
    along: dict[str, Any] = {"rotation": 45, "transform_rotates_text": True, "rotation_mode": "anchor"}
    above, below = (
        offset_copy(axes.transData, axes.get_figure(root=True), x=x, y=y, units="points")
        for x, y in ((-1.5, 2), (0, -2))
    )
    axes.text(1.2, 1.2, "N independent voters", transform=above, **along, **says)
    axes.text(1, 1, "one voter", va="top", transform=below, **says)


def _draw_condition(axes: Axes, rows: pd.DataFrame, condition: str, shift: float) -> None:
    """Marks joined by a thin line, with intervals. `shift` moves them apart by points on paper; data stay exact."""
    colour, beside = COLOURS[condition], aside(axes, shift)
    axes.vlines(rows["n"], rows["low"], rows["high"], colors=colour, linewidth=0.9, transform=beside)
    look: dict[str, Any] = {"color": colour, "mec": "white", "mew": 0.3, "linewidth": 0.7}
    axes.plot(rows["n"], rows["value"], marker=MARKERS[condition], transform=beside, **look)


def _scale(grid: Pairs, data: pd.DataFrame) -> None:
    """One scale of sizes, one of net change, one of voters; room below one voter for its name."""
    largest = data["n"].max()
    net = data.loc[data["kind"] == "net", ["value", "low", "high"]]
    low, high = min(-0.01, *net.min().fillna(0)), max(0.01, *net.max().fillna(0))
    grid.scale_sizes(1, largest)
    for above, below in grid.panels.values():
        below.set(yscale="log", ylim=(largest**-0.18, 1.1 * largest))
        plain_ticks(below.yaxis, [tick for tick in (1, 2, 5, 10, 30, 100, 300, 1000) if tick <= largest])
        above.set_ylim(low - 0.08 * (high - low), high + 0.08 * (high - low))
        above.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        above.yaxis.set_major_formatter(FuncFormatter(_signed))


def _signed(share: float, _: object) -> str:
    return f"{100 * share:+.0f} %".replace("-", "−") if abs(share) > 1e-9 else "0"


def _legend(data: pd.DataFrame) -> list[Line2D]:
    return [
        Line2D([], [], color=COLOURS[name], marker=MARKERS[name], mec="white", mew=0.3, linewidth=0.7, label=label)
        for name, label in CONDITIONS.items()
        if name in set(data["condition"])
    ]
