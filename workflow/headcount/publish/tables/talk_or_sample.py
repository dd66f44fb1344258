"""Is talking better than sampling more? Teams beside as many samples as their calls, or their tokens, would buy."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, share
from headcount.publish.words import CONDITIONS
from headcount.schema import BUDGETS

PAPER = ""
QUESTION = "talk"
NEEDS = ("updates",)
READS = ("budgets",)
PUBLISHED = ()

_BUDGETS = {"calls": "calls", "tokens": "tokens"}

SPEC = TableSpec(
    name="talk_or_sample",
    groups=("team", "task", "condition"),
    caption=(
        "A team that revises beside as many first answers, put to the vote, as its calls or its tokens would buy. "
        "Differences are the team less its samples, on the same items; samples are means over all teams that the drawn "
        "agents could form, between whole numbers on the line between the two. Ties go by chance."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        Column("budget", "equal", "what both cost alike, over all rounds", words=_BUDGETS),
        Column("samples", "samples", "first answers for the same budget", 3, 1),
        share("accuracy_difference", "accuracy, difference", "team less samples, in points"),
        Column("verdict", "better", "whose accuracy is higher, where the interval excludes 0"),
        share("team_accuracy", "team right", "accuracy of the team"),
        share("accuracy", "samples right", "accuracy of the vote over samples"),
        estimate("n_eff_difference", "effective size, difference", "team less samples, in agents"),
        estimate("team_n_eff", "team's", "its effective size, by answers"),
        estimate("n_eff", "samples'", "effective size of as many samples"),
        Column("calls", "calls", "of the team, an item", 1, 0),
        Column("tokens", "tokens", "of the team, an item, prompts and replies", 1, 0),
        Column(
            "capped", "capped", "the budget would buy more samples than were drawn", words={"True": "yes", "False": "–"}
        ),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return talk_or_sample(inputs.read(BUDGETS))


def talk_or_sample(budgets: pd.DataFrame) -> pd.DataFrame:
    """One row a team size and budget; by team, task, condition and size.

    Args:
        budgets: rows of BUDGETS.
    """
    keys = ["team", "task", "condition", "round", "n"]
    shown = [f"{kind}{end}" for kind in ("accuracy", "n_eff") for end in ("", "_low", "_high")]
    own = budgets.loc[budgets["budget"] == "own", [*keys, *shown]]
    rows = budgets[budgets["budget"] != "own"]
    rows = rows.merge(own.rename(columns={name: f"team_{name}" for name in shown}), on=keys)
    rows = rows.assign(verdict=_verdicts(rows), _place=rows["condition"].map(list(CONDITIONS).index))
    return rows.sort_values(["team", "task", "_place", "n", "budget"], ignore_index=True)[SPEC.fields]


def _verdicts(rows: pd.DataFrame) -> list[str]:
    ends = zip(rows["accuracy_difference_low"], rows["accuracy_difference_high"], strict=True)
    return ["team" if low > 0 else "samples" if high < 0 else "not told apart" for low, high in ends]
