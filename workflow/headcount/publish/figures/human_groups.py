"""What the two figures of human groups share: whose efficiency is drawn, and how."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import offset_copy

from headcount.laws.humans import efficiency
from headcount.measures.arrays import FloatArray
from headcount.publish.cells import headline
from headcount.publish.figures.grids import settle
from headcount.publish.figures.labels import Label, place
from headcount.publish.figures.style import COLOURS, COLUMN, MARKERS, house_style, nothing, panels, plain_ticks, stamp

STUDIES = {"rope_1913": "rope pulling, 1913", "shouting_1979": "shouting, 1979"}
HUMAN_MARKERS = {"rope_1913": "v", "shouting_1979": "s"}  # open, as nothing says how sure they are
HUMAN, BOUND = "black", "0.5"
MUTED = "#E7B892"  # of debates that have no label
FEW = 3  # debates of a panel that are all labelled; of more, those with the largest and the smallest parameter
SERIES = ["source", "group", "task"]
COLUMNS = [*SERIES, "round", "kind", "n", "r", "r_low", "r_high"]
MEASURED = "measured"

Row = Mapping[Hashable, Any]


@dataclass(frozen=True)
class Axis:
    """An axis on which groups are compared.

    Attributes:
        parameter: the column that sums up a group; of many debates its largest and its smallest are labelled.
        say: a row of a series -> what its label says of it.
        lines: dashes and meaning of each kind of line.
        log: whether R is on a logarithmic scale, too.
    """

    parameter: str
    say: Callable[[Row], str]
    lines: Mapping[str, tuple[Any, str]]
    log: bool


def measured(groups: pd.DataFrame, fits: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Efficiency R(N) of human groups, then of each team that debated, with intervals where there are items.

    Args:
        groups: rows of human_groups.csv, as text.
        fits, curves: rows of FITS and CURVES.

    Returns:
        COLUMNS, then rho, rho_low and rho_high of the run's constant-correlation fit (NaN for humans), simulated.
    """
    humans = efficiency(groups[groups["group"].isin(STUDIES)]).assign(source="human", task="", simulated=False)
    cells = headline(fits[fits["condition"] == "debate"], "kish")
    keys = ["team", "task", "condition", "level", "subsets", "peers", "round"]
    names = {"c": "rho", "c_low": "rho_low", "c_high": "rho_high"}
    rows = cells[[*keys, *names]].rename(columns=names).merge(curves[curves["n"] > 1], on=keys)
    rows = rows.dropna(subset="n_eff").assign(source="run", group=rows["team"], r=rows["n_eff"] / rows["n"])
    for end in ("low", "high"):
        rows[f"r_{end}"] = rows[f"n_eff_{end}"] / rows["n"]
    both = pd.concat([humans, rows]).assign(kind=MEASURED)
    return both.reindex(columns=[*COLUMNS, *names.values(), "simulated"]).reset_index(drop=True)


def with_curves(
    rows: pd.DataFrame, parameter: str, curves: Callable[[pd.DataFrame], list[pd.DataFrame]]
) -> pd.DataFrame:
    """Measured points, and the curves of groups that are labelled; then the least that R can be.

    Labelled are human groups, and the debates of a task if they are few; of many those whose parameter is largest
    or smallest.

    Args:
        rows: `measured`, with the parameter.
        curves: a series' points -> its curves.
    """
    run = rows[rows["source"] == "run"].drop_duplicates(SERIES)
    of_task = run.groupby("task")[parameter]
    outermost = (run[parameter] == of_task.transform("min")) | (run[parameter] == of_task.transform("max"))
    told = pd.MultiIndex.from_frame(run.loc[outermost | (of_task.transform("size") <= FEW), SERIES])
    rows = rows.assign(labelled=(rows["source"] == "human") | pd.MultiIndex.from_frame(rows[SERIES]).isin(told))
    lines = [curve for series in series_of(rows[rows["labelled"]]) for curve in curves(series)]
    return pd.concat([rows, *lines, _one_voter(rows)]).dropna(subset="r").reset_index(drop=True)


def series_of(rows: pd.DataFrame) -> list[pd.DataFrame]:
    """The measured rows of each group or team, in order."""
    return [found for _, found in rows[rows["kind"] == MEASURED].groupby(SERIES, sort=False)]


def curve(series: pd.DataFrame, kind: str, n: FloatArray, r: FloatArray, **more: FloatArray) -> pd.DataFrame:
    """A law's curve for one series, with its keys and parameters."""
    points = pd.DataFrame({"n": n, "r": r, **more})
    kept = series.iloc[0].drop(["kind", "n", "r", "r_low", "r_high"])
    return points.assign(kind=kind, **{str(name): value for name, value in kept.items()})


def _one_voter(rows: pd.DataFrame) -> pd.DataFrame:
    """R = 1/N, up to the largest size: a team that is one voter."""
    n = np.geomspace(1, rows["n"].max(), 41)
    same = {"source": "bound", "group": "one voter", "task": "", "kind": "one_voter", "simulated": False}
    return pd.DataFrame({**same, "labelled": True, "n": n, "r": 1 / n})


def draw(data: pd.DataFrame, axis: Axis) -> tuple[Figure, pd.DataFrame]:
    """A panel a task: human groups in black, the run's debates in colour.

    Args:
        data: measured points, and lines of the kinds that the axis knows.

    Returns:
        the figure, and the rows that it shows: none where nobody debated.
    """
    tasks = list(data.loc[data["source"] == "run", "task"].unique())
    if not tasks:
        return nothing("No team of two or more debated."), data[:0]
    with house_style():
        columns = min(len(tasks), 3)
        figure, grid = panels(-(-len(tasks) // columns), columns, COLUMN if columns == 1 else 2 * COLUMN, 2.3)
        _scale(grid[0, 0], data, axis.log)
        for axes in grid.flat[len(tasks) :]:
            axes.set_axis_off()
        shown = [(axes, data[data["task"].isin(["", task])]) for task, axes in zip(tasks, grid.flat, strict=False)]
        for number, ((axes, here), task) in enumerate(zip(shown, tasks, strict=True)):
            axes.set_title(task)
            axes.tick_params(labelbottom=number >= len(tasks) - columns)
            _draw_panel(axes, here, axis)
        figure.supxlabel("group size N", fontsize=7.5)
        figure.supylabel("efficiency R, per person or agent", fontsize=7.5)
        figure.legend(handles=_legend(axis), loc="outside upper center", ncols=len(axis.lines), handlelength=2.4)
        settle(figure)
        for axes, here in shown:
            place(axes, _labels(here, axis, everywhere=axes is grid[0, 0]), reach=(3.5, 7, 12, 18, 26, 36, 48))
    return figure, data


def _draw_panel(axes: Axes, here: pd.DataFrame, axis: Axis) -> None:
    if here["simulated"].any():
        stamp(axes)
    bound = here[here["kind"] == "one_voter"]
    axes.plot(bound["n"], bound["r"], color=BOUND, linestyle=(0, (1, 1.5)), linewidth=0.9)
    every = sorted(series_of(here), key=lambda rows: bool(rows["labelled"].iloc[0]))
    debates = [rows["group"].iloc[0] for rows in series_of(here) if rows["source"].iloc[0] == "run"]
    for rows in every:
        group, colour = rows["group"].iloc[0], _colour(rows)
        _draw_curves(axes, here[(here["group"] == group) & (here["kind"] != MEASURED)], colour, axis)
        aside = min(1.4, 5.0 / max(len(debates), 1))
        shift = aside * (debates.index(group) - (len(debates) - 1) / 2) if group in debates else 0.0
        _draw_points(axes, rows, colour, shift)


def _draw_curves(axes: Axes, curves: pd.DataFrame, colour: str, axis: Axis) -> None:
    for kind, (dash, _) in axis.lines.items():
        line = curves[curves["kind"] == kind]
        axes.plot(line["n"], line["r"], linestyle=dash, linewidth=0.8, color=colour)
        if line["r_low"].notna().any():
            axes.fill_between(line["n"], line["r_low"], line["r_high"], color=colour, alpha=0.15, linewidth=0)


def _draw_points(axes: Axes, rows: pd.DataFrame, colour: str, shift: float) -> None:
    """Measured points with their intervals, set aside by points on paper; data stay exact. Without curves, joined."""
    beside = offset_copy(axes.transData, axes.get_figure(root=True), x=shift, units="points")
    axes.vlines(rows["n"], rows["r_low"], rows["r_high"], colors=colour, linewidth=0.8, transform=beside)
    marker = HUMAN_MARKERS.get(rows["group"].iloc[0])
    look: dict[str, Any] = {"mfc": "white", "mec": colour, "mew": 0.7} if marker else {"mec": "white", "mew": 0.3}
    look["linestyle"] = "" if rows["labelled"].iloc[0] else "-"
    axes.plot(rows["n"], rows["r"], marker=marker or MARKERS["debate"], color=colour, transform=beside, **look)


def _colour(rows: pd.DataFrame) -> str:
    if rows["source"].iloc[0] == "human":
        return HUMAN
    return COLOURS["debate"] if rows["labelled"].iloc[0] else MUTED


def _labels(here: pd.DataFrame, axis: Axis, everywhere: bool) -> list[Label]:
    """Names of a panel's debates, and in one panel of what is the same in all."""
    told = [_label(rows, axis) for rows in series_of(here[here["labelled"] & (here["source"] == "run")])]
    if not everywhere:
        return told
    humans = [_label(rows, axis) for rows in series_of(here[here["source"] == "human"])]
    n = here.loc[here["kind"] == "one_voter", "n"].max() ** np.array([0.9, 0.7, 0.5, 0.3])
    return [*humans, *told, Label("one voter", list(zip(n, 1 / n, strict=True)), BOUND)]


def _label(rows: pd.DataFrame, axis: Axis) -> Label:
    last = rows.iloc[-1].to_dict()
    human = last["source"] == "human"
    name = STUDIES[last["group"]] if human else last["group"]
    points = list(zip(rows["n"], rows["r"], strict=True))[::-1]
    return Label(f"{name}\n{axis.say(last)}", points[:-1] or points, HUMAN if human else COLOURS["debate"])


def _scale(axes: Axes, data: pd.DataFrame, log: bool) -> None:
    """Room for the largest group, for labels to its right, and for every interval."""
    axes.set_xscale("log")
    axes.set_xlim(0.9, 1.3 * data["n"].max())
    plain_ticks(axes.xaxis)
    if not log:
        axes.set_ylim(0, 1.06)
        return
    axes.set_yscale("log")
    lowest = data[["r", "r_low"]].min().min()
    axes.set_ylim(0.85 * lowest, 1.15)
    plain_ticks(axes.yaxis, [1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01])


def _legend(axis: Axis) -> list[Line2D]:
    return [
        Line2D([], [], color="0.2", linestyle=dash, linewidth=0.9, label=meaning)
        for dash, meaning in axis.lines.values()
    ]
