"""Does a model that thinks before it answers leave its team more voices? The paper's Table 19."""

import pandas as pd

from headcount.publish.cells import CELL, headline, wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, EFFECTIVE_SIZE, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.publish.tables.summary import solo_accuracy
from headcount.schema import ESTIMATES, FITS

PAPER = "table19"
QUESTION = "mix"
NEEDS = ("thinking", "sizes")
READS = ("fits", "estimates")
PUBLISHED = ("table19_thinking",)

_SIZE = 5
_PRINTED = {
    "solo": "published_solo",
    "agreement": "published_agreement",
    "n_eff_answer": "published_n_eff",
    "c": "published_c",
    "ceiling": "published_ceiling",
}

SPEC = TableSpec(
    name="thinking",
    groups=("task",),
    caption=(
        "Teams of five, of models that think before they answer and of others. Agreement and effective size are on "
        "different scales, as the paper's are: Kish's formula does not turn one into the other."
    ),
    columns=(
        TASK,
        TEAM,
        CONDITION,
        SIZE,
        Column("solo", "alone", "accuracy of one agent's first answer", 4, 3),
        printed("published_solo", "alone, paper", "solo"),
        estimate("agreement", "pair agreement", "share of pairs of agents who give the same answer", 3),
        printed("published_agreement", "agreement, paper", "agreement"),
        EFFECTIVE_SIZE,
        printed("published_n_eff", "eff. size, paper", "n_eff_answer"),
        estimate("c", "c", "of the law fitted to all sizes"),
        printed("published_c", "c, paper", "c"),
        Column("ceiling", "1/c", "voters that no team can exceed if β is 0", 4, 2),
        printed("published_ceiling", "1/c, paper", "ceiling"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return thinking(inputs.read(FITS), inputs.read(ESTIMATES), inputs.printed("table19_thinking"))


def thinking(fits: pd.DataFrame, estimates: pd.DataFrame, table19: pd.DataFrame) -> pd.DataFrame:
    """One row a cell with a team of five, by task.

    Args:
        fits: rows of FITS.
        estimates: rows of ESTIMATES.
        table19: as printed.
    """
    law = headline(fits, "ringelmann")[[*CELL, "c", "c_low", "c_high"]]
    rows = wide(estimates, ["agreement", "n_eff_answer"]).query("n == @_SIZE").merge(law, on=CELL)
    rows = rows.merge(solo_accuracy(estimates), on=["team", "task"], how="left")
    rows["ceiling"] = (1 / rows["c"]).where(rows["c"] > 0)
    names = {"model": "team", "solo_accuracy": "published_solo", "rho_pairwise": "published_agreement"}
    names |= {"n_eff_ans": "published_n_eff", "c": "published_c", "ceiling_1_over_c": "published_ceiling"}
    paper = table19.rename(columns=names)[[*CELL, "n", *_PRINTED.values()]]
    rows = beside(rows.sort_values(["task", "team"], kind="stable", ignore_index=True), paper, [*CELL, "n"])
    return compare(rows, _PRINTED)[SPEC.fields]
