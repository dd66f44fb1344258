"""What does the largest team get for its tokens? Accuracy, effective size and cost, the paper's Table 17."""

import pandas as pd

from headcount.publish.cells import CELL, largest, wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, EFFECTIVE_SIZE, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES

PAPER = "table17"
QUESTION = "cost"
NEEDS = ()
READS = ("estimates",)
PUBLISHED = ("table17_summary_n30",)

_PRINTED = {
    "team_accuracy": "published_accuracy",
    "gain": "published_gain",
    "solo": "published_solo",
    "n_eff_answer": "published_n_eff",
    "kilotokens_per_n_eff": "published_kilotokens",
}

SPEC = TableSpec(
    name="summary",
    groups=("team", "task"),
    caption=(
        "The largest team of each cell: its accuracy, its gain over one agent alone, its effective size, and "
        "thousands of prompt tokens an item for each effective agent: in the last round, which is what the paper's "
        "numbers amount to, and in all rounds, which is what is paid."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        estimate("team_accuracy", "accuracy", "of the team's plurality answer", 3),
        printed("published_accuracy", "accuracy, paper", "team_accuracy"),
        Column("gain", "gain", "accuracy minus that of one agent's first answer", 4, 3),
        printed("published_gain", "gain, paper", "gain"),
        Column("solo", "alone", "accuracy of one agent's first answer; of all agents' where N = 1 was not run", 4, 3),
        printed("published_solo", "alone, paper", "solo"),
        EFFECTIVE_SIZE,
        printed("published_n_eff", "eff. size, paper", "n_eff_answer"),
        estimate(
            "kilotokens_per_n_eff",
            "tokens, last round",
            "thousands of prompt tokens an item in the last round, for each effective agent",
            1,
        ),
        printed("published_kilotokens", "tokens, paper", "kilotokens_per_n_eff"),
        estimate("kilotokens_to_here_per_n_eff", "tokens, all rounds", "the same in all rounds: what is paid", 1),
        ROUND,
        ITEMS,
    ),
)


_TOKENS = ("prompt_tokens_per_n_eff", "prompt_tokens_to_here_per_n_eff")


def make(inputs: Inputs) -> pd.DataFrame:
    return summary(inputs.read(ESTIMATES), inputs.printed("table17_summary_n30"))


def summary(estimates: pd.DataFrame, table17: pd.DataFrame) -> pd.DataFrame:
    """One row a cell, at its largest size.

    Args:
        estimates: rows of ESTIMATES.
        table17: as printed; tokens as in "7.5K".
    """
    rows = largest(wide(estimates, ["team_accuracy", "n_eff_answer", *_TOKENS]))
    rows = rows.merge(solo_accuracy(estimates), on=["team", "task"], how="left")
    rows["gain"] = rows["team_accuracy"] - rows["solo"]
    for name in _TOKENS:
        for end in ("", "_low", "_high"):
            rows[f"kilo{name.removeprefix('prompt_')}{end}"] = rows[f"{name}{end}"] / 1000
    names = {"model": "team", "accuracy": "published_accuracy", "delta_accuracy": "published_gain"}
    names |= {"solo_accuracy": "published_solo", "n_eff_ans": "published_n_eff"}
    tokens = table17["prompt_tokens_per_n_eff"].str.removesuffix("K")
    paper = table17.rename(columns=names).assign(published_kilotokens=tokens)
    rows = beside(rows, paper[[*CELL, "n", *_PRINTED.values()]], [*CELL, "n"])
    return compare(rows, _PRINTED)[SPEC.fields]


def solo_accuracy(estimates: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of one agent's first answer on each task: the team of one, else all agents of the largest team.

    Returns:
        team, task, solo.
    """
    first = estimates[(estimates["round"] == 1) & (estimates["subsets"] == "first")]
    alone = first[(first["quantity"] == "team_accuracy") & (first["n"] == 1)]
    every = first[first["quantity"] == "agent_accuracy_missing_wrong"].sort_values("n", ascending=False)
    rows = pd.concat([alone, every]).drop_duplicates(["team", "task"])
    return rows.rename(columns={"value": "solo"})[["team", "task", "solo"]]
