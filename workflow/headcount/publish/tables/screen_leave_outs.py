"""Who carries the association of screen and collapse? The correlation without each family, and without each model."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import ROUND, SIZE, count
from headcount.publish.screen_cells import FLAGGED, at_two_sizes
from headcount.publish.tables.screen_associations import LEVELS, held_fixed
from headcount.schema import ASSOCIATIONS
from headcount.schema.screens import COHORT

PAPER = ""
QUESTION = "ledger"
NEEDS = ("screened_models",)
READS = ("associations",)
PUBLISHED = ()

_LEAVING = {"": "nobody", "family": "family", "model": "model"}

SPEC = TableSpec(
    name="screen_leave_outs",
    groups=("n", "level", "controls"),
    caption=(
        "Spearman's correlation of flip rate and collapse without one family or one model at a time, of means of "
        "families and of models; and of families with initial accuracy held fixed. The first row of each is of all. "
        "The spread says who carries the association. It is not an interval. A model that is all of its family is left "
        "out of the means once, as the family."
    ),
    columns=(
        SIZE,
        Column("level", "rows", "what is correlated", words=LEVELS),
        Column("controls", "held fixed", "by rank", show="present"),
        Column("leaving", "left out", "a family or a model", words=_LEAVING),
        Column("left_out", "which", "its name", show="present"),
        Column("rho", "ρ", "Spearman's correlation, or the partial", 4, 3),
        Column("p_two_sided", "p", "by permutation, two-sided", 6, 4),
        count("as_extreme", "as extreme", "arrangements, the observed one among them"),
        count("arrangements", "arrangements", "looked at"),
        count("units", "rows in it", "families or models"),
        ROUND,
        FLAGGED,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return screen_leave_outs(inputs.read(ASSOCIATIONS))


def screen_leave_outs(associations: pd.DataFrame) -> pd.DataFrame:
    """One row a size, level and name that is left out.

    Args:
        associations: rows of ASSOCIATIONS.
    """
    rows = at_two_sizes(associations)
    rows = rows[(rows["predictor"] == "alpha_tot") & (rows["outcome"] == "collapse")]
    keys = [*COHORT, "level", "controls"]
    tried = rows[rows["left_out"] != ""].drop_duplicates(keys)[keys]
    rows = rows.merge(tried, on=keys)
    rows = rows.assign(_level=rows["level"].map(list(LEVELS).index).astype(int), controls=held_fixed(rows["controls"]))
    return rows.sort_values([*COHORT, "_level", "controls", "leaving", "left_out"], ignore_index=True)[SPEC.fields]
