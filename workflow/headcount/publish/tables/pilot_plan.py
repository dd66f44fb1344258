"""How big a team is worth its cost, as the smallest teams tell? A plan for each cell."""

import pandas as pd

from headcount.laws.pilot_flags import PILOT_FLAGS
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import BETA, CONDITION, ITEMS, REGIME, TASK, TEAM, C, estimate, share
from headcount.publish.pilot_cells import chosen_plans, more_items, recommendation
from headcount.publish.words import LEVELS
from headcount.schema import PILOTS

PAPER = ""
QUESTION = "pilot"
NEEDS = ("sizes",)
READS = ("pilots",)
PUBLISHED = ()

SPEC = TableSpec(
    name="pilot_plan",
    groups=("team", "task"),
    caption=(
        "What the smallest teams (the pilot) say about larger ones. Prediction intervals hold the error of the items "
        "and that of the law, as learned from cases whose truth is known. A team should stop growing where one more "
        "effective agent costs more than the budget; the range is that of the prediction's two ends."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        Column("level", "level", "at which agents are held against each other", words=LEVELS),
        Column("target", "N", "team size of the predictions", decimals=0, show="varying"),
        estimate("n_eff", "effective size", "predicted, in agents"),
        share("accuracy", "accuracy", "team accuracy, predicted by a straight line in 1 / N"),
        Column("stop", "stop at", "size after which one more effective agent costs more than the budget", decimals=0),
        Column("stop_low", "from", "the same at the low end of the prediction", decimals=0),
        Column("stop_high", "to", "the same at its high end", decimals=0),
        Column("budget", "budget", "what one more effective agent may cost, an item", 6, 0),
        Column("budget_unit", "unit", "of the budget", show="varying"),
        C,
        BETA,
        REGIME,
        Column(
            "items_to_halve", "items for half", "items for half the prediction interval; none: no number would do", 0
        ),
        Column("items_for_c", "items for c", "items for an interval of c of ± 0.02", 0),
        Column("wrong_agreement", "wrong alike", "of pairs who are both wrong, those with one answer", 4, 2),
        Column("recommendation", "recommendation", "in a sentence"),
        Column("more_items", "more items", "what they would do"),
        Column("pilot", "pilot sizes", "fitted", show="varying"),
        Column("flags", "flags", "what to mind when reading a row", notes=PILOT_FLAGS, show="present"),
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return pilot_plan(inputs.read(PILOTS))


def pilot_plan(pilots: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and level.

    Args:
        pilots: rows of PILOTS.
    """
    plans = chosen_plans(pilots)
    said = plans.to_dict("records")
    plans["recommendation"] = [recommendation(plan) for plan in said]
    plans["more_items"] = [more_items(plan) for plan in said]
    return plans[SPEC.fields]
