"""Does a team's effective size hit a ceiling as the team grows? The paper's Table 1, with it beside."""

from typing import Any

import pandas as pd

from headcount.laws.flags import FLAGS
from headcount.publish.cells import CELL, headline
from headcount.publish.columns import OUTSIDE, Column, Printed, Show, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.published import beside, compare, published_fits
from headcount.publish.words import CONDITIONS, REGIMES
from headcount.schema import FITS

PAPER = "table01"
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("fits",)
PUBLISHED = ("table01_regimes", "table11_master_fits")

_WHY_UNBOUNDED = (
    "fitted without the bound where β sits at it; below 0 the correlation rises with N, and 1/c overstates the ceiling"
)


def _estimate(field: str, heading: str, meaning: str, show: Show = "always") -> Column:
    ends = (f"{field}_low", f"{field}_high")
    return Column(field, heading, f"{meaning} [interval]", 4, 2, interval=ends, show=show)


def _printed(field: str, heading: str, **more: Any) -> Printed:
    return Printed(field, heading, f"as printed for this team (ours minus it);{OUTSIDE} outside our interval", **more)


SPEC = TableSpec(
    name="regimes",
    groups=("team", "task"),
    caption=(
        "Regime of each cell by the Ringelmann law, N_eff/N = 1/(1 + c (N − 1) N⁻ᵝ), fitted to answer-level "
        "effective team sizes after the last round. Small c: agents count as nearly independent voters. β = 0: no "
        "team is worth more than 1/c voters; the label hard ceiling is used up to β = 0.1, as in the paper."
    ),
    columns=(
        Column("team", "team", "who answers", show="varying"),
        Column("task", "task", "which questions"),
        Column("condition", "condition", "what agents read between rounds", words=CONDITIONS),
        _estimate("c", "c", "scale of the correlation between agents"),
        _estimate("beta", "β", "how fast the correlation falls as teams grow"),
        Column("regime", "regime", "by β: ceiling up to 0.1, sublinear above", words=REGIMES),
        Column("flags", "flags", "what to mind when reading a row", notes=FLAGS, show="present"),
        _estimate("beta_free", "β unbounded", _WHY_UNBOUNDED, show="present"),
        _printed("published_c", "c, paper", of="c", interval=("published_c_low", "published_c_high")),
        _printed("published_beta", "β, paper", of="beta", interval=("published_beta_low", "published_beta_high")),
        _printed("published_regime", "regime, paper", words=REGIMES),
        Column("r2", "R²", "of N_eff/N over sizes of two and more; near 1 for poor fits too", decimals=4),
        _printed("published_r2", "R², paper", of="r2"),
        _printed("published_in", "printed in"),
        Column("share_missing", "missing", "replies without an answer", 4, 1, percent=True, show="varying"),
        Column("round", "round", "the one that was fitted", decimals=0, show="varying"),
        Column("sizes", "sizes", "of the teams fitted", show="varying"),
        Column("n_items", "items", "questions behind the fit", decimals=0, show="varying"),
        Column("interval", "intervals", "how they were made", show="varying"),
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return regimes(inputs.read(FITS), published_fits(inputs))


def regimes(fits: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """One row a cell: its Ringelmann fit, the unbounded beta where the bound is active, and the paper's fit.

    Args:
        fits: rows of FITS.
        published: rows of `published_fits`; a cell the paper lacks gets "" in their columns.

    Returns:
        the columns of SPEC, by team, task and condition in the paper's order.
    """
    rows = headline(fits, "ringelmann")
    rows = rows.merge(_unbounded(fits), on=[*CELL, "round"], how="left")
    inside = rows["beta"].between(_BOUND, 1 - _BOUND) | rows["beta"].isna()
    rows.loc[inside, list(_FREE.values())] = float("nan")
    rows = compare(beside(rows, published), {"c": "published_c", "beta": "published_beta", "r2": "published_r2"})
    return rows[SPEC.fields]


_BOUND = 1e-6  # a fit this close to 0 or 1 was held there by the bound
_FREE = {"beta": "beta_free", "beta_low": "beta_free_low", "beta_high": "beta_free_high"}


def _unbounded(fits: pd.DataFrame) -> pd.DataFrame:
    return headline(fits, "ringelmann_free")[[*CELL, "round", *_FREE]].rename(columns=_FREE)
