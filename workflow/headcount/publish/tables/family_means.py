"""Do families that flip more collapse more? Unweighted means and medians of their models, beside the paper's."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import point
from headcount.publish.parts import ROUND, SIZE
from headcount.publish.screen_cells import FAMILY, SOURCE, below, heard, published_rows
from headcount.schema import MODEL_ROWS

PAPER = ""
QUESTION = "ledger"
NEEDS = ("screened_models",)
READS = ("model_rows",)
PUBLISHED = ("ledger/n14_rows",)

_KEYS = ["source", "n", "round", "family"]
_MEASURED = ["alpha_tot", "collapse", "initial_accuracy", "correction", "final_accuracy"]

SPEC = TableSpec(
    name="family_means",
    groups=("source",),
    caption=(
        "Models of one family are not independent, so families are the rows of the primary test: each is the mean of "
        "its models, all of one weight, whatever they were asked. Collapse is of debates that were right at first, in "
        "teams of one model. The paper's rows are panels of three of other models on other questions, as published: "
        "six of its 14 models were judged a round later than the others, and the flip rates are of two definitions."
    ),
    columns=(
        SOURCE,
        SIZE,
        FAMILY,
        Column("models", "models", "of the family", decimals=0),
        point("alpha_tot", "flip rate", "mean over models"),
        point("collapse", "collapse", "mean over models"),
        point("initial_accuracy", "right at first", "mean over models"),
        point("correction", "correction", "mean over models"),
        point("final_accuracy", "right at the end", "mean over models"),
        point("alpha_tot_median", "flip rate, median", "over models"),
        point("collapse_median", "collapse, median", "over models"),
        point("initial_accuracy_median", "right at first, median", "over models"),
        ROUND,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return family_means(inputs.read(MODEL_ROWS), *(inputs.printed(name) for name in PUBLISHED))


def family_means(rows: pd.DataFrame, n14: pd.DataFrame) -> pd.DataFrame:
    """One row a size and family, then the paper's families.

    Args:
        rows: rows of MODEL_ROWS.
        n14: n14_rows.csv, as printed.
    """
    both = below(heard(rows), published_rows(n14)).assign(_paper=lambda r: r["source"] != "run")
    groups = both.groupby(["_paper", *_KEYS], dropna=False)
    table = groups[_MEASURED].mean().join(groups[_MEASURED].median().add_suffix("_median"))
    return table.assign(models=groups.size(), simulated=groups["simulated"].any()).reset_index()[SPEC.fields]
