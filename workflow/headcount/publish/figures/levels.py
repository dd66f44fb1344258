"""Does a cell's regime depend on what is counted? The exponent at four levels, bounded and not."""

from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, StrMethodFormatter

from headcount.laws.fit import REGIME_BORDER
from headcount.publish.cells import CELL, headline
from headcount.publish.figures.grids import settle
from headcount.publish.figures.style import COLOURS, COLUMN, DECIMALS, MARKERS, house_style, nothing, stamp
from headcount.publish.inputs import Inputs
from headcount.publish.words import CONDITIONS, LEVELS
from headcount.schema import FITS

PAPER = ""
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("fits",)
PUBLISHED = ()

BOUNDED, FREE = "ringelmann", "ringelmann_free"
CEILING = "#F1E9E4"  # the shade of a hard ceiling
LINE, GAP = 0.105, 0.6  # inches of a cell; what stands between two teams, in cells
LETTER = 0.062  # inches of a letter of a task's name, which stands upright beside its lines


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(FITS))


def draw(fits: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A column of panels for each level, a row for each task, a line for each cell, in the order of teams.

    Returns:
        the figure, and every number in it: beta of both laws of each cell and level; a cell without one has no mark.
    """
    data = numbers(fits)
    if not data["beta"].notna().any():
        return nothing("No law could be fitted: no team was run at two sizes of two and more."), data
    tasks = {str(task): _places(rows) for task, rows in data.groupby("task", sort=False)}
    heights = [max(max(places.values()) + 1.0, LETTER / LINE * len(task)) for task, places in tasks.items()]
    with house_style():
        figure = Figure(figsize=(2 * COLUMN, LINE * sum(heights) + 0.3 * len(tasks) + 0.75), layout="constrained")
        grid = figure.subplots(
            len(tasks), len(LEVELS), squeeze=False, sharex=True, sharey="row", gridspec_kw={"height_ratios": heights}
        )
        for line, (task, places) in zip(grid, tasks.items(), strict=True):
            for level, axes in zip(LEVELS, line, strict=True):
                here = data[(data["task"] == task) & (data["level"] == level)]
                _draw_panel(axes, here, places)
            _name_teams(line[0], places)
            line[0].set_ylabel(task)
        for level, axes in zip(LEVELS, grid[0], strict=True):
            axes.set_title(LEVELS[level])
        _scale(grid[0, 0], data)
        for axes in grid.flat:
            axes.tick_params(axis="y", length=0)
        figure.supxlabel("β, decay of correlation with N", fontsize=7.5)
        figure.legend(handles=_legend(data), loc="outside upper center", ncols=7, handletextpad=0.5, columnspacing=1.1)
        settle(figure)
    return figure, data


def numbers(fits: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, by task, team, condition, level and law."""
    rows = pd.concat([headline(fits, law, level) for level in LEVELS for law in (BOUNDED, FREE)])
    order = rows.assign(
        _condition=rows["condition"].map(list(CONDITIONS).index),
        _level=rows["level"].map(list(LEVELS).index),
    ).sort_values(["task", "team", "_condition", "_level", "law"])
    columns = ["task", "team", "condition", "level", "law", "round", "beta", "beta_low", "beta_high", "simulated"]
    return order[columns].round(DECIMALS).reset_index(drop=True)


def _places(rows: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Height of each team's and condition's line, in lines from the top; a gap stands between teams."""
    places: dict[tuple[str, str], float] = {}
    below, last = 0.0, None
    for team, condition in rows[CELL].drop(columns="task").drop_duplicates().itertuples(index=False):
        below += (GAP if last not in (None, team) else 0.0) + (1.0 if last else 0.0)
        places[team, condition], last = below, team
    return places


def _draw_panel(axes: Axes, here: pd.DataFrame, places: dict[tuple[str, str], float]) -> None:
    axes.axvspan(-1.1, REGIME_BORDER, color=CEILING, linewidth=0, zorder=0)
    axes.axvline(REGIME_BORDER, color="0.4", linewidth=0.5, linestyle=(0, (3, 2)), zorder=1)
    if here["simulated"].any():
        stamp(axes)
    here = here.assign(y=[places[line] for line in zip(here["team"], here["condition"], strict=True)])
    for law in (FREE, BOUNDED):  # the free law below
        for condition, fits in here[here["law"] == law].groupby("condition", sort=False):
            _draw_fits(axes, fits, str(condition), bounded=law == BOUNDED)
    unfitted = here.loc[(here["law"] == BOUNDED) & here["beta"].isna(), "y"]
    for y in unfitted:
        axes.text(REGIME_BORDER - 0.04, y, "no fit", fontsize=5.5, color="0.4", ha="right", va="center")


def _draw_fits(axes: Axes, fits: pd.DataFrame, condition: str, *, bounded: bool) -> None:
    """Those of one condition, which are equally coloured."""
    colour = COLOURS[condition]
    axes.hlines(fits["y"], fits["beta_low"], fits["beta_high"], colors=colour, linewidth=1.6 if bounded else 0.6)
    look: dict[str, Any] = (
        {"color": colour, "mew": 0.4, "mec": "white", "markersize": 3.2}
        if bounded
        else {"mfc": "white", "mec": colour, "mew": 0.7, "markersize": 4.6}
    )
    axes.plot(fits["beta"], fits["y"], MARKERS[condition], **look)


def _name_teams(axes: Axes, places: dict[tuple[str, str], float]) -> None:
    """Each team's name at the middle of its lines; the first on top."""
    middles = pd.Series(places).groupby(level=0, sort=False).mean()
    axes.yaxis.set_major_locator(FixedLocator(list(middles)))
    axes.set_yticklabels(middles.index)
    axes.set_ylim(max(places.values()) + 0.8, -0.8)


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    low, high = data[["beta", "beta_low"]].min().min(), data[["beta", "beta_high"]].max().max()
    axes.set_xlim(min(-0.12, low - 0.05), max(0.5, high + 0.05))
    axes.xaxis.set_major_locator(FixedLocator([-1, -0.5, 0, 0.5, 1]))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))


def _legend(data: pd.DataFrame) -> list[Artist]:
    present = [name for name in CONDITIONS if name in set(data["condition"])]
    conditions: list[Artist] = [
        Line2D([], [], linestyle="", marker=MARKERS[name], color=COLOURS[name], label=CONDITIONS[name])
        for name in present
    ]
    bounded = Line2D([], [], color="0.3", marker="o", mec="white", linewidth=1.6, label="β in [0, 1]")
    free = Line2D([], [], color="0.3", marker="o", mfc="white", markersize=4.6, linewidth=0.6, label="β unbounded")
    ceiling = Patch(facecolor=CEILING, edgecolor="none", label="hard ceiling, β ≤ 0.1")
    return [*conditions, bounded, free, ceiling]
