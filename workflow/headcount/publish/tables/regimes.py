"""Does a team's effective size hit a ceiling as the team grows? Our reading, the paper's way, and its Table 1."""

from typing import Any

import pandas as pd

from headcount.laws.flags import FLAGS
from headcount.publish.cells import CELL, headline, recommended
from headcount.publish.columns import OUTSIDE, Column, Printed, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.published import beside, compare, published_fits
from headcount.publish.words import CONDITIONS, REGIMES, SUBSETS
from headcount.schema import FITS

PAPER = "table01"
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("fits",)
PUBLISHED = ("table01_regimes", "table11_master_fits")


def _estimate(field: str, heading: str, meaning: str) -> Column:
    ends = (f"{field}_low", f"{field}_high")
    return Column(field, heading, f"{meaning} [interval]", 4, 2, interval=ends)


def _printed(field: str, heading: str, **more: Any) -> Printed:
    return Printed(field, heading, f"as printed (ours the same way minus it);{OUTSIDE} outside our interval", **more)


SPEC = TableSpec(
    name="regimes",
    groups=("team", "task"),
    caption=(
        "Regime of each cell by the Ringelmann law, N_eff/N = 1/(1 + c (N − 1) N⁻ᵝ), after the last round. First our "
        "reading: agreement of pairs, pooled over items, at which agents who never talk have β = 0; β may be negative; "
        "a regime is named where the whole interval of β lies on one side of 0.1. Then the paper's way, from the "
        "entropy of answers, with β held between 0 and 1, its bootstrap and the label of the point. Small c: agents "
        "count as nearly independent voters. β = 0: no team is worth more than 1/c voters; below 0 the correlation "
        "rises with N."
    ),
    columns=(
        Column("team", "team", "who answers", show="varying"),
        Column("task", "task", "which questions"),
        Column("condition", "condition", "what agents read between rounds", words=CONDITIONS),
        _estimate("c", "c", "scale of the correlation between agents"),
        _estimate("beta", "β", "how fast the correlation falls as teams grow"),
        Column("regime", "regime", "by the interval of β: ceiling up to 0.1, sublinear above", words=REGIMES),
        Column("flags", "flags", "what to mind when reading either fit of a row", notes=FLAGS, show="present"),
        _estimate("c_paper", "c by entropy", "the paper's way: from the entropy of answers, β in [0, 1]"),
        _estimate("beta_paper", "β by entropy", "the same"),
        Column("regime_paper", "regime by entropy", "by the point of that β", words=REGIMES),
        _printed("published_c", "c, paper", of="c_paper", interval=("published_c_low", "published_c_high")),
        _printed("published_beta", "β, paper", of="beta_paper", interval=("published_beta_low", "published_beta_high")),
        _printed("published_regime", "regime, paper", words=REGIMES),
        Column("r2", "R²", "of the fit by entropy, over sizes of two and more; near 1 for poor fits too", decimals=4),
        _printed("published_r2", "R², paper", of="r2"),
        _printed("published_in", "printed in"),
        Column("share_missing", "missing", "replies without an answer", 4, 1, percent=True, show="varying"),
        Column("round", "round", "the one that was fitted", decimals=0, show="varying"),
        Column("sizes", "sizes", "of the teams fitted", show="varying"),
        Column("n_items", "items", "questions behind the fit", decimals=0, show="varying"),
        Column("subsets", "teams", "whose numbers our reading fits", words=SUBSETS, show="varying"),
        Column("interval", "intervals", "how ours were made", show="varying"),
        Column("interval_paper", "intervals by entropy", "how those were made", show="varying"),
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return regimes(inputs.read(FITS), published_fits(inputs))


def regimes(fits: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """One row a cell: the fit that we recommend, the paper's way, and the paper's fit.

    Args:
        fits: rows of FITS.
        published: rows of `published_fits`; a cell the paper lacks gets "" in their columns.

    Returns:
        the columns of SPEC, by team, task and condition in the paper's order.
    """
    theirs = headline(fits, "ringelmann")
    theirs = theirs[[*CELL, "r2", *_THEIRS]].rename(columns={name: f"{name}_paper" for name in _THEIRS})
    theirs = theirs.rename(columns=_ENDS)
    rows = recommended(fits).drop(columns="r2").merge(theirs, on=CELL)
    rows["flags"] = [sorted({*ours, *paper}) for ours, paper in zip(rows["flags"], rows["flags_paper"], strict=True)]
    compared = {"c_paper": "published_c", "beta_paper": "published_beta", "r2": "published_r2"}
    return compare(beside(rows, published), compared)[SPEC.fields]


_THEIRS = ["c", "c_low", "c_high", "beta", "beta_low", "beta_high", "regime", "flags", "interval"]
_ENDS = {f"{name}_{end}_paper": f"{name}_paper_{end}" for name in ("c", "beta") for end in ("low", "high")}
