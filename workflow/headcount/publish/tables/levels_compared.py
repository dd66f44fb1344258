"""Does the regime depend on what is counted, answers or right answers? The paper's Table 5, and two levels more."""

import pandas as pd

from headcount.publish.cells import CELL, headline
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import BETA, CONDITION, FLAGGED, ITEMS, REGIME, ROUND, TASK, TEAM, C, printed
from headcount.publish.published import beside, compare
from headcount.publish.words import CONDITIONS, LEVELS
from headcount.schema import FITS

PAPER = "table05"
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("fits",)
PUBLISHED = ("table05_correctness_vs_answer_fits",)

SPEC = TableSpec(
    name="levels_compared",
    groups=("team", "task"),
    caption=(
        "The Ringelmann law fitted to effective sizes at each level: answers (2 to the entropy), pair agreement (mean "
        "of items, and pooled over them), and correctness (Kish's formula on the intraclass correlation of being "
        "right)."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        Column("level", "level", "what is counted", words=LEVELS),
        C,
        printed("published_c", "c, paper", "c"),
        BETA,
        printed("published_beta", "β, paper", "beta"),
        REGIME,
        FLAGGED,
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return levels_compared(inputs.read(FITS), inputs.printed("table05_correctness_vs_answer_fits"))


def levels_compared(fits: pd.DataFrame, table5: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and level.

    Args:
        fits: rows of FITS.
        table5: as printed; it has the levels answer and correctness.
    """
    rows = pd.concat([headline(fits, "ringelmann", level) for level in LEVELS])
    rows["_condition"] = rows["condition"].map(list(CONDITIONS).index)
    rows["_level"] = rows["level"].map(list(LEVELS).index)
    rows = rows.sort_values(["team", "task", "_condition", "_level"])
    paper = table5.rename(columns={"model": "team", "c": "published_c", "beta": "published_beta"})
    paper = paper[[*CELL, "level", "published_c", "published_beta"]]
    rows = beside(rows.reset_index(drop=True), paper, [*CELL, "level"])
    return compare(rows, {"c": "published_c", "beta": "published_beta"})[SPEC.fields]
