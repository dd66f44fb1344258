"""What would choosing models by the screen have done for the collapse rate? In sample, beside the paper's."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import point
from headcount.publish.parts import ROUND, SIZE, count
from headcount.publish.screen_cells import heard
from headcount.schema import REORDERINGS, SELECTION
from headcount.schema.screens import COHORT

PAPER = ""
QUESTION = "ledger"
NEEDS = ("screened_models",)
READS = ("selection", "reorderings")
PUBLISHED = ()

SPEC = TableSpec(
    name="screen_selection",
    caption=(
        "Models split at the median flip rate, with their debates pooled: large cohorts of debates weigh most. Matched "
        "pairs are of about the same accuracy at first (5 points apart at most); the lower flip rate wins where it "
        "collapses less. Descriptive: the models that show the association are those it is judged on. For comparison, "
        "of the 14 models of arXiv 2609.35279 those up to the median (53.8 %) collapse in 5.8 %, the others in 9.5 %; "
        "of 11 matched pairs the lower flip rate wins 7, by 4.1 points on average."
    ),
    columns=(
        SIZE,
        point("median_alpha", "median flip rate", "where models are split"),
        point("low", "collapse below", "of models up to it, pooled"),
        point("high", "collapse above", "of the others, pooled"),
        count("matched_pairs", "matched pairs", "of models of like initial accuracy"),
        Column("wins", "wins", "of them, where the lower flip rate collapses less", decimals=0),
        point("mean_difference", "difference", "mean over them: the lower flip rate's collapse minus the higher's"),
        Column("pairs", "pairs", "of models", decimals=0),
        Column("reordered", "reordered", "which flip rate and accuracy put in opposite orders", decimals=0),
        Column("by_screen", "follow the screen", "of them", decimals=0),
        Column("by_accuracy", "follow accuracy", "of them", decimals=0),
        Column("models", "models", "screened and debating", decimals=0),
        Column("families", "families", "of models", decimals=0),
        Column("effective_families", "effective families", "inverse Simpson: 1 / sum of squared shares", 2, 1),
        ROUND,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return screen_selection(inputs.read(SELECTION), inputs.read(REORDERINGS))


def screen_selection(selection: pd.DataFrame, reorderings: pd.DataFrame) -> pd.DataFrame:
    """One row a size.

    Args:
        selection: rows of SELECTION.
        reorderings: rows of REORDERINGS.
    """
    follows = {"reordered": ("alpha", "init_acc", "tied"), "by_screen": ("alpha",), "by_accuracy": ("init_acc",)}
    keys = list(COHORT)
    rows = heard(selection).set_index(keys)
    for name, which in follows.items():
        counted = reorderings[reorderings["follows"].isin(which)].groupby(keys).size()
        rows[name] = counted.reindex(rows.index, fill_value=0)
    return rows.assign(pairs=rows["models"] * (rows["models"] - 1) // 2).reset_index()[SPEC.fields]
