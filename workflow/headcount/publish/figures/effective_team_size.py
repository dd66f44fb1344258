"""How many of N agents count? Effective against nominal size, with the fitted law. The paper's Figure 1A."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import offset_copy

from headcount.laws.forms import ringelmann
from headcount.publish.cells import CELL, headline
from headcount.publish.figures.grids import settle
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    DECIMALS,
    MARKERS,
    by_team,
    house_style,
    name_panels,
    panels,
    plain_ticks,
    stamp,
)
from headcount.publish.inputs import Inputs
from headcount.publish.words import CONDITIONS
from headcount.schema import CURVES, FITS

PAPER = "figure1"
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("fits", "curves")
PUBLISHED = ()


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(FITS), inputs.read(CURVES))


def draw(fits: pd.DataFrame, curves: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each team and task: measured sizes with intervals, fitted curves, and N independent voters.

    Returns:
        the figure, and every number in it: `kind` is measured, fitted or independent.
    """
    data = numbers(fits, curves)
    if not (data["kind"] == "measured").any():
        return _nothing(), data
    places = by_team(data)
    rows, columns = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    with house_style():
        width = COLUMN if columns < 3 else 2 * COLUMN
        figure, grid = panels(rows, columns, width, 1.75)
        for (team, task), place in places.items():
            _draw_panel(grid[place], data[(data["team"] == team) & (data["task"] == task)])
        name_panels(grid, places)
        _scale(grid[0, 0], data)
        figure.supxlabel("team size N", fontsize=7.5)
        figure.supylabel("effective team size", fontsize=7.5)
        figure.legend(handles=_legend(data), loc="outside upper center", ncols=3, handlelength=1.8)
        settle(figure)
    return figure, data


def _nothing() -> Figure:
    with house_style():
        figure = Figure(figsize=(COLUMN, 1.0))
        figure.text(0.5, 0.5, "No team of two or more was run with all peers heard.", ha="center", fontsize=7.5)
    return figure


def numbers(fits: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing."""
    cells = headline(fits, "ringelmann")
    keys = [*CELL, "level", "subsets", "peers", "round"]
    measured = cells[keys].merge(curves[curves["n"] > 1], on=keys)  # N_eff(1) = 1 whatever happens
    measured = measured.dropna(subset="n_eff").assign(kind="measured")
    fitted = [_fitted(cell) for cell in cells.dropna(subset="c").to_dict("records")]
    ideal = measured.groupby(["team", "task"], sort=False)["n"].max().reset_index()
    ideal = pd.concat([ideal.assign(n=1), ideal]).assign(kind="independent", condition="", simulated=False)
    rows = pd.concat([measured, *fitted, ideal.assign(n_eff=ideal["n"])])
    columns = [*CELL, "round", "kind", "n", "n_eff", "n_eff_low", "n_eff_high", "simulated"]
    return rows[columns].round(DECIMALS).reset_index(drop=True)


def _fitted(cell: Mapping[Hashable, Any]) -> pd.DataFrame:
    n = np.geomspace(1, max(cell["sizes"]), 41).round(DECIMALS)
    n_eff = n * ringelmann(n, cell["c"], cell["beta"])
    same = {name: cell[name] for name in [*CELL, "round", "simulated"]}
    return pd.DataFrame({**same, "kind": "fitted", "n": n, "n_eff": n_eff})


def _draw_panel(axes: Axes, panel: pd.DataFrame) -> None:
    if panel["simulated"].any():
        stamp(axes)
    ideal = panel[panel["kind"] == "independent"]
    axes.plot(ideal["n"], ideal["n_eff"], color="black", linestyle=(0, (1, 1.5)), linewidth=0.9)
    present = [name for name in CONDITIONS if name in set(panel["condition"])]
    for place, condition in enumerate(present):
        rows = panel[panel["condition"] == condition]
        _draw_condition(axes, rows, condition, 1.8 * (place - (len(present) - 1) / 2))


def _draw_condition(axes: Axes, rows: pd.DataFrame, condition: str, shift: float) -> None:
    """A fitted curve and measured sizes. `shift` moves marks apart by points on paper; data stay exact."""
    colour, marker = COLOURS[condition], MARKERS[condition]
    fitted, measured = (rows[rows["kind"] == kind] for kind in ("fitted", "measured"))
    axes.plot(fitted["n"], fitted["n_eff"], color=colour, alpha=0.75)
    beside = offset_copy(axes.transData, axes.get_figure(root=True), x=shift, units="points")
    axes.vlines(
        measured["n"],
        measured["n_eff_low"],
        measured["n_eff_high"],
        colors=colour,
        linewidth=0.9,
        transform=beside,
    )
    axes.plot(measured["n"], measured["n_eff"], marker, color=colour, mec="white", mew=0.3, transform=beside)


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    """Logarithmic axes with plain numbers, cut where the measured end: the ideal leaves the panel early."""
    drawn = data[data["kind"] != "independent"]
    top = drawn[["n_eff", "n_eff_high"]].max().max()
    axes.set(xscale="log", yscale="log")
    axes.set_xlim(0.95, 1.14 * drawn["n"].max())
    axes.set_ylim(0.97, max(1.12 * top, 1.03 * drawn["n"].max() if top > 0.7 * drawn["n"].max() else 0))
    for axis in (axes.xaxis, axes.yaxis):
        plain_ticks(axis)


def _legend(data: pd.DataFrame) -> list[Line2D]:
    ideal = Line2D([], [], color="black", linestyle=(0, (1, 1.5)), linewidth=0.9, label="N independent voters")
    return [
        Line2D([], [], color=COLOURS[name], marker=MARKERS[name], mec="white", mew=0.3, label=label)
        for name, label in CONDITIONS.items()
        if name in set(data["condition"])
    ] + [ideal]
