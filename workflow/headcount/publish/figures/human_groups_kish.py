"""Do debates agree more than people's efforts coincide? Efficiency on Kish's axis, the paper's Figure 3."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from headcount.laws.estimate import fit_kish
from headcount.laws.forms import kish
from headcount.publish.figures.human_groups import Axis, Row, curve, draw, measured, series_of, with_curves
from headcount.publish.figures.style import DECIMALS
from headcount.publish.inputs import Inputs
from headcount.schema import CURVES, FITS

PAPER = "figure3"
QUESTION = "size"
NEEDS = ("sizes", "debate")
READS = ("fits", "curves")
PUBLISHED = ("human_groups",)


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw_kish(inputs.printed("human_groups"), inputs.read(FITS), inputs.read(CURVES))


def draw_kish(groups: pd.DataFrame, fits: pd.DataFrame, curves: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel for each task: R(N) of human groups and debates, with the curve of a constant correlation.

    Returns:
        the figure, and every number in it: `kind` is measured, fitted (R = 1 / (1 + (N - 1) rho), with its
        interval) or one_voter (1/N).
    """
    return draw(numbers(groups, fits, curves), _AXIS)


def numbers(groups: pd.DataFrame, fits: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing."""
    rows = pd.concat([_with_rho(series) for series in series_of(measured(groups, fits, curves))])
    return with_curves(rows, "rho", _curves).round(DECIMALS)


def _with_rho(series: pd.DataFrame) -> pd.DataFrame:
    """A series with its correlation: a team's is the run's, with its interval; a human group's is fitted here."""
    if series["source"].iloc[0] == "run":
        return series
    n, r = series["n"].to_numpy(dtype=float), series["r"].to_numpy(dtype=float)
    return series.assign(rho=fit_kish(n, r).params["rho"])


def _curves(series: pd.DataFrame) -> list[pd.DataFrame]:
    first, n = series.iloc[0], np.geomspace(1, series["n"].max(), 41)
    ends = {"r_low": kish(n, first["rho_high"]), "r_high": kish(n, first["rho_low"])}  # more correlation, less of each
    return [curve(series, "fitted", n, kish(n, first["rho"]), **ends)]


def _say(row: Row) -> str:
    ends = "" if np.isnan(row["rho_low"]) else f" [{row['rho_low']:.2f}, {row['rho_high']:.2f}]"
    return f"ρ = {row['rho']:z.2f}{ends}".replace("-", "−")


_LINES: dict[str, tuple[Any, str]] = {"fitted": ("-", "one correlation at every size, R = 1 / (1 + (N − 1) ρ)")}
_AXIS = Axis("rho", _say, _LINES, log=False)
