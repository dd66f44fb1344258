"""The study of pilots drawn: how far predictions of teams of 30 are off, and how often their intervals hold."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from headcount.publish.figures.style import house_style, panels, plain_ticks

PILOTS = {"2;3": ("#999999", "v"), "2;3;5": ("#D55E00", "o"), "2;3;5;7": ("#0072B2", "s"), "2;5;10": ("#009E73", "^")}
QUANTITIES = {
    ("n_eff", "pooled_agreement", "alone"): "N_eff, nobody heard",
    ("n_eff", "pooled_agreement", "talk"): "N_eff, debate",
    ("n_eff", "answer", "talk"): "N_eff by answers, debate",
    ("accuracy", "accuracy", "talk"): "accuracy, debate",
}
WIDTH = 7.0
_KEYS = ["quantity", "level", "group"]
_COLUMNS = [*_KEYS, "pilot", "items", "error", "half_width", "covered", "covered_se", "covered_items_alone", "cases"]


def draw_pilots(pilots: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A column a quantity: median error and half width of the interval above, coverage below; against items.

    Returns:
        the figure, and the numbers in it.
    """
    data = pilots[_COLUMNS]
    with house_style():
        figure, grid = panels(2, len(QUANTITIES), WIDTH, 1.7, share=False)
        for (key, title), (upper, lower) in zip(QUANTITIES.items(), grid.T, strict=True):
            rows = data[(data[_KEYS] == list(key)).all(axis=1)]
            _draw_errors(upper, rows)
            _draw_coverage(lower, rows)
            upper.set_title(title)
        grid[0, 0].set_ylabel("error of team of 30")
        grid[1, 0].set_ylabel("holds the truth")
        figure.supxlabel("items of the pilot", fontsize=7.5)
        figure.legend(handles=_legend(), loc="outside upper center", ncols=7, handlelength=1.8, columnspacing=1.2)
    return figure, data


def _draw_errors(axes: Axes, rows: pd.DataFrame) -> None:
    """Of N_eff relative, of the accuracy in points."""
    for pilot, (colour, marker) in PILOTS.items():
        line = rows[rows["pilot"] == pilot].sort_values("items")
        axes.plot(line["items"], line["error"], color=colour, marker=marker)
        axes.plot(line["items"], line["half_width"], color=colour, linestyle=(0, (2, 1.5)), linewidth=0.7)
    _items(axes)
    axes.set_ylim(0, 1.08 * max(rows["half_width"].max(), 0.05))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))


def _draw_coverage(axes: Axes, rows: pd.DataFrame) -> None:
    axes.axhspan(0.93, 0.97, color="0.92", linewidth=0)
    for pilot, (colour, marker) in PILOTS.items():
        line = rows[rows["pilot"] == pilot].sort_values("items")
        axes.errorbar(line["items"], line["covered"], line["covered_se"], color=colour, marker=marker, elinewidth=0.6)
        axes.plot(line["items"], line["covered_items_alone"], color=colour, linestyle=(0, (1, 1.5)), linewidth=0.8)
    _items(axes)
    axes.set_ylim(0.45, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))


def _items(axes: Axes) -> None:
    axes.set_xscale("log")
    plain_ticks(axes.xaxis, (24, 50, 100, 200, 500, 1000))
    axes.tick_params(axis="x", labelsize=5.5)


def _legend() -> list[Line2D]:
    pilots = [
        Line2D([], [], color=colour, marker=marker, label=pilot.replace(";", ", "))
        for pilot, (colour, marker) in PILOTS.items()
    ]
    return [
        *pilots,
        Line2D([], [], color="0.3", linestyle=(0, (2, 1.5)), linewidth=0.7, label="half width"),
        Line2D([], [], color="0.3", linestyle=(0, (1, 1.5)), linewidth=0.8, label="items' error alone"),
    ]
