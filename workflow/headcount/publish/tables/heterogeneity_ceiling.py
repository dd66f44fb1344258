"""Does a team of several models count for more than one of a single model? The paper's Table 9."""

import pandas as pd

from headcount.publish.cells import CELL, headline, largest, wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import BETA, EFFECTIVE_SIZE, ITEMS, ROUND, SIZE, TASK, TEAM, C, estimate, printed
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES, FITS

PAPER = "table09"
QUESTION = "mix"
NEEDS = ("both_kinds", "debate", "sizes")
READS = ("fits", "estimates")
PUBLISHED = ("table09_heterogeneity_ceiling",)

_PRINTED = {
    "n_eff_answer": "published_n_eff",
    "rho_answer": "published_rho",
    "c": "published_c",
    "beta": "published_beta",
    "ceiling": "published_ceiling",
}

SPEC = TableSpec(
    name="heterogeneity_ceiling",
    groups=("task",),
    caption=(
        "Debating teams of one model and of several, at their largest size. 1/c is a ceiling only where β is 0, and "
        "too high a one where correlation rises with N: the paper's mixed teams of 30 stay well below theirs."
    ),
    columns=(
        TASK,
        TEAM,
        SIZE,
        EFFECTIVE_SIZE,
        printed("published_n_eff", "eff. size, paper", "n_eff_answer"),
        estimate("rho_answer", "ρ", "(N / mean effective size − 1) / (N − 1)", 3),
        printed("published_rho", "ρ, paper", "rho_answer"),
        C,
        printed("published_c", "c, paper", "c"),
        BETA,
        printed("published_beta", "β, paper", "beta"),
        Column("ceiling", "1/c", "voters that no team can exceed if β is 0", 4, 2),
        printed("published_ceiling", "1/c, paper", "ceiling"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return ceilings(inputs.read(FITS), inputs.read(ESTIMATES), inputs.printed("table09_heterogeneity_ceiling"))


def ceilings(fits: pd.DataFrame, estimates: pd.DataFrame, table9: pd.DataFrame) -> pd.DataFrame:
    """One row a task and team that debated.

    Args:
        fits: rows of FITS.
        estimates: rows of ESTIMATES.
        table9: as printed.
    """
    law = headline(fits, "ringelmann")[[*CELL, *(f"{p}{end}" for p in ("c", "beta") for end in ("", "_low", "_high"))]]
    rows = largest(wide(estimates, ["n_eff_answer", "rho_answer"])).merge(law, on=CELL)
    rows = rows[rows["condition"] == "debate"].sort_values(["task", "team"], ignore_index=True)
    rows["ceiling"] = (1 / rows["c"]).where(rows["c"] > 0)
    names = {"model": "team", "n_eff_ans": "published_n_eff", "rho_eff_ans": "published_rho", "c": "published_c"}
    names |= {"beta": "published_beta", "ceiling_1_over_c": "published_ceiling"}
    paper = table9.rename(columns=names)[[*CELL, "n", *_PRINTED.values()]]
    return compare(beside(rows, paper, [*CELL, "n"]), _PRINTED)[SPEC.fields]
