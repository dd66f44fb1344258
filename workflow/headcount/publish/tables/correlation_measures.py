"""Is c a correlation? The law's parameter beside three correlations at the largest size. The paper's Table 4."""

import pandas as pd

from headcount.publish.cells import CELL, headline, largest, wide
from headcount.publish.columns import TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES, FITS

PAPER = "table04"
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("fits", "estimates")
PUBLISHED = ("table04_rho_measures",)

_PRINTED = {
    "c": "published_c",
    "rho_answer": "published_rho_answer",
    "icc": "published_icc",
    "agreement": "published_agreement",
}

SPEC = TableSpec(
    name="correlation_measures",
    groups=("team", "task"),
    caption=(
        "The fitted c beside three correlations at the largest team size. If beta is 0, c is the correlation that the "
        "answer-level sizes imply; agreement and the correctness ICC measure other things, and need not equal it."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        estimate("c", "c", "of the Ringelmann law at answer level"),
        printed("published_c", "c, paper", "c"),
        estimate("rho_answer", "ρ of answers", "that Kish's formula makes of the mean effective size"),
        printed("published_rho_answer", "ρ of answers, paper", "rho_answer"),
        estimate("icc", "ρ of correctness", "intraclass correlation of being right, over pairs of agents on an item"),
        printed("published_icc", "ρ of correctness, paper", "icc"),
        estimate("agreement", "pair agreement", "share of pairs of agents who give the same answer"),
        printed("published_agreement", "agreement, paper", "agreement"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return correlations(inputs.read(FITS), inputs.read(ESTIMATES), inputs.printed("table04_rho_measures"))


def correlations(fits: pd.DataFrame, estimates: pd.DataFrame, table4: pd.DataFrame) -> pd.DataFrame:
    """One row a cell that has a fit: its c, and the correlations of its largest team.

    Args:
        fits: rows of FITS.
        estimates: rows of ESTIMATES.
        table4: as printed.
    """
    law = headline(fits, "ringelmann")[[*CELL, "c", "c_low", "c_high"]]
    rows = largest(wide(estimates, ["rho_answer", "icc", "agreement"])).merge(law, on=CELL)
    names = {"model": "team", "c": "published_c", "rho_eff_ans": "published_rho_answer"}
    names |= {"rho_icc_corr": "published_icc", "rho_pairwise": "published_agreement"}
    paper = table4.rename(columns=names)[[*CELL, "n", *_PRINTED.values()]]
    return compare(beside(rows, paper, [*CELL, "n"]), _PRINTED)[SPEC.fields]
