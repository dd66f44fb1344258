"""Which two models of a panel err alike? Every pair, the most alike first."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, TASK, TEAM, estimate
from headcount.publish.tables.error_overlap import first_and_last
from headcount.publish.words import PAIR_QUANTITIES
from headcount.schema import PAIRS

PAPER = ""
QUESTION = "mix"
NEEDS = ("mixed",)
READS = ("pairs",)
PUBLISHED = ()

_HEADLINE = "equal_wrong_given_both_wrong"
_PANEL = ["team", "task", "condition", "round"]
_PAIR = ["model", "model_other"]
_ENDS = {"value": "", "low": "_low", "high": "_high"}
_HEADINGS = {
    _HEADLINE: "same mistake",
    "equal_wrong_chance": "by chance",
    "agreement": "agreement",
    "agreement_chance": "by chance (agreement)",
    "equal_wrong": "same wrong",
    "both_wrong": "both wrong",
    "both_wrong_chance": "by chance (both wrong)",
    "correctness_correlation": "φ",
    "capa": "CAPA",
}

SPEC = TableSpec(
    name="model_pairs",
    groups=("team", "task"),
    caption=(
        "Every two models of a panel, one agent of each, those first that most often give the same wrong answer where "
        "both are wrong. Items that either did not answer are left out."
    ),
    columns=(
        TEAM,
        TASK,
        Column("model", "model", "one of the two"),
        Column("model_other", "other model", "the other"),
        *(estimate(name, heading, PAIR_QUANTITIES[name], show="present") for name, heading in _HEADINGS.items()),
        Column("events", "both wrong on", "items behind the first number", decimals=0),
        Column("family", "family", "of the first"),
        Column("family_other", "other family", "of the other"),
        CONDITION,
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return model_pairs(inputs.read(PAIRS))


def model_pairs(pairs: pd.DataFrame) -> pd.DataFrame:
    """One row a panel and pair of models.

    Args:
        pairs: rows of PAIRS.
    """
    rows = first_and_last(pairs)
    keys = [*_PANEL, "_condition", *_PAIR]
    long = rows.rename(columns=_ENDS).melt([*keys, "quantity"], list(_ENDS.values()), var_name="end")
    table = long.assign(field=long["quantity"] + long["end"]).pivot(index=keys, columns="field", values="value")
    wanted = [f"{name}{end}" for name in PAIR_QUANTITIES for end in _ENDS.values()]
    told = ["family", "family_other", "events", "n_items", "simulated"]
    about = rows[rows["quantity"] == _HEADLINE].set_index(keys)[told]
    table = table.reindex(columns=wanted).astype(float).join(about).reset_index()
    order = ["team", "task", "_condition", "round", _HEADLINE, *_PAIR]
    return table.sort_values(order, ascending=[name != _HEADLINE for name in order], ignore_index=True)[SPEC.fields]
