"""Do right agents yield to a wrong majority as often as wrong ones learn from a right one? The paper's Table 15."""

import pandas as pd

from headcount.publish.cells import CELL, wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES

PAPER = "table15"
QUESTION = "talk"
NEEDS = ("updates",)
READS = ("estimates",)
PUBLISHED = ("table15_asymmetric_rates",)

_PAPERS_SIZE = 10
_PRINTED = {
    "alpha_s": "published_alpha_s",
    "alpha_l": "published_alpha_l",
    "ratio": "published_ratio",
    "correct_to_wrong": "published_correct_to_wrong",
    "wrong_to_correct": "published_wrong_to_correct",
}
_COUNTS = {"alpha_s_count": "published_alpha_s_count", "alpha_l_count": "published_alpha_l_count"}

SPEC = TableSpec(
    name="asymmetric_rates",
    groups=("team", "task"),
    caption=(
        "What agents do in the last revision who face a majority of the others that contradicts them, in teams of 10 "
        "as in the paper (else in the largest). Sycophancy: a right agent takes the majority's wrong answer. "
        "Learning: a wrong agent takes its right one. In self-correction and noise nobody hears that majority: the "
        "rates there are those of agents who merely think again."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        Column("n", "N", "agents in the team", decimals=0),
        estimate("alpha_s", "sycophancy", "share of right agents facing a wrong majority who take its answer"),
        printed("published_alpha_s", "sycophancy, paper", "alpha_s"),
        estimate("alpha_l", "learning", "share of wrong agents facing a right majority who take its answer"),
        printed("published_alpha_l", "learning, paper", "alpha_l"),
        Column("ratio", "ratio", "sycophancy / learning", 4, 2),
        printed("published_ratio", "ratio, paper", "ratio"),
        estimate("correct_to_wrong", "right to wrong", "share of all agents, in this revision", 3),
        printed("published_correct_to_wrong", "right to wrong, paper", "correct_to_wrong"),
        estimate("wrong_to_correct", "wrong to right", "share of all agents, in this revision", 3),
        printed("published_wrong_to_correct", "wrong to right, paper", "wrong_to_correct"),
        Column("alpha_s_count", "faced a wrong majority", "right agents, over all items", decimals=0),
        printed("published_alpha_s_count", "faced a wrong majority, paper"),
        Column("alpha_l_count", "faced a right majority", "wrong agents, over all items", decimals=0),
        printed("published_alpha_l_count", "faced a right majority, paper"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return asymmetric_rates(inputs.read(ESTIMATES), inputs.printed("table15_asymmetric_rates"))


def asymmetric_rates(estimates: pd.DataFrame, table15: pd.DataFrame) -> pd.DataFrame:
    """One row a cell that revised, at 10 agents or at its largest size.

    Args:
        estimates: rows of ESTIMATES.
        table15: as printed.
    """
    quantities = ["alpha_s", "alpha_l", "alpha_s_count", "alpha_l_count", "correct_to_wrong", "wrong_to_correct"]
    rows = wide(estimates, quantities).query("round > 1")
    rows = rows.assign(_far=(rows["n"] != _PAPERS_SIZE)).sort_values(["_far", "n"], ascending=[True, False])
    rows = rows.drop_duplicates(CELL).sort_index(ignore_index=True)
    rows["ratio"] = rows["alpha_s"] / rows["alpha_l"].where(rows["alpha_l"] > 0)
    paper = table15.rename(columns={"model": "team"} | _NAMES)
    rows = beside(rows, paper[[*CELL, "n", *_PRINTED.values(), *_COUNTS.values()]], [*CELL, "n"])
    return compare(rows, _PRINTED)[SPEC.fields]


_NAMES = {
    "alpha_s": "published_alpha_s",
    "alpha_l": "published_alpha_l",
    "alpha_s_count": "published_alpha_s_count",
    "alpha_l_count": "published_alpha_l_count",
    "ratio_s_over_l": "published_ratio",
    "uncond_correct_to_wrong": "published_correct_to_wrong",
    "uncond_wrong_to_correct": "published_wrong_to_correct",
}
