"""How many different answers does the largest team give? The paper's Table 8, with it beside."""

import pandas as pd

from headcount.publish.cells import CELL, largest, wide
from headcount.publish.columns import TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import (
    CONDITION,
    EFFECTIVE_SIZE,
    ITEMS,
    ROUND,
    SIZE,
    TASK,
    TEAM,
    estimate,
    printed,
    share,
)
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES

PAPER = "table08"
QUESTION = "size"
NEEDS = ("updates",)
READS = ("estimates",)
PUBLISHED = ("table08_diversity_n30",)

_QUANTITIES = ("n_eff_answer", "rho_answer", "agreement", "unanimous", "unanimous_wrong")
_PRINTED = {
    "n_eff_answer": "published_n_eff",
    "rho_answer": "published_rho",
    "agreement": "published_agreement",
    "unanimous": "published_unanimous",
    "unanimous_wrong": "published_unanimous_wrong",
}

SPEC = TableSpec(
    name="diversity",
    groups=("team", "task"),
    caption=(
        "Diversity of the largest team of each cell after the last round. Effective size 2ᴴ counts answers, pair "
        "agreement counts equal pairs; ρ is what Kish's formula makes of the mean effective size."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        EFFECTIVE_SIZE,
        printed("published_n_eff", "eff. size, paper", "n_eff_answer"),
        estimate("rho_answer", "ρ", "(N / mean effective size − 1) / (N − 1)", 3),
        printed("published_rho", "ρ, paper", "rho_answer"),
        estimate("agreement", "pair agreement", "share of pairs of agents who give the same answer", 3),
        printed("published_agreement", "agreement, paper", "agreement"),
        share("unanimous", "unanimous", "items on which all valid answers are equal", 0),
        printed("published_unanimous", "unan. %, paper", "unanimous"),
        share("unanimous_wrong", "unanimous and wrong", "items on which all agree on a wrong answer", 0),
        printed("published_unanimous_wrong", "unan. wrong %, paper", "unanimous_wrong"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return diversity(inputs.read(ESTIMATES), inputs.printed("table08_diversity_n30"))


def diversity(estimates: pd.DataFrame, table8: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, at its largest size; the paper's stand beside those of 30 agents alone.

    Args:
        estimates: rows of ESTIMATES.
        table8: as printed.
    """
    rows = largest(wide(estimates, _QUANTITIES))
    rows = beside(rows, _published(table8), [*CELL, "n"])
    return compare(rows, _PRINTED, percent=("unanimous", "unanimous_wrong"))[SPEC.fields]


def _published(table8: pd.DataFrame) -> pd.DataFrame:
    names = {
        "model": "team",
        "n_eff_ans": "published_n_eff",
        "rho_eff_ans": "published_rho",
        "rho_pairwise": "published_agreement",
        "pct_unanimous": "published_unanimous",
        "pct_unanimous_wrong": "published_unanimous_wrong",
    }
    return table8.rename(columns=names)[[*CELL, "n", *_PRINTED.values()]]
