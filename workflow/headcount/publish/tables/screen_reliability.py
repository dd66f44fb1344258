"""Does a screen come back? With other probes, another agent, another pass, and across models with other questions."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import ITEMS, count, estimate
from headcount.publish.screen_cells import MODEL
from headcount.schema import RELIABILITY
from headcount.schema.ledger import ALL

PAPER = ""
QUESTION = "ledger"
NEEDS = ("probes",)
READS = ("reliability",)
PUBLISHED = ()

KINDS = {
    "split_half_questions": "other questions",
    "split_half_questions_ranks": "other questions, by rank",
    "cronbach_alpha": "other probes, Cronbach's alpha",
    "split_half_probes": "other probes, split halves",
    "inter_agent": "another agent, ICC(2,1)",
    "test_retest": "another pass, ICC(2,1)",
}

SPEC = TableSpec(
    name="screen_reliability",
    groups=("model",),
    caption=(
        "How far a flip rate is the same when it is measured again. Other questions: correlation across models of the "
        "flip rates of random halves of the questions; other probes: of halves of the eight probes, across agents and "
        "questions; both stepped up to full length by Spearman and Brown. ICC(2,1) is the share of variance that lies "
        "between questions rather than between the agents who answer them, or between passes. A screen can tell models "
        "apart well (the first rows) though single answers hardly come back (the others)."
    ),
    columns=(
        MODEL,
        Column("quantity", "measured again with", "what is other the second time", words=KINDS),
        estimate("value", "reliability", "1: the same again; 0: nothing of it; questions drawn anew"),
        count("units", "units", "that are compared: models, or agents and questions, or questions"),
        count("parts", "parts", "of each unit: questions, probes, agents or passes"),
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return screen_reliability(inputs.read(RELIABILITY))


def screen_reliability(reliability: pd.DataFrame) -> pd.DataFrame:
    """One row a model and kind, all models together first.

    Args:
        reliability: rows of RELIABILITY.
    """
    names = {"low": "value_low", "high": "value_high"}
    rows = reliability.rename(columns=names).assign(
        _own=reliability["model"] != ALL, _place=reliability["quantity"].map(list(KINDS).index).astype(int)
    )
    return rows.sort_values(["_own", "model", "_place"], ignore_index=True)[SPEC.fields]
