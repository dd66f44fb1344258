"""Does the screen tell which models collapse, beyond their accuracy? Rank correlations, exact where they can be."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import ROUND, SIZE, count, estimate, printed
from headcount.publish.published import beside
from headcount.publish.screen_cells import FLAGGED, PREDICTORS, at_two_sizes
from headcount.schema import ASSOCIATIONS
from headcount.schema.screens import COHORT

PAPER = ""
QUESTION = "ledger"
NEEDS = ("screened_models",)
READS = ("associations",)
PUBLISHED = ("ledger/associations",)

LEVELS = {"family_mean": "means of families", "family_median": "medians of families", "model": "models"}
_ASKED = ["level", "predictor", "outcome", "controls"]
_RENAMED = {"bonett_wright_low": "rho_low", "bonett_wright_high": "rho_high", "noise_median": "noise"}

SPEC = TableSpec(
    name="screen_associations",
    groups=("n", "level"),
    caption=(
        "Spearman's correlation of what a screen measures with what the models' debates did; with others held fixed, "
        "the rank partial; for teams of three (or the next size that was run) and the largest. Families are primary, "
        "since models of one family are not independent. p counts the arrangements of the outcome that are as extreme: "
        "exact up to nine rows, from 100,000 random ones beyond. Of a partial it is no exact conditional test: moving "
        "the outcome breaks its link with what is held fixed. What is left without one family or model is a "
        "sensitivity, not an interval. Noise is added to values that hold noise already. The paper's numbers are of 14 "
        "other models of 7 families, on other questions; its p is by permutation of families, by t of models."
    ),
    columns=(
        SIZE,
        Column("level", "rows", "what is correlated", words=LEVELS),
        Column("predictor", "measure", "what collapse or correction is set against", words=PREDICTORS),
        Column("outcome", "with", "what debates did", words=PREDICTORS, show="varying"),
        Column("controls", "held fixed", "by rank", show="present"),
        estimate("rho", "ρ", "Spearman's, or the partial, Bonett and Wright's interval as if rows were independent", 3),
        Column("p_two_sided", "p", "by permutation, two-sided", 6, 4),
        Column("p_one_sided", "p, one-sided", "by permutation, in the observed direction", 6, 4),
        count("units", "rows in it", "families or models"),
        printed("published_rho", "ρ, paper"),
        printed("published_p", "p, paper"),
        Column(
            "without_family",
            "ρ without a family",
            "of those without one, the one that says least",
            4,
            3,
            show="present",
        ),
        Column("which_family", "that family", "which is left out there", show="present"),
        Column(
            "without_model", "ρ without a model", "of those without one, the one that says least", 4, 3, show="present"
        ),
        Column("which_model", "that model", "which is left out there", show="present"),
        Column("p_t", "p by t", "two-sided, from t", 6, 4),
        estimate("noise", "ρ under noise", "median as both are measured again and again", 3, "present"),
        Column(
            "families_low",
            "families anew, from",
            "ρ as families are drawn anew: few, so descriptive",
            4,
            3,
            show="present",
        ),
        Column(
            "families_high",
            "families anew, to",
            "ρ as families are drawn anew: few, so descriptive",
            4,
            3,
            show="present",
        ),
        ROUND,
        FLAGGED,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return screen_associations(inputs.read(ASSOCIATIONS), *(inputs.printed(name) for name in PUBLISHED))


def screen_associations(associations: pd.DataFrame, paper: pd.DataFrame) -> pd.DataFrame:
    """One row a size and question, with nobody left out, and how little is left without somebody.

    Args:
        associations: rows of ASSOCIATIONS.
        paper: associations.csv, as printed.
    """
    rows = at_two_sizes(associations)
    table = rows[rows["left_out"] == ""].rename(columns=_RENAMED)
    table = table.assign(controls=held_fixed(table["controls"]), _asked=table["controls"])
    for leaving in ("family", "model"):
        table = table.merge(_least(rows, leaving), on=[*COHORT, *_ASKED[:3], "_asked"], how="left")
    names = {"rho": "published_rho", "p": "published_p", "controls": "_asked"}
    table = beside(table, paper.rename(columns=names).drop(columns="units"), [*_ASKED[:3], "_asked"])
    order = {"level": list(LEVELS), "predictor": list(PREDICTORS)}
    for name, words in order.items():
        table[f"_{name}"] = table[name].map(words.index).astype(int)
    by = [*COHORT, "_level", "outcome", "_predictor", "_asked"]
    return table.sort_values(by, ignore_index=True)[SPEC.fields]


def _least(rows: pd.DataFrame, leaving: str) -> pd.DataFrame:
    """Of what is left without one, that which says least for the correlation of all: the smallest in its direction."""
    keys = [*COHORT, *_ASKED]
    whole = rows.loc[rows["left_out"] == "", [*keys, "rho"]].rename(columns={"rho": "_whole"})
    left = rows[rows["leaving"] == leaving].merge(whole, on=keys).dropna(subset=["rho", "_whole"])
    left = left.assign(_toward=left["rho"] * left["_whole"].map(lambda rho: -1.0 if rho < 0 else 1.0))
    least = left.sort_values(["_toward", "left_out"]).groupby(keys, sort=False).head(1)
    names = {"rho": f"without_{leaving}", "left_out": f"which_{leaving}", "controls": "_asked"}
    return least[[*keys, "rho", "left_out"]].rename(columns=names)


def held_fixed(controls: "pd.Series[str]") -> list[str]:
    """Controls as people read them."""
    return [" + ".join(PREDICTORS[name] for name in text.split(" + ") if name) for text in controls]
