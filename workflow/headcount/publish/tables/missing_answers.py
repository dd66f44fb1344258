"""How much hangs on replies without an answer? The largest team of each cell under other readings of them."""

import pandas as pd

from headcount.publish.cells import largest, wide
from headcount.publish.columns import TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, EFFECTIVE_SIZE, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, share
from headcount.schema import ESTIMATES

PAPER = ""
QUESTION = "scope"
NEEDS = ()
READS = ("estimates",)
PUBLISHED = ()

SPEC = TableSpec(
    name="missing_answers",
    groups=("team", "task"),
    caption=(
        "Replies without an answer, and what they do to the effective size of the largest team. Here a missing answer "
        "is no vote: entropy is over the valid answers, and efficiency divides by all N agents. If each missing "
        "answer were an answer of its own, or all of a team's were one and the same, the effective size would be the "
        "ones beside it."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        share("missing", "missing", "replies without an answer"),
        EFFECTIVE_SIZE,
        estimate("n_eff_missing_own", "each its own", "effective size if each missing answer were one of its own"),
        estimate("n_eff_missing_one", "all one", "effective size if all missing answers of a team were the same"),
        estimate("r", "efficiency", "effective size / N", 3),
        estimate("r_over_valid", "over valid", "mean of effective size / valid answers: too high where some miss", 3),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return missing_answers(inputs.read(ESTIMATES))


def missing_answers(estimates: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, at its largest size.

    Args:
        estimates: rows of ESTIMATES.
    """
    quantities = ["missing", "n_eff_answer", "n_eff_missing_own", "n_eff_missing_one", "r_over_valid"]
    rows = largest(wide(estimates[estimates["subsets"] == "first"], quantities))
    for end in ("", "_low", "_high"):
        rows[f"r{end}"] = rows[f"n_eff_answer{end}"] / rows["n"]
    return rows[SPEC.fields]
