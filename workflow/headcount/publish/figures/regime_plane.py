"""Which regime is each cell in, and how sure is that? Fits in the (c, beta) plane. The paper's Figure 7."""

from collections.abc import Hashable, Iterable, Mapping
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from headcount.publish.cells import CELL, headline
from headcount.publish.figures.grids import settle
from headcount.publish.figures.style import COLOURS, COLUMN, DECIMALS, house_style, panels, stamp
from headcount.publish.inputs import Inputs
from headcount.publish.published import published_fits
from headcount.publish.words import CONDITIONS
from headcount.schema import FITS

PAPER = "figure7"
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("fits",)
PUBLISHED = ("table01_regimes", "table11_master_fits")

MARKERS = "osD^vPX<>"  # a task each, around again if there are more
SHADES = {"hard ceiling": "#F1E9E4", "sublinear": "#FFFFFF"}
BORDER = 0.1  # beta up to here is a hard ceiling

_PARAMETERS = ["c", "c_low", "c_high", "beta", "beta_low", "beta_high"]


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(FITS), published_fits(inputs))


def draw(fits: pd.DataFrame, published: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each team: its fits with intervals over the paper's; those of the same team name are dark.

    Returns:
        the figure, and every number in it: `source` is ours or paper.
    """
    data = numbers(fits, published)
    ours, paper = data[data["source"] == "ours"], data[data["source"] == "paper"]
    teams = list(ours["team"].unique()) or ["no fits"]
    markers = _markers(data["task"])
    with house_style():
        columns = min(len(teams), 3)
        figure, grid = panels(-(-len(teams) // columns), columns, COLUMN if columns == 1 else 2 * COLUMN, 2.2)
        for axes in grid.flat[len(teams) :]:
            axes.set_axis_off()
        for place, (team, axes) in enumerate(zip(teams, grid.flat, strict=False)):
            _draw_panel(axes, ours[ours["team"] == team], paper, markers)
            axes.set_title(team)
            axes.tick_params(labelbottom=place >= len(teams) - columns)
        _scale(grid[0, 0], data)
        figure.supxlabel("c, scale of the correlation between agents", fontsize=7.5)
        figure.supylabel("β, decay of correlation with N", fontsize=7.5)
        _explain(figure, grid[0, 0], set(data["condition"]), markers)
        settle(figure)
    return figure, data


def numbers(fits: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Every fit that is drawn, ours first; a cell without a fit keeps its row, and has no mark."""
    ours = headline(fits, "ringelmann").assign(source="ours")
    paper = published.rename(columns={f"published_{name}": name for name in _PARAMETERS})
    paper = paper.assign(source="paper", simulated=False)
    paper[_PARAMETERS] = paper[_PARAMETERS].replace("", "nan").astype(float)
    columns = ["source", *CELL, *_PARAMETERS, "simulated"]
    return pd.concat([ours[columns], paper[columns]]).round(DECIMALS).reset_index(drop=True)


def _markers(tasks: Iterable[str]) -> dict[str, str]:
    return dict(zip(dict.fromkeys(tasks), cycle(MARKERS), strict=False))


def _draw_panel(axes: Axes, ours: pd.DataFrame, paper: pd.DataFrame, markers: dict[str, str]) -> None:
    axes.axhspan(-1, BORDER, color=SHADES["hard ceiling"], linewidth=0, zorder=0)
    axes.axhspan(BORDER, 1, color=SHADES["sublinear"], linewidth=0, zorder=0)
    for regime, height, side in (("hard ceiling", BORDER, "top"), ("sublinear", BORDER, "bottom")):
        at = axes.get_yaxis_transform()
        axes.text(0.98, height, regime, transform=at, ha="right", va=side, color="0.4", fontsize=6.5)
    if ours["simulated"].any():
        stamp(axes)
    for fit in paper.to_dict("records"):
        alpha = 0.9 if fit["team"] in set(ours["team"]) else 0.3
        look: dict[str, Any] = {"mfc": "none", "mec": COLOURS[fit["condition"]], "mew": 0.6, "alpha": alpha}
        axes.plot([fit["c"]], [fit["beta"]], markers[fit["task"]], **look)
    for fit in ours.to_dict("records"):
        _draw_fit(axes, fit, markers[fit["task"]])


def _draw_fit(axes: Axes, fit: Mapping[Hashable, Any], marker: str) -> None:
    colour = COLOURS[fit["condition"]]
    axes.hlines(fit["beta"], fit["c_low"], fit["c_high"], colors=colour, linewidth=0.9)
    axes.vlines(fit["c"], fit["beta_low"], fit["beta_high"], colors=colour, linewidth=0.9)
    axes.plot([fit["c"]], [fit["beta"]], marker, color=colour, mec="white", mew=0.4, markersize=4.6)


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    """Room for every estimate; an interval may leave the panel."""
    low, high = data["beta_low"].min(), data[["beta", "beta_high"]].max().max()
    axes.set_xlim(0, max(1.05, 1.05 * data["c"].max()))
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.set_ylim(max(-1, min(-0.03, low - 0.03)), min(1.03, max(0.4, high + 0.03)))


def _explain(figure: Figure, axes: Axes, conditions: set[str], markers: dict[str, str]) -> None:
    """Colours above the panels; shapes in the corner where cells rarely lie (large c, large beta)."""
    colours = [_key(label, "o", color=COLOURS[name]) for name, label in CONDITIONS.items() if name in conditions]
    figure.legend(handles=colours, loc="outside upper center", ncols=len(colours), handletextpad=0, columnspacing=1)
    shapes = [_key(task, marker, color="0.3") for task, marker in markers.items()]
    open_mark = _key("open: paper", "o", mfc="none", mec="0.3", mew=0.6)
    axes.legend(handles=[*shapes, open_mark], loc="upper right", handletextpad=0, frameon=True, edgecolor="none")


def _key(label: str, marker: str, **look: Any) -> Line2D:
    return Line2D([], [], linestyle="", marker=marker, label=label, **look)
