"""Do models that flip more collapse more? Flip rate of the screen against collapse of debates, a mark a model."""

from collections.abc import Hashable, Mapping
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from headcount.publish.figures.grids import settle
from headcount.publish.figures.labels import Label, place
from headcount.publish.figures.style import COLUMN, DECIMALS, house_style, nothing, panels, stamp
from headcount.publish.inputs import Inputs
from headcount.publish.screen_cells import at_two_sizes, below, heard, published_rows
from headcount.schema import ASSOCIATIONS, MODEL_ROWS
from headcount.schema.screens import COHORT

PAPER = ""
QUESTION = "ledger"
NEEDS = ("screened_models",)
READS = ("model_rows", "associations")
PUBLISHED = ("ledger/n14_rows",)

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "os^DvP*X<>"
_OPEN: dict[str, Any] = {"mfc": "none", "mec": "0.55", "mew": 0.6, "markersize": 3.6}
_NUMBERS = ["alpha_tot", "alpha_tot_low", "alpha_tot_high", "collapse", "collapse_low", "collapse_high"]

Looks = Mapping[str, dict[str, Any]]  # of a family's marks


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(MODEL_ROWS), inputs.read(ASSOCIATIONS), *(inputs.printed(name) for name in PUBLISHED))


def draw(rows: pd.DataFrame, associations: pd.DataFrame, n14: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for the paper's size, or the next larger one, and for the largest.

    Args:
        rows: rows of MODEL_ROWS.
        associations: rows of ASSOCIATIONS; of them the correlation of models.
        n14: the paper's rows, as printed, which stand in the panel of their size.

    Returns:
        the figure, and every number in it: `source` is run or paper.
    """
    data = numbers(rows, n14)
    if data.empty:
        return nothing("No model of this run was both probed and in a debate of its own."), data
    sizes, looks = sorted(data["n"].unique()), _looks(data)
    said = _correlations(associations)
    with house_style():
        width = COLUMN if len(sizes) == 1 else 2 * COLUMN
        figure, grid = panels(1, len(sizes), width, 2.5)
        for n, axes in zip(sizes, grid[0], strict=True):
            _draw_panel(axes, data[data["n"] == n], looks)
            axes.set_title(f"teams of {n}: {said[n]}" if n in said else f"teams of {n}")
        _scale(grid[0, 0], data)
        figure.supxlabel("flip rate of the screen", fontsize=7.5)
        figure.supylabel("collapse, of debates right at first", fontsize=7.5)
        handles, most = _legend(data, looks), 3 if width == COLUMN else 6
        figure.legend(handles=handles, loc="outside upper center", ncols=min(len(handles), most), handletextpad=0.2)
        settle(figure)
        for n, axes in zip(sizes, grid[0], strict=True):
            place(axes, _labels(data[(data["n"] == n) & (data["source"] == "run")], looks), size=5.5)
    return figure, data


def numbers(rows: pd.DataFrame, n14: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing."""
    ours = at_two_sizes(rows.dropna(subset=["alpha_tot", "collapse"]))
    data = below(ours, published_rows(n14))
    data = data[(data["source"] == "run") | data["n"].isin(ours["n"])]
    kept = ["source", "n", "round", "family", "model", *_NUMBERS, "debates", "simulated"]
    return data[kept].astype(dict.fromkeys(_NUMBERS, float)).round(DECIMALS).reset_index(drop=True)


def _correlations(associations: pd.DataFrame) -> dict[int, str]:
    """What a panel's title says: Spearman's correlation of its models, and how often chance would show it."""
    asked = {"level": "model", "predictor": "alpha_tot", "outcome": "collapse", "controls": "", "left_out": ""}
    rows = heard(associations)
    rows = rows[(rows[list(asked)] == pd.Series(asked)).all(axis=1)].dropna(subset="rho")
    rows = rows.sort_values(list(COHORT))
    return {n: f"ρ = {rho:.2f}, p = {p:.3f}" for n, rho, p in rows[["n", "rho", "p_two_sided"]].itertuples(index=False)}


def _looks(data: pd.DataFrame) -> Looks:
    families = sorted(data.loc[data["source"] == "run", "family"].unique())
    looks = zip(families, cycle(_COLOURS), cycle(_MARKERS), strict=False)
    return {family: {"color": colour, "marker": marker} for family, colour, marker in looks}


def _draw_panel(axes: Axes, panel: pd.DataFrame, looks: Looks) -> None:
    if panel["simulated"].any():
        stamp(axes)
    paper = panel[panel["source"] == "paper"]
    axes.plot(paper["alpha_tot"], paper["collapse"], "o", zorder=1.5, **_OPEN)
    for row in panel[panel["source"] == "run"].to_dict("records"):
        _draw_model(axes, row, looks[row["family"]])


def _draw_model(axes: Axes, row: Mapping[Hashable, Any], look: Mapping[str, Any]) -> None:
    bars = {"colors": look["color"], "linewidth": 0.7, "alpha": 0.6}
    axes.hlines(row["collapse"], row["alpha_tot_low"], row["alpha_tot_high"], **bars)
    axes.vlines(row["alpha_tot"], row["collapse_low"], row["collapse_high"], **bars)
    axes.plot([row["alpha_tot"]], [row["collapse"]], linestyle="", mec="white", mew=0.3, markersize=4.4, **look)


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    """Both from 0, with room for every interval."""
    for side, name in (("x", "alpha_tot"), ("y", "collapse")):
        highest = data[[name, f"{name}_high"]].max().max()
        axes.set(**{f"{side}lim": (-0.015, min(1.03, 1.08 * highest + 0.02))})
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))


def _labels(models: pd.DataFrame, looks: Looks) -> list[Label]:
    """Names of models, where there is room."""
    places = zip(models["model"], models["family"], models["alpha_tot"], models["collapse"], strict=True)
    return [Label(name, [(x, y)], looks[family]["color"], needed=False) for name, family, x, y in places]


def _legend(data: pd.DataFrame, looks: Looks) -> list[Line2D]:
    told = [Line2D([], [], linestyle="", label=family, **look) for family, look in looks.items()]
    shown = (data["source"] == "paper").any()
    paper = [Line2D([], [], linestyle="", marker="o", label="paper's 14 models", **_OPEN)] if shown else []
    return [*told, *paper]
