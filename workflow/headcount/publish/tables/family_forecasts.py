"""What would the screen have said of a family that nobody had seen debate? A line through the other families."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import point
from headcount.publish.parts import ROUND, SIZE
from headcount.publish.screen_cells import FAMILY, heard
from headcount.schema import FORECASTS

PAPER = ""
QUESTION = "ledger"
NEEDS = ("screened_models",)
READS = ("forecasts",)
PUBLISHED = ()

SPEC = TableSpec(
    name="family_forecasts",
    groups=("n",),
    caption=(
        "Each family's collapse rate from its flip rate, by least squares through the means of the others, with "
        "t prediction intervals of G − 3 degrees of freedom. They may pass 0, and know nothing of the noise in rates: "
        "the second forecast draws every model's rate from what its counts allow (Jeffreys), and is cut to 0 to 100 %. "
        "With few families the intervals are so wide that the screen says little of a new one. Four families are "
        "needed. Predictions of arXiv 2609.35279 for its seven families: ρ with what was observed .82."
    ),
    columns=(
        SIZE,
        FAMILY,
        Column("models", "models", "of the family", decimals=0),
        point("alpha_tot", "flip rate", "mean over models"),
        point("observed", "observed", "collapse, mean over models"),
        Column("predicted", "predicted", "[80 %]", 4, 1, interval=("low_80", "high_80"), percent=True),
        Column("low_95", "95 % from", "prediction interval", 4, 1, percent=True),
        Column("high_95", "95 % to", "prediction interval", 4, 1, percent=True),
        Column(
            "noisy_median",
            "with noise",
            "median over drawn rates [80 %]",
            4,
            1,
            interval=("noisy_low_80", "noisy_high_80"),
            percent=True,
        ),
        Column("noisy_low_95", "with noise, 95 % from", "percentile", 4, 1, percent=True),
        Column("noisy_high_95", "with noise, 95 % to", "percentile", 4, 1, percent=True),
        ROUND,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return family_forecasts(inputs.read(FORECASTS))


def family_forecasts(forecasts: pd.DataFrame) -> pd.DataFrame:
    """One row a size and family.

    Args:
        forecasts: rows of FORECASTS.
    """
    return heard(forecasts)[SPEC.fields]
