"""What all figures share: type, sizes, the mark of simulated data, and equal files for equal figures."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter
from matplotlib.transforms import Transform, offset_copy

from headcount.publish.figures.typeset import typeset
from headcount.publish.looks import COLOURS as COLOURS  # figures take all of their style from here
from headcount.publish.looks import DECIMALS as DECIMALS
from headcount.publish.looks import MARKERS as MARKERS
from headcount.publish.words import SIMULATED

COLUMN = 3.5  # inches: the width of a column in a two-column paper
TICKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)  # of logarithmic axes

_STYLE = {
    "font.family": "DejaVu Sans",  # comes with Matplotlib, so it is the same everywhere
    "font.size": 7,
    "axes.titlesize": 7.5,
    "axes.titley": 1.0,  # no ticks are above a panel, for which Matplotlib would look again and again
    "axes.labelsize": 7.5,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.size": 0,
    "ytick.minor.size": 0,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.2,
    "errorbar.capsize": 0,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "headcount",  # equal figures are equal files
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the house style, whatever the user's matplotlibrc says."""
    with matplotlib.style.context(["default", _STYLE]):
        yield


def panels(rows: int, columns: int, width: float, height: float, *, share: bool = True) -> tuple[Figure, np.ndarray]:
    """A figure of equal panels, each of a height, together of a width (inches).

    Returns:
        the figure, and its axes as (rows, columns).
    """
    figure = Figure(figsize=(width, height * rows + 0.45), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, sharex=share, sharey=share)


Places = dict[tuple[str, str], tuple[int, int]]


def by_team(data: pd.DataFrame) -> Places:
    """Where the panel of each (team, task) stands: a row for each team, its tasks from the left.

    Tasks are often not the same ones for all teams, and a column for each would leave most of a page empty.
    """
    rows = data.groupby("team", sort=False)["task"].unique()
    return {
        (team, task): (row, at) for row, team in enumerate(rows.index) for at, task in enumerate(sorted(rows[team]))
    }


def name_panels(grid: np.ndarray, places: Places) -> None:
    """Teams left of rows, tasks above columns, or above each panel where rows differ; numbers at the outer panels."""
    names = {place: name for name, place in places.items()}
    aligned = len({(task, column) for (_, task), (_, column) in places.items()}) == grid.shape[1]
    for place, axes in np.ndenumerate(grid):
        if place not in names:
            axes.set_axis_off()
            continue
        row, column = place
        axes.tick_params(labelleft=column == 0, labelbottom=(row + 1, column) not in names)
        if not aligned or (row - 1, column) not in names:
            axes.set_title(names[place][1])
        if column == 0:
            axes.set_ylabel(names[place][0])


def stamp(axes: Axes, size: float = 15) -> None:
    """Mark a panel that shows simulated agents; the mark takes no room from it, whatever its size in points."""
    axes.text(
        0.5,
        0.5,
        SIMULATED,
        transform=axes.transAxes,
        rotation=25,
        ha="center",
        va="center",
        fontsize=size,
        fontweight="bold",
        color="0.85",
        zorder=0.5,
        in_layout=False,
    )


def nothing(sentence: str) -> Figure:
    """A figure that says why there is nothing in it."""
    with house_style():
        figure = Figure(figsize=(COLUMN, 1.0))
        figure.text(0.5, 0.5, sentence, ha="center", va="center", fontsize=7.5, wrap=True)
    return figure


class _InView(FixedLocator):
    """Fixed ticks of an axis, without those beyond its ends, which Matplotlib would make and measure, but not show."""

    def __init__(self, axis: Axis, ticks: Iterable[float]):
        super().__init__(list(ticks))
        self._of = axis

    def __call__(self) -> Sequence[float]:
        low, high = sorted(self._of.get_view_interval())
        return [float(tick) for tick in super().__call__() if low <= tick <= high]


def plain_ticks(axis: Axis, ticks: Iterable[float] = TICKS) -> None:
    """Plain numbers on a logarithmic axis, and no marks between them."""
    axis.set_major_locator(_InView(axis, ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))


def aside(axes: Axes, points: float) -> Transform:
    """Marks set apart on paper where several share a place; data stay exact."""
    return offset_copy(axes.transData, axes.get_figure(root=True), x=points, units="points")


def save(figure: Figure, data: pd.DataFrame, pdf: Path, svg: Path, png: Path, csv: Path) -> None:
    """Write a figure and the numbers in it; without dates, so that equal figures are equal bytes."""
    for path in (pdf, svg, png, csv):
        path.parent.mkdir(parents=True, exist_ok=True)
    with house_style():
        figure.savefig(svg, metadata={"Date": None, "Creator": None})
    typeset(svg, pdf, png)
    data.to_csv(csv, index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n")
