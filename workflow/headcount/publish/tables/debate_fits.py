"""Do debating teams fall where the framework says? The paper's Table 12, in its groups."""

import pandas as pd

from headcount.publish.cells import CELL
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import BETA, FLAGGED, ITEMS, REGIME, ROUND, TASK, TEAM, C, estimate, printed
from headcount.publish.published import beside, compare
from headcount.publish.tables.all_fits import fits_and_sizes, published_sizes
from headcount.schema import ESTIMATES, FITS

PAPER = "table12"
QUESTION = "size"
NEEDS = ("debate", "sizes")
READS = ("fits", "estimates")
PUBLISHED = ("table12_debate_fits_by_prediction",)

GROUPS = {
    "mcqa_hard_ceiling": "few options: a hard ceiling is predicted",
    "free_form_regime": "free answers: the ceiling depends on talk",
    "scale_or_paradigm": "larger or closed models",
    "thinking": "a thinking or a frontier model",
    "": "not in the paper's table",
}
_PRINTED = {"c": "published_c", "beta": "published_beta", "r2": "published_r2", "n_eff_answer": "published_n_eff"}

SPEC = TableSpec(
    name="debate_fits",
    groups=("prediction_group",),
    caption=(
        "Ringelmann fits of debating teams, grouped by the prediction that the paper tests with each. A regime label "
        "is not evidence of conformity: four options push agents who never talk towards a ceiling."
    ),
    columns=(
        Column("prediction_group", "prediction", "which the paper tests with this cell", words=GROUPS),
        TEAM,
        TASK,
        C,
        printed("published_c", "c, paper", "c"),
        BETA,
        printed("published_beta", "β, paper", "beta"),
        REGIME,
        FLAGGED,
        Column("r2", "R²", "of N_eff/N over sizes of two and more", 4),
        printed("published_r2", "R², paper", "r2"),
        Column("n", "largest N", "of the teams run", decimals=0, show="varying"),
        estimate("n_eff_answer", "effective size", "seen at the largest N, in agents"),
        printed("published_n_eff", "eff. size, paper", "n_eff_answer"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    rows = fits_and_sizes(inputs.read(FITS), inputs.read(ESTIMATES))
    return debate_fits(rows, inputs.printed("table12_debate_fits_by_prediction"))


def debate_fits(rows: pd.DataFrame, table12: pd.DataFrame) -> pd.DataFrame:
    """The cells that debate, in the paper's groups.

    Args:
        rows: one a cell, as of `all_fits.fits_and_sizes`.
        table12: as printed.
    """
    names = {"model": "team", "c": "published_c", "beta": "published_beta", "r2": "published_r2"}
    paper = table12.rename(columns=names)[[*CELL, "prediction_group", "published_c", "published_beta", "published_r2"]]
    rows = beside(rows[rows["condition"] == "debate"], paper)
    rows = beside(rows, published_sizes(table12), [*CELL, "n"])
    rows = rows.assign(_group=rows["prediction_group"].map(list(GROUPS).index)).sort_values(["_group", *CELL])
    return compare(rows.reset_index(drop=True), _PRINTED)[SPEC.fields]
