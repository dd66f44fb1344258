"""How many independent voters are N agents of several models, however one counts? Effective size at each level."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.optimize import isotonic_regression

from headcount.laws.forms import ringelmann
from headcount.measures.arrays import FloatArray
from headcount.publish.cells import CELL, HEARD, headline
from headcount.publish.figures.grids import arrange, settle
from headcount.publish.figures.style import COLUMN, DECIMALS, TICKS, house_style, nothing, plain_ticks, stamp
from headcount.publish.inputs import Inputs
from headcount.publish.words import SIMULATED
from headcount.schema import CURVES, FITS, MIXING

PAPER = ""
QUESTION = "mix"
NEEDS = ("mixed", "sizes")
READS = ("fits", "curves", "mixing")
PUBLISHED = ()

LOOKS = {  # Tol's muted colours: apart for colour-blind readers; marks and labels tell them apart in grey
    "answer": ("by how many answers differ", "#332288", "s"),
    "agreement": ("by agreement, mean of questions", "#2F8F82", "^"),
    "correctness": ("by who is right together", "#7A7A1F", "D"),
    "pooled_agreement": ("by agreement, pooled", "#AA2266", "o"),
}
_TALK = {  # a team is shown in the first of these that it has
    "debate": "after debate",
    "self_consistency": "agents by themselves",
    "self_correction": "agents by themselves, thinking twice",
    "noise": "after reading answers to other questions",
}
PANEL = ["team", "task"]
SERIES = [*CELL, "level", "subsets", "peers", "round"]

_DASHES = (0, (4, 3))
_FEW = 10  # sizes, up to which each has a mark
_LABEL = {True: (11.0, 17.0), False: (8.0, 9.5)}  # of large and small panels: type of a value, room for it (points)


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    mixed = set(inputs.read(MIXING)["team"])
    fits, curves = (rows[rows["team"].isin(mixed)] for rows in (inputs.read(FITS), inputs.read(CURVES)))
    return draw(fits, curves)


def draw(fits: pd.DataFrame, curves: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A large panel for the team and task of most items, a small one for each other.

    Args:
        fits: rows of FITS, of the teams of several models alone.
        curves: rows of CURVES, likewise.

    Returns:
        the figure, and every number in it: `kind` is measured, fitted or independent.
    """
    data = numbers(fits, curves)
    if data.empty:
        return nothing("No team of several models was measured at two sizes."), data
    with house_style():
        shown = [rows for _, rows in data.groupby(PANEL, sort=False)]
        figure, grid = _panels(len(shown))
        for axes, rows in zip(grid, shown, strict=True):
            _draw_panel(axes, rows, 5.0 if axes is grid[0] else 3.4)
            _scale(axes, data, step=1.4 if axes is grid[0] else 1.9)
            axes.set_title(_name(rows, data), loc="left")
        _explain(figure, grid[0], shown[0])
        arrange(figure)  # the height of a panel says how far labels must be moved apart
        for axes, rows in zip(grid, shown, strict=True):
            _label(figure, axes, rows, large=axes is grid[0])
        settle(figure)
    return figure, data


def numbers(fits: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, the large panel's first."""
    chosen = pd.concat([headline(_of_all_subsets(fits), "ringelmann", level) for level in LOOKS])
    chosen = chosen[chosen["sizes"].map(len) > 1]
    chosen = chosen[chosen["condition"] == chosen.groupby(PANEL)["condition"].transform(_shown)]
    measured = chosen[SERIES].merge(curves[curves["n"] > 1], on=SERIES).dropna(subset="n_eff").assign(kind="measured")
    fitted = [_fitted(fit) for fit in chosen.dropna(subset="c").to_dict("records")]
    ideal = measured.groupby(PANEL)["n"].max().reset_index()
    ideal = pd.concat([ideal.assign(n=1), ideal]).assign(kind="independent", condition="", level="", simulated=False)
    rows = pd.concat([measured, *fitted, ideal.assign(n_eff=ideal["n"])])
    items = rows.groupby(PANEL)["n_items"].transform("max")
    rows = rows.assign(_items=-items).sort_values(["_items", *PANEL], kind="stable", ignore_index=True)
    columns = [*CELL, "level", "round", "kind", "n", "n_eff", "n_eff_low", "n_eff_high", "n_items", "simulated"]
    return rows[columns].round(DECIMALS)


def _of_all_subsets(fits: pd.DataFrame) -> pd.DataFrame:
    """The first n of different models are a matter of their order: where teams of all n are known, these alone.

    Round 1 of a debate is no such team's last word, so debates stay as they were run.
    """
    everybody = (fits["subsets"] == "all") & (fits["peers"] == fits["condition"].map(HEARD))
    return fits[everybody | ~everybody.groupby([fits[key] for key in CELL]).transform("any")]


def _shown(conditions: "pd.Series[str]") -> str:
    return min(conditions, key=list(_TALK).index)


def _fitted(fit: Mapping[Hashable, Any]) -> pd.DataFrame:
    n = np.geomspace(1, max(fit["sizes"]), 41).round(DECIMALS)
    same = {name: fit[name] for name in [*CELL, "level", "round", "simulated"]}
    return pd.DataFrame({**same, "kind": "fitted", "n": n, "n_eff": n * ringelmann(n, fit["c"], fit["beta"])})


def _panels(count: int) -> tuple[Figure, list[Axes]]:
    """A large panel, and small ones: up to two beside it, the others below."""
    beside, below = min(count - 1, 2), max(count - 3, 0)
    rows = -(-below // 3)
    size = (2.1 * COLUMN, 4.2 + 1.6 * rows)
    figure = Figure(figsize=size, dpi=300, layout="constrained")  # laid out as saved: letters at the edge are as wide
    if count == 1:
        return figure, [figure.add_subplot()]
    outer = figure.add_gridspec(1 + bool(rows), 1, height_ratios=[3.6, 1.6 * rows] if rows else None)
    top = outer[0].subgridspec(beside, 2, width_ratios=[2.4, 1])
    places = [top[:, 0], *(top[row, 1] for row in range(beside))]
    if rows:
        bottom = outer[1].subgridspec(rows, 3)
        places += [bottom[place // 3, place % 3] for place in range(below)]
    return figure, [figure.add_subplot(place) for place in places]


def _draw_panel(axes: Axes, rows: pd.DataFrame, size: float) -> None:
    """`size` is that of marks, in points."""
    if rows["simulated"].any():
        stamp(axes)
    ideal = rows[rows["kind"] == "independent"]
    axes.fill_between(ideal["n"], 1, ideal["n_eff"], color="#F6F3EE", zorder=0, lw=0)
    axes.plot(ideal["n"], ideal["n_eff"], color="black", linestyle=(0, (1, 1.5)), linewidth=1.1)
    for level, (_, colour, marker) in LOOKS.items():
        here = rows[rows["level"] == level]
        fitted, measured = (here[here["kind"] == kind] for kind in ("fitted", "measured"))
        axes.fill_between(measured["n"], measured["n_eff_low"], measured["n_eff_high"], color=colour, alpha=0.25, lw=0)
        axes.plot(measured["n"], measured["n_eff"], color=colour, linewidth=1.6)
        shown = slice(None) if len(measured) <= _FEW else slice(-1, None)
        look: dict[str, Any] = {"color": colour, "mec": "white", "mew": 0.5, "markersize": size, "clip_on": False}
        axes.plot(measured["n"][shown], measured["n_eff"][shown], marker, zorder=3, **look)
        axes.plot(fitted["n"], fitted["n_eff"], color="0.1", linewidth=0.6, linestyle=_DASHES)


def _scale(axes: Axes, data: pd.DataFrame, step: float) -> None:
    """Logarithmic axes with marks at the largest size and at round ones, apart by `step` times or more.

    Who is right together can amount to more voters than agents, where they are right in turn.
    """
    largest, top = data["n"].max(), data["n_eff"].max()
    axes.set(xscale="log", yscale="log", xlim=(0.97, 1.03 * largest), ylim=(0.97, 1.03 * max(largest, top)))
    marked = [largest]
    for tick in reversed(TICKS):
        if step * tick < marked[0]:
            marked.insert(0, tick)
    for axis in (axes.xaxis, axes.yaxis):
        plain_ticks(axis, marked)


def _explain(figure: Figure, axes: Axes, rows: pd.DataFrame) -> None:
    """What the large panel says, of whom, and what its lines are."""
    ends = _ends(rows)
    values = ends.loc[ends["level"] != "", "n_eff"]
    worth = " to ".join(dict.fromkeys(f"{value:.1f}" for value in (values.min(), values.max())))
    title = f"{ends['n'].max():.0f} agents are worth {worth} independent voters"
    if rows["simulated"].any():
        title = f"{SIMULATED}: {title}"
    figure.suptitle(title, fontsize=12, x=0.01, ha="left")
    one = rows[rows["kind"] == "measured"].iloc[0]
    said = f"team {one['team']}, {one['n_items']:,.0f} questions of {one['task']}, {_TALK[one['condition']]}"
    axes.set_title(said, loc="left")
    axes.set_xlabel("agents on the team, N")
    axes.set_ylabel("independent voters that they are worth")
    law = Line2D([], [], color="0.1", linewidth=0.6, linestyle=_DASHES, label="Ringelmann's law, fitted")
    axes.legend(handles=[law], loc="upper left", handlelength=2.6)


def _label(figure: Figure, axes: Axes, rows: pd.DataFrame, *, large: bool) -> None:
    """The value at the largest size at the end of each line, moved up and down until all can be read."""
    ends = _ends(rows)
    bottom, top = axes.get_ylim()
    height = 72 * axes.get_window_extent().transformed(figure.dpi_scale_trans.inverted()).height
    wanted = height * np.log(ends["n_eff"].to_numpy()) / np.log(top / bottom)
    moved = _apart(wanted, _LABEL[large][1]) - wanted
    for end, far in zip(ends.to_dict("records"), moved.tolist(), strict=True):
        _write(axes, end, far, large=large)


def _write(axes: Axes, end: Mapping[Hashable, Any], moved: float, *, large: bool) -> None:
    words, colour, _ = LOOKS.get(end["level"], ("if all were independent", "black", ""))
    at: dict[str, Any] = {"xy": (end["n"], end["n_eff"]), "textcoords": "offset points", "annotation_clip": False}
    arrow = {"arrowstyle": "-", "color": colour, "lw": 0.5, "shrinkA": 1, "shrinkB": 3}
    value = f"{end['n_eff']:.1f}" if end["level"] else f"{end['n_eff']:.0f}"
    bold: dict[str, Any] = {"color": colour, "fontsize": _LABEL[large][0], "fontweight": "bold", "va": "center"}
    axes.annotate(value, xytext=(11, moved), arrowprops=arrow, **bold, **at)
    if large and end["level"]:
        interval = f"{end['n_eff']:.2f} [{end['n_eff_low']:.2f}, {end['n_eff_high']:.2f}]"
        axes.annotate(words, xytext=(35, moved + 0.5), color=colour, fontsize=7.5, va="bottom", **at)
        axes.annotate(interval, xytext=(35, moved - 0.5), color="0.35", fontsize=6.5, va="top", **at)
    elif large:
        axes.annotate(words, xytext=(35, moved), color=colour, fontsize=7.5, va="center", **at)


def _ends(rows: pd.DataFrame) -> pd.DataFrame:
    known = rows[rows["kind"] != "fitted"]
    return known.loc[known.groupby("level")["n"].idxmax()]


def _apart(wanted: FloatArray, gap: float) -> FloatArray:
    """Places that are `gap` apart or more, as near to those wanted as can be (least squares, by pooling neighbours)."""
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(wanted.size)
    places = np.empty_like(wanted)
    places[order] = isotonic_regression(wanted[order] - steps).x + steps
    return places


def _name(rows: pd.DataFrame, data: pd.DataFrame) -> str:
    team, task = rows[PANEL].iloc[0]
    return task if data["team"].nunique() == 1 else f"{team}: {task}"
