"""Do debates lose more per head than people do? Efficiency on Latané's axis, the paper's Figure 2."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from headcount.laws.alternatives import fit_latane, fit_latane_slope
from headcount.laws.forms import latane
from headcount.publish.figures.human_groups import Axis, Row, curve, draw, measured, series_of, with_curves
from headcount.publish.figures.style import DECIMALS
from headcount.publish.inputs import Inputs
from headcount.schema import CURVES, FITS

PAPER = "figure2"
QUESTION = "size"
NEEDS = ("sizes", "debate")
READS = ("fits", "curves")
PUBLISHED = ("human_groups",)


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw_latane(inputs.printed("human_groups"), inputs.read(FITS), inputs.read(CURVES))


def draw_latane(groups: pd.DataFrame, fits: pd.DataFrame, curves: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each task: R(N) of human groups and debates, with Latané's law by both readings.

    Returns:
        the figure, and every number in it: `kind` is measured, law (R = N^(t - 1)), slope (R = amplitude
        N^(t_slope - 1)) or one_voter (1/N).
    """
    return draw(numbers(groups, fits, curves), _AXIS)


def numbers(groups: pd.DataFrame, fits: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing."""
    rows = measured(groups, fits, curves).drop(columns=["rho", "rho_low", "rho_high"])
    rows = pd.concat([_with_t(series) for series in series_of(rows)])
    return with_curves(rows, "t", _curves).round(DECIMALS)


def _with_t(series: pd.DataFrame) -> pd.DataFrame:
    """A series with its exponent by both readings; NaN where a reading has none."""
    n, r = series["n"].to_numpy(dtype=float), series["r"].to_numpy(dtype=float)
    slope = fit_latane_slope(n, r).params
    return series.assign(t=fit_latane(n, r).params["t"], t_slope=slope["t"], amplitude=slope["amplitude"])


def _curves(series: pd.DataFrame) -> list[pd.DataFrame]:
    first, n = series.iloc[0], series["n"].to_numpy(dtype=float)
    whole, fitted = np.geomspace(1, n.max(), 2), np.geomspace(n[n > 1].min(), n.max(), 2)  # straight on this axis
    slope = latane(fitted, first["t_slope"], first["amplitude"])
    return [curve(series, "law", whole, latane(whole, first["t"])), curve(series, "slope", fitted, slope)]


def _say(row: Row) -> str:
    return f"t = {row['t']:z.2f}, slope {row['t_slope']:z.2f}".replace("-", "−")


_LINES: dict[str, tuple[Any, str]] = {
    "law": ("-", "the law, R = N$^{t-1}$"),
    "slope": ((0, (3, 2)), "its slope alone, amplitude free"),
}
_AXIS = Axis("t", _say, _LINES, log=True)
