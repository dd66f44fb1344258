"""What all figures share: type, sizes, the mark of simulated data, and equal files for equal figures."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headcount.publish.words import SIMULATED

COLUMN = 3.5  # inches: the width of a column in a two-column paper
DECIMALS = 6  # of drawn numbers, so that the CSV beside a figure holds exactly what is drawn

_STYLE = {
    "font.family": "DejaVu Sans",  # comes with Matplotlib, so it is the same everywhere
    "font.size": 7,
    "axes.titlesize": 7.5,
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
    "pdf.fonttype": 42,  # text stays text
    "savefig.dpi": 300,
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


def stamp(axes: Axes) -> None:
    """Mark a panel that shows simulated agents."""
    axes.text(
        0.5,
        0.5,
        SIMULATED,
        transform=axes.transAxes,
        rotation=25,
        ha="center",
        va="center",
        fontsize=15,
        fontweight="bold",
        color="0.85",
        zorder=0.5,
    )


def save(figure: Figure, data: pd.DataFrame, pdf: Path, png: Path, csv: Path) -> None:
    """Write a figure and the numbers in it; without dates, so that equal figures are equal bytes."""
    for path in (pdf, png, csv):
        path.parent.mkdir(parents=True, exist_ok=True)
    with house_style():
        figure.savefig(pdf, metadata={"CreationDate": None, "Creator": None, "Producer": None})
        figure.savefig(png, metadata={"Software": None})
    data.to_csv(csv, index=False, float_format=f"%.{DECIMALS}f", lineterminator="\n")
