"""Is a panel better than its best model? That model is chosen on one half of the items and scored on the other."""

from collections import Counter

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, TASK, TEAM, share
from headcount.publish.tables.error_overlap import first_and_last
from headcount.publish.words import RULES
from headcount.schema import BEST_MEMBER

PAPER = ""
QUESTION = "mix"
NEEDS = ("mixed",)
READS = ("best_member",)
PUBLISHED = ()

_KEYS = ["team", "task", "condition", "round", "rule"]

SPEC = TableSpec(
    name="best_member",
    groups=("team", "task"),
    caption=(
        "The best single model of a panel against the panel's own answer by each rule. The model is chosen by its "
        "accuracy on one half of the items and scored on the other, as are the rules: a best model chosen and scored "
        "on the same items would flatter itself. Means over several halvings and both directions."
    ),
    columns=(
        TEAM,
        TASK,
        Column("rule", "who answers", "one model, or the panel by a rule", words=RULES),
        share("accuracy", "accuracy", "on the halves not chosen on"),
        share("difference", "best model's lead", "accuracy of the best model minus this, in points"),
        Column("led", "halves led", "share of halves on which the best model was more accurate", 4, 0, percent=True),
        Column("members", "chosen", "models, and how often", show="present"),
        Column("halves", "halves", "that were scored", decimals=0, show="varying"),
        CONDITION,
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return best_member(inputs.read(BEST_MEMBER))


def best_member(members: pd.DataFrame) -> pd.DataFrame:
    """One row a panel and rule, the best model first.

    Args:
        members: rows of BEST_MEMBER.
    """
    rows = first_and_last(members)
    names = {"value": "accuracy", "low": "accuracy_low", "high": "accuracy_high"}
    halves = rows[rows["split"] > 0].groupby(_KEYS)
    told = halves.agg(
        led=("difference", lambda lead: (lead > 0).mean()), halves=("half", "size"), members=("member", _most)
    )
    table = rows[rows["split"] == 0].rename(columns=names).merge(told.reset_index(), on=_KEYS)
    single = table["rule"] == "best_member"
    table["members"] = table["members"].where(single, "")
    table["led"] = table["led"].mask(single)
    table["_rule"] = table["rule"].map(list(RULES).index).mask(single, -1)
    return table.sort_values(["team", "task", "_condition", "round", "_rule"], ignore_index=True)[SPEC.fields]


def _most(members: pd.Series) -> list[str]:
    """Members with how often each was chosen, the most often first."""
    counts = Counter(sorted(members.dropna()))
    return [f"{member} ({count})" for member, count in counts.most_common()]
