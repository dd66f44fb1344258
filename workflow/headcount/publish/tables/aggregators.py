"""Would another rule than plurality get more out of the same answers? The rules of the paper's appendix M."""

import pandas as pd

from headcount.publish.cells import CELL, SERIES, largest, spread, wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, share
from headcount.publish.words import RULES
from headcount.schema import ESTIMATES

PAPER = ""
QUESTION = "talk"
NEEDS = ("sizes",)
READS = ("estimates",)
PUBLISHED = ()

SPEC = TableSpec(
    name="aggregators",
    groups=("team", "task", "condition"),
    caption=(
        "What the largest team of each cell would have answered by other rules, from the answers that it gave. A "
        "shift is against plurality on the same items. β is that of the law fitted to the effective sizes of the "
        "votes as a rule weighs them."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        Column("rule", "rule", "makes one answer of many", words=RULES),
        share("accuracy", "accuracy", "of the team's answer by this rule"),
        share("shift", "shift", "accuracy minus plurality's, in points"),
        Column("largest_shift", "largest shift", "of all sizes, in points", 4, 1, percent=True),
        Column("largest_shift_n", "at N", "where the shift is largest", decimals=0),
        Column("mean_shift", "mean shift", "mean of |shift| over sizes of two and more, in points", 4, 1, percent=True),
        estimate("beta", "β", "over all sizes, bounded as the paper's"),
        Column("beta_of_plurality", "β of plurality", "over the same sizes", 4, 2),
        SIZE,
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return aggregators(inputs.read(ESTIMATES))


def aggregators(estimates: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and rule, at the cell's largest size.

    Args:
        estimates: rows of ESTIMATES.
    """
    known = set(estimates["quantity"])
    rules = [rule for rule in RULES if f"accuracy_{rule}" in known]
    rows = wide(estimates, [f"{name}_{rule}" for name in ("accuracy", "accuracy_shift") for rule in rules])
    betas = [f"beta_{rule}" for rule in RULES]
    laws = spread(estimates[(estimates["n"] == 0) & estimates["quantity"].isin(betas)], betas)
    rows = rows.merge(laws.drop(columns=["n", "simulated", "n_items"]), on=SERIES, how="left")
    table = pd.concat([_of_rule(rows, rule) for rule in rules] or [pd.DataFrame(columns=SPEC.fields)])
    table = table[table["accuracy"].notna()].rename_axis("_cell").reset_index()  # all rules have the cells in order
    table["_rule"] = table["rule"].map(list(RULES).index)
    return table.sort_values(["_cell", "_rule"], ignore_index=True)[SPEC.fields]


def _of_rule(rows: pd.DataFrame, rule: str) -> pd.DataFrame:
    """One row a cell, numbered in order."""
    shifts = rows.loc[rows["n"] > 1, [*CELL, "n"]].assign(shift=rows[f"accuracy_shift_{rule}"]).dropna()
    shifts["size"] = shifts["shift"].abs()
    most = shifts.sort_values("size").groupby(CELL).tail(1).rename(columns=_MOST)
    mean = shifts.groupby(CELL)["size"].mean().rename("mean_shift").reset_index()
    ours = {f"{name}_{rule}{end}": f"{_NAMES[name]}{end}" for name in _NAMES for end in ("", "_low", "_high")}
    table = (
        largest(rows).assign(rule=rule, beta_of_plurality=lambda cells: cells["beta_plurality"]).rename(columns=ours)
    )
    return table.merge(most[[*CELL, *_MOST.values()]], on=CELL, how="left").merge(mean, on=CELL, how="left")[
        SPEC.fields
    ]


_NAMES = {"accuracy": "accuracy", "accuracy_shift": "shift", "beta": "beta"}
_MOST = {"shift": "largest_shift", "n": "largest_shift_n"}
