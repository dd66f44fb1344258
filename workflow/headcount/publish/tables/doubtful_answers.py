"""How much of the ledger hangs on replies that say nothing clear? Collapse and correction under other readings."""

from dataclasses import replace

import pandas as pd

from headcount.ledger.codings import PRIMARY
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import point, side_by_side
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM
from headcount.schema import LEDGER_RATES

PAPER = ""
QUESTION = "ledger"
NEEDS = ("updates",)
READS = ("ledger_rates",)
PUBLISHED = ()

READINGS = {
    PRIMARY: ("as read", "missing answers dropped, teams without any set apart"),
    "undefined_wrong": ("silent wrong", "a team without an answer is wrong, as in the paper's code"),
    "no_fallback": ("no last resort", "answers that were read as a last resort are missing"),
    "tag_only": ("tags alone", "answers stated elsewhere than where they were asked for are missing"),
}


def _columns(rate: str) -> list[Column]:
    """A rate by each reading, the first with the bounds of missing answers."""
    columns = [point(f"{rate}_{name}", f"{rate}, {told}", meaning) for name, (told, meaning) in READINGS.items()]
    bounds = (f"{rate}_missing_lowest", f"{rate}_missing_highest")
    first = replace(
        columns[0], interval=bounds, meaning=f"{columns[0].meaning} [bounds: whatever they would have said]"
    )
    return [first, *columns[1:]]


SPEC = TableSpec(
    name="doubtful_answers",
    groups=("team", "task"),
    caption=(
        "The same replies read more strictly, and the bounds that missing answers leave: filled in by whatever serves "
        "a low rate, then a high one. Where bounds are wide, the parser decides the finding. Relabelled are teams "
        "whose label differs from the first reading's, of those that have one by both."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        point("initial_missing", "missing at first", "replies of round 1 without an answer"),
        point("final_missing", "missing at the end", "replies of the last round without an answer"),
        *_columns("collapse"),
        *_columns("correction"),
        point("unlabelled_complete_case", "unlabelled", "teams without an answer at either end, as read"),
        point("unlabelled_tag_only", "unlabelled, tags alone", "teams without a tagged answer at either end"),
        point("relabelled_no_fallback", "relabelled, no last resort", "labels that differ"),
        point("relabelled_tag_only", "relabelled, tags alone", "labels that differ"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return doubtful_answers(inputs.read(LEDGER_RATES))


def doubtful_answers(rates: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and size.

    Args:
        rates: rows of LEDGER_RATES.
    """
    codings = [*READINGS, "missing_lowest", "missing_highest"]
    told = ["collapse", "correction", "relabelled", "unlabelled"]
    return side_by_side(rates, ["initial_missing", "final_missing"], told, codings)[SPEC.fields]
