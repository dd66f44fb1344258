"""Which law fits best? Ringelmann's beside the other forms, by fit, by criterion, and by sizes left out."""

import pandas as pd

from headcount.publish.cells import CELL, headline
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, FLAGGED, ROUND, TASK, TEAM, estimate
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
        "Every law fitted to the answer-level effective sizes of each cell. Choose by the error at sizes left out and "
        "by Q + 2 × parameters, which knows how the items make sizes err together. R² is near 1 for poor fits too, and "
        "AICc and BIC only describe, since the points of a curve share items and agents and are far from independent."
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
        Column("q", "Q", "misfit in the metric of the items' covariance", 4, 1),
        Column("q_p", "p", "of Q if the law holds, by Hotelling's F", 4, 3),
        Column("q_plus_2k", "Q + 2k", "Q plus twice the number of parameters", 4, 1),
        Column("rmse_n_eff", "RMSE", "of the effective size, in agents", 4, 3),
        Column("r2", "R²", "of N_eff/N", 4),
        Column("aicc", "AICc", "descriptive: points are correlated", 2, 1),
        Column("bic", "BIC", "descriptive: points are correlated", 2, 1),
        Column("fitted", "parameters", "estimates, to four digits"),
        FLAGGED,
        estimate("rho_10", "ρ(10)", "correlation that it gives a team of ten"),
        estimate("n_eff_30", "N_eff(30)", "effective size that it gives a team of thirty"),
        Column("q_df", "df", "sizes less parameters that are free", 0),
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
    rows["q_plus_2k"] = rows["q"] + 2 * rows["parameters"].map(len)
    return rows.sort_values([*CELL[:2], "_condition", "_law"], ignore_index=True)[SPEC.fields]


def _fitted(rows: pd.DataFrame) -> list[list[str]]:
    """Parameters that have a value, by name: c = 0.85, beta = 0."""
    told = [zip(*pair, strict=True) for pair in zip(rows["parameters"], rows["values"], strict=True)]
    return [[f"{name} = {value:z.4g}" for name, value in pairs if pd.notna(value)] for pairs in told]
