"""Which law fits best? Ringelmann's beside the other forms, by fit, by criterion, and by sizes left out."""

import pandas as pd

from headcount.publish.cells import CELL, headline
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, FLAGGED, ROUND, TASK, TEAM
from headcount.publish.words import CONDITIONS, LAWS
from headcount.schema import RIVALS

PAPER = ""
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("rivals",)
PUBLISHED = ()

SPEC = TableSpec(
    name="rival_laws",
    groups=("team", "task", "condition"),
    caption=(
        "Every law fitted to the answer-level effective sizes of each cell. Choose by the error at sizes left out: R² "
        "is near 1 for poor fits too, and AICc and BIC only describe, since the points of a curve share items and "
        "agents and are far from independent."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        Column("law", "law", "the form fitted to sizes of two and more", words=LAWS),
        Column(
            "left_out_error",
            "error left out",
            "mean of |predicted − seen| / seen of the effective size, as each size is left out in turn",
            4,
            1,
            percent=True,
        ),
        Column("rmse_n_eff", "RMSE", "of the effective size, in agents", 4, 3),
        Column("r2", "R²", "of N_eff/N", 4),
        Column("aicc", "AICc", "descriptive: points are correlated", 2, 1),
        Column("bic", "BIC", "descriptive: points are correlated", 2, 1),
        Column("fitted", "parameters", "estimates, to four digits"),
        FLAGGED,
        Column("r2_with_one", "R² with N = 1", "the same with that size, where it is 1 by definition", 4),
        Column("sizes", "sizes", "of the teams fitted", show="varying"),
        ROUND,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return rival_laws(inputs.read(RIVALS))


def rival_laws(rivals: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and law, in the order of `words.LAWS`.

    Args:
        rivals: rows of RIVALS.
    """
    rows = pd.concat([headline(rivals, law).assign(_law=place) for place, law in enumerate(LAWS)])
    rows = rows.assign(_condition=rows["condition"].map(list(CONDITIONS).index))
    rows["fitted"] = _fitted(rows)
    return rows.sort_values([*CELL[:2], "_condition", "_law"], ignore_index=True)[SPEC.fields]


def _fitted(rows: pd.DataFrame) -> list[list[str]]:
    """Parameters that have a value, by name: c = 0.85, beta = 0."""
    told = [zip(*pair, strict=True) for pair in zip(rows["parameters"], rows["values"], strict=True)]
    return [[f"{name} = {value:z.4g}" for name, value in pairs if pd.notna(value)] for pairs in told]
