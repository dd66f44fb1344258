"""Do agents err together because items are hard, or because they talk? The paper's Table 6, and what it is worth."""

import pandas as pd

from headcount.publish.cells import CELL, largest, wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES

PAPER = "table06"
QUESTION = "talk"
NEEDS = ("updates",)
READS = ("estimates",)
PUBLISHED = ("table06_conditioned_icc",)

_NOTES = {"above_one": "The conditioned value exceeds 1: more pairs are right in the end than agents were at first."}
_PRINTED = {"icc_first": "published_first", "icc": "published_last", "icc_conditioned": "published_conditioned"}

SPEC = TableSpec(
    name="conditioned_icc",
    groups=("team", "task"),
    caption=(
        "Intraclass correlation of being right in the largest team, before and after revision, and two readings of "
        "what revision adds. The paper's reading conditions on each item's round-1 accuracy; it is −1/(N − 1) where "
        "nothing changed, can exceed 1, and is high for independent agents who merely improve. Ours compares each "
        "item's pairs with those of round 1. Pairs: share of pairs of agents who are both right."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        estimate("icc_first", "ICC, round 1", "of the same teams before anybody spoke", 3),
        printed("published_first", "round 1, paper", "icc_first"),
        estimate("icc", "ICC, last round", "after the last revision", 3),
        printed("published_last", "last round, paper", "icc"),
        estimate("icc_conditioned", "conditioned", "mean(pairs − p₁²) / mean(p₁ (1 − p₁)), p₁ of round 1", 3),
        printed("published_conditioned", "conditioned, paper", "icc_conditioned"),
        estimate("icc_change", "added by revision", "mean(pairs − pairs in round 1) / mean(p₁ − pairs in round 1)", 3),
        Column("flags", "flags", "what to mind when reading a row", notes=_NOTES, show="present"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return conditioned(inputs.read(ESTIMATES), inputs.printed("table06_conditioned_icc"))


def conditioned(estimates: pd.DataFrame, table6: pd.DataFrame) -> pd.DataFrame:
    """One row a cell that revised, at its largest size.

    Args:
        estimates: rows of ESTIMATES.
        table6: as printed.
    """
    rows = largest(wide(estimates, ["icc_first", "icc", "icc_conditioned", "icc_change"]))
    rows = rows[rows["round"] > 1].reset_index(drop=True)
    rows["flags"] = [["above_one"] if value > 1 else [] for value in rows["icc_conditioned"]]
    names = {"model": "team", "rho_r1": "published_first", "rho_r3": "published_last"}
    paper = table6.rename(columns=names | {"rho_cond_corr": "published_conditioned"})
    rows = beside(rows, paper[[*CELL, "n", *_PRINTED.values()]], [*CELL, "n"])
    return compare(rows, _PRINTED)[SPEC.fields]
