"""Where screen and accuracy rank two models differently, which do collapses follow? Every such pair, tested exactly."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import point
from headcount.publish.parts import ROUND, SIZE
from headcount.publish.screen_cells import at_two_sizes
from headcount.schema import MODEL_ROWS, REORDERINGS
from headcount.schema.screens import COHORT

PAPER = ""
QUESTION = "ledger"
NEEDS = ("screened_models",)
READS = ("reorderings", "model_rows")
PUBLISHED = ()

_FOLLOWS = {"alpha": "the screen", "init_acc": "accuracy", "tied": "neither: tied"}
_SHOWN = ["alpha_tot", "initial_accuracy", "collapse"]

SPEC = TableSpec(
    name="reorder_audit",
    groups=("n",),
    caption=(
        "Pairs of models of which the one that flips more was the more accurate at first: the screen expects it to "
        "collapse more, accuracy expects it of the other. Observed collapse rates decide. Fisher's exact test says "
        "whether the two differ, and Holm's step-down allows for the number of such pairs at a size. For comparison, "
        "of 91 pairs of arXiv 2609.35279 26 were ordered differently: 13 followed the screen, 12 accuracy and 1 tied; "
        "after Holm 8 differ, of which 2 follow the screen."
    ),
    columns=(
        SIZE,
        Column("model", "model", "of the pair"),
        Column("model_other", "other model", "of the pair"),
        Column("follows", "collapses follow", "which of the two orders", words=_FOLLOWS),
        Column("fisher_p", "p", "Fisher's exact test of the two collapse rates, two-sided", 6, 4),
        Column("holm_p", "p, Holm", "corrected for all pairs of the size", 6, 4),
        *(
            point(f"{name}{end}", f"{heading}{', other' if end else ''}", meaning)
            for name, heading, meaning in (
                ("alpha_tot", "flip rate", "of the screen"),
                ("initial_accuracy", "right at first", "of debates"),
                ("collapse", "collapse", "of debates that were right at first"),
            )
            for end in ("", "_other")
        ),
        ROUND,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return reorder_audit(inputs.read(REORDERINGS), inputs.read(MODEL_ROWS))


def reorder_audit(reorderings: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """One row a size and reordered pair, the surest first.

    Args:
        reorderings: rows of REORDERINGS.
        rows: rows of MODEL_ROWS.
    """
    known = rows[[*COHORT, "model", *_SHOWN]]
    other = known.rename(columns={name: f"{name}_other" for name in ("model", *_SHOWN)})
    pairs = at_two_sizes(reorderings).merge(known, on=[*COHORT, "model"]).merge(other, on=[*COHORT, "model_other"])
    return pairs.sort_values([*COHORT, "fisher_p", "model", "model_other"], ignore_index=True)[SPEC.fields]
