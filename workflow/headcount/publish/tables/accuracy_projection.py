"""Can a pilot predict a big team's accuracy? The normal approximation to the vote, the paper's Table 18."""

import pandas as pd

from headcount.publish.cells import CELL, largest
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, SIZE, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.publish.tables.held_out_audit import headline_series
from headcount.schema import PROJECTIONS

PAPER = "table18"
QUESTION = "pilot"
NEEDS = ("held_out", "updates")
READS = ("projections",)
PUBLISHED = ("table18_accuracy_projection",)

_PRINTED = {
    "rho": "published_rho",
    "predicted": "published_predicted",
    "observed": "published_observed",
    "mean_error": "published_mean_error",
    "max_error": "published_max_error",
}

SPEC = TableSpec(
    name="accuracy_projection",
    groups=("team", "task"),
    caption=(
        "Team accuracy at the largest size, predicted from a pilot by Φ((p − ½) / √(p (1 − p) / N_eff)), with N_eff "
        "of Kish's formula. p is the accuracy of the pilot's agents after their last revision: the paper's text says "
        "that of first answers, from which its printed numbers do not follow. Predictions from those stand apart. The "
        "beta-binomial vote has the same p and ρ and takes no normal limit."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        estimate("predicted", "predicted", "accuracy, from p after revision", 3),
        printed("published_predicted", "predicted, paper", "predicted"),
        Column("observed", "seen", "accuracy of the team", 4, 3),
        printed("published_observed", "seen, paper", "observed"),
        Column("mean_error", "mean error", "|predicted − seen| over held-out sizes, in points", 4, 1, percent=True),
        printed("published_mean_error", "mean error, paper", "mean_error"),
        Column("max_error", "largest error", "over held-out sizes, in points", 4, 1, percent=True),
        printed("published_max_error", "largest error, paper", "max_error"),
        Column("predicted_beta_binomial", "beta-binomial", "accuracy predicted where items differ in difficulty", 4, 3),
        Column("predicted_from_solo", "from solo", "accuracy predicted from first answers", 4, 3),
        Column("rho", "ρ", "constant correlation fitted to the pilot", 4, 3),
        printed("published_rho", "ρ, paper", "rho"),
        Column("pilot", "pilot sizes", "fitted", show="varying"),
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return projection(inputs.read(PROJECTIONS), inputs.printed("table18_accuracy_projection"))


def projection(projections: pd.DataFrame, table18: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, at its largest held-out size, with errors over all held-out sizes.

    Args:
        projections: rows of PROJECTIONS.
        table18: as printed.
    """
    rows = headline_series(projections[projections["observed"].notna()].assign(subsets="first"))
    rows = rows[rows["held_out"]]
    error = (rows["predicted"] - rows["observed"]).abs().groupby([rows[key] for key in CELL])
    rows = largest(rows.assign(mean_error=error.transform("mean"), max_error=error.transform("max")))
    names = {"model": "team", "rho_calibrated": "published_rho", "predicted_accuracy": "published_predicted"}
    names |= {"observed_accuracy": "published_observed", "mean_err_pp": "published_mean_error"}
    paper = table18.rename(columns=names | {"max_err_pp": "published_max_error"})
    rows = beside(rows, paper[[*CELL, "n", *_PRINTED.values()]], [*CELL, "n"])
    return compare(rows, _PRINTED, percent=["mean_error", "max_error"])[SPEC.fields]
