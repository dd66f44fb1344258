"""Do rules that learn who is good beat plurality on a panel of models? Those of crowdsourcing beside the paper's."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, TASK, TEAM, share
from headcount.publish.tables.error_overlap import first_and_last
from headcount.publish.words import RULES
from headcount.schema import CROWD, ESTIMATES

PAPER = ""
QUESTION = "mix"
NEEDS = ("mixed",)
READS = ("crowd", "estimates")
PUBLISHED = ()

_PANEL = ["team", "task", "condition", "round"]
_SHIFT = "accuracy_shift_"
_SOURCES = {"crowd": "crowd-kit", "votes": "the paper's appendix M"}

SPEC = TableSpec(
    name="crowd_rules",
    groups=("team", "task"),
    caption=(
        "One answer made of a panel's, one agent of each model, by several rules. No rule sees a right answer: the "
        "rules of crowdsourcing weigh models by how they agree with each other, the paper's by stated confidence, "
        "probability or family. The paper's stand here where a team of just these agents was run for just as many "
        "rounds."
    ),
    columns=(
        TEAM,
        TASK,
        Column("rule", "rule", "makes one answer of many", words=RULES),
        share("accuracy", "accuracy", "items that nobody answered are wrong"),
        share("difference", "over plurality", "accuracy minus plurality's on the same items, in points"),
        Column("source", "from", "which rules these are", words=_SOURCES),
        Column("models", "models", "in the panel", decimals=0, show="varying"),
        Column("unanswered", "unanswered", "items that no model answered", decimals=0, show="varying"),
        CONDITION,
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return crowd_rules(inputs.read(CROWD), inputs.read(ESTIMATES))


def crowd_rules(crowd: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """One row a panel and rule.

    Args:
        crowd: rows of CROWD.
        estimates: rows of ESTIMATES.
    """
    names = {"value": "accuracy", "low": "accuracy_low", "high": "accuracy_high"}
    learnt = first_and_last(crowd).rename(columns=names)
    learnt["source"] = (learnt["rule"] == "plurality").map({True: "votes", False: "crowd"})
    panels = learnt.drop_duplicates(_PANEL)[[*_PANEL, "_condition", "models", "unanswered"]]
    voted = panels.merge(_voted(estimates), left_on=[*_PANEL, "models"], right_on=[*_PANEL, "n"]).assign(source="votes")
    rows = pd.concat([learnt, voted])
    rows["_rule"] = rows["rule"].map(list(RULES).index)
    order = ["team", "task", "_condition", "round", "_rule"]
    return rows.sort_values(order, ignore_index=True)[SPEC.fields]


def _voted(estimates: pd.DataFrame) -> pd.DataFrame:
    """Accuracies by the paper's rules but plurality, one row a team of the first n agents and rule."""
    rows = estimates[estimates["peers"].isin(["full", "none"])]
    accuracy, shift = (
        _by_rule(rows, prefix, name) for prefix, name in (("accuracy_", "accuracy"), (_SHIFT, "difference"))
    )
    return shift.merge(accuracy.drop(columns=["n_items", "simulated"]), on=[*_PANEL, "n", "rule"])


def _by_rule(estimates: pd.DataFrame, prefix: str, name: str) -> pd.DataFrame:
    """A quantity of each rule and its interval, under one name, beside the rule's."""
    rows = estimates[estimates["quantity"].str.startswith(prefix)]
    rows = rows.assign(rule=rows["quantity"].str.removeprefix(prefix))
    rows = rows.rename(columns={"value": name, "low": f"{name}_low", "high": f"{name}_high"})
    return rows[[*_PANEL, "n", "rule", name, f"{name}_low", f"{name}_high", "n_items", "simulated"]]
