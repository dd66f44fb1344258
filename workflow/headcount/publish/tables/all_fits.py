"""Every cell's fit in one table, and how far it misses the largest team. The paper's Table 11."""

import pandas as pd

from headcount.laws.forms import ringelmann
from headcount.publish.cells import CELL, headline, largest, wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import BETA, CONDITION, FLAGGED, ITEMS, REGIME, ROUND, TASK, TEAM, C, estimate, printed
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES, FITS

PAPER = "table11"
QUESTION = "size"
NEEDS = ("sizes",)
READS = ("fits", "estimates")
PUBLISHED = ("table11_master_fits",)

_PRINTED = {"c": "published_c", "beta": "published_beta", "n_eff_answer": "published_n_eff"}

SPEC = TableSpec(
    name="all_fits",
    groups=("team", "task"),
    caption=(
        "All Ringelmann fits of the run at answer level. The gap is how far the fitted curve lies above the effective "
        "size seen at the largest N: R² near 1 hides gaps of tens of per cent there."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        C,
        printed("published_c", "c, paper", "c"),
        BETA,
        printed("published_beta", "β, paper", "beta"),
        REGIME,
        FLAGGED,
        Column("n", "largest N", "of the teams run", decimals=0, show="varying"),
        estimate("n_eff_answer", "effective size", "seen at the largest N, in agents"),
        printed("published_n_eff", "eff. size, paper", "n_eff_answer"),
        Column("n_eff_fitted", "fitted size", "what the law says there", 4, 2),
        Column("gap", "gap", "(fitted − seen) / seen", 4, 1, percent=True),
        Column("r2", "R²", "of N_eff/N over sizes of two and more", 4),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return all_fits(inputs.read(FITS), inputs.read(ESTIMATES), inputs.printed("table11_master_fits"))


def all_fits(fits: pd.DataFrame, estimates: pd.DataFrame, table11: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, with the paper's fit beside it.

    Args:
        fits: rows of FITS.
        estimates: rows of ESTIMATES.
        table11: as printed.
    """
    names = {"model": "team", "c": "published_c", "beta": "published_beta"}
    rows = beside(
        fits_and_sizes(fits, estimates), table11.rename(columns=names)[[*CELL, "published_c", "published_beta"]]
    )
    return compare(beside(rows, published_sizes(table11), [*CELL, "n"]), _PRINTED)[SPEC.fields]


def fits_and_sizes(fits: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """One row a cell: its fit, and what was seen and fitted at its largest size."""
    seen = ["n", "n_eff_answer", "n_eff_answer_low", "n_eff_answer_high"]
    rows = headline(fits, "ringelmann").merge(largest(wide(estimates, ["n_eff_answer"]))[[*CELL, *seen]], on=CELL)
    rows["n_eff_fitted"] = rows["n"] * ringelmann(rows["n"].to_numpy(), rows["c"].to_numpy(), rows["beta"].to_numpy())
    rows["gap"] = rows["n_eff_fitted"] / rows["n_eff_answer"] - 1
    return rows


def published_sizes(table: pd.DataFrame) -> pd.DataFrame:
    """The printed effective size of each cell's largest team, by that team's n: it may be another than ours."""
    names = {"model": "team", "n_largest": "n", "n_eff_observed": "published_n_eff"}
    return table.rename(columns=names)[[*CELL, "n", "published_n_eff"]]
