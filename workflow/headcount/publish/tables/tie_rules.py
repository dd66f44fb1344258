"""How much of the ledger hangs on who wins a tie? Collapse and correction under five rules, and what they relabel."""

import pandas as pd

from headcount.ledger.codings import PRIMARY
from headcount.publish.columns import TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import point, side_by_side
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM
from headcount.schema import LEDGER_RATES

PAPER = ""
QUESTION = "ledger"
NEEDS = ("updates",)
READS = ("ledger_rates",)
PUBLISHED = ()

RULES = {
    PRIMARY: ("first", "a tie goes to the first answer by text (the ledger's rule)"),
    "reverse_alphabetical": ("last", "a tie goes to the last answer by text"),
    "strict_plurality": ("nobody", "a tie is no answer, and the team is set apart"),
    "random_tie": ("chance", "a tie goes to each of its answers alike: the expected rate"),
    "keep_previous": ("kept", "a tie keeps the answer of the round before, where that is among the tied"),
}

SPEC = TableSpec(
    name="tie_rules",
    groups=("team", "task"),
    caption=(
        "The same answers under five rules for ties. Two answers and a silent agent are a tie, and so are three "
        "different answers; teams of even size tie most. The first answer by text is the ledger's rule, and favours A. "
        "A finding that one rule has and another lacks is about the rule. Intervals are in ledger_rates.parquet."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        point("tied_ends", "tied", "of first and last answers"),
        *(point(f"collapse_{rule}", f"collapse, {name}", meaning) for rule, (name, meaning) in RULES.items()),
        *(point(f"correction_{rule}", f"correction, {name}", meaning) for rule, (name, meaning) in RULES.items()),
        point("relabelled_reverse_alphabetical", "relabelled, last", "labels that differ from those of the first rule"),
        point("relabelled_keep_previous", "relabelled, kept", "labels that differ from those of the first rule"),
        point("unlabelled_strict_plurality", "unlabelled, nobody", "teams that a tie leaves without an answer"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return tie_rules(inputs.read(LEDGER_RATES))


def tie_rules(rates: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and size.

    Args:
        rates: rows of LEDGER_RATES.
    """
    rows = side_by_side(rates, ["tied_ends"], ["collapse", "correction", "relabelled", "unlabelled"], list(RULES))
    return rows[SPEC.fields]
