"""Do models of a panel make the same mistakes, and those of one family more than others? Means over pairs of models."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, TASK, TEAM, estimate
from headcount.publish.words import AVERAGINGS, CONDITIONS, PAIR_QUANTITIES, RELATIONS
from headcount.schema import PAIR_MEANS

PAPER = ""
QUESTION = "mix"
NEEDS = ("mixed",)
READS = ("pair_means",)
PUBLISHED = ()

SPEC = TableSpec(
    name="error_overlap",
    groups=("team", "task", "quantity"),
    caption=(
        "How alike the models of a panel are, one agent of each. Numbers of this kind differ by what is counted, on "
        "which items, and how pairs are averaged, so each row names all three. An item that a model did not answer is "
        "in no base of its pairs."
    ),
    columns=(
        TEAM,
        TASK,
        Column("quantity", "quantity", "what is counted, and on which items", words=PAIR_QUANTITIES),
        Column("relation", "pairs of", "models", words=RELATIONS),
        Column("averaging", "averaged", "over these pairs", words=AVERAGINGS),
        estimate("value", "value", "of the quantity", 3),
        Column("pairs", "pairs", "that have a value", decimals=0),
        Column("events", "events", "items in the bases of these pairs, in all", decimals=0),
        CONDITION,
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return error_overlap(inputs.read(PAIR_MEANS))


def error_overlap(means: pd.DataFrame) -> pd.DataFrame:
    """One row a panel, quantity, relation and averaging.

    Args:
        means: rows of PAIR_MEANS.
    """
    rows = first_and_last(means).rename(columns={"low": "value_low", "high": "value_high"})
    orders = {"quantity": PAIR_QUANTITIES, "relation": RELATIONS, "averaging": AVERAGINGS}
    places = {f"_{name}": rows[name].map(list(words).index) for name, words in orders.items()}
    rows = rows.assign(**places).sort_values(["team", "task", "_condition", "round", *places], ignore_index=True)
    return rows[SPEC.fields]


def first_and_last(rows: pd.DataFrame) -> pd.DataFrame:
    """Panels worth a row: first answers, once, as all conditions start from them; and each condition's last round.

    Args:
        rows: columns team, task, condition, round, and others.

    Returns:
        these rows with `_condition`, the place of the condition in the paper's order.
    """
    rows = rows.assign(_condition=rows["condition"].map(list(CONDITIONS).index))
    task, cell = ["team", "task"], ["team", "task", "condition"]
    first = rows["round"] == 1
    start = rows["_condition"] == rows["_condition"].where(first).groupby([rows[key] for key in task]).transform("min")
    last = rows["round"] == rows.groupby(cell)["round"].transform("max")
    return rows[(first & start) | (last & ~first)]
