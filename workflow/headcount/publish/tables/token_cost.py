"""What does a team cost? Tokens of each cell and size, and how often those of thinking again alone."""

import pandas as pd

from headcount.publish.cells import wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, estimate
from headcount.schema import ESTIMATES

PAPER = ""
QUESTION = "cost"
NEEDS = ("updates",)
READS = ("estimates",)
PUBLISHED = ()

_PLACE = ["team", "task", "n"]
_TOKENS = ["prompt_tokens_to_here", "completion_tokens_to_here", "prompt_tokens", "completion_tokens"]
_PER_AGENT = ["prompt_tokens_to_here_per_n_eff", "prompt_tokens_per_n_eff"]
_RATIOS = {"times": "prompt_tokens_to_here", "times_per_n_eff": _PER_AGENT[0], "times_per_n_eff_last": _PER_AGENT[1]}


def _times(field: str, heading: str, meaning: str) -> Column:
    return Column(field, heading, f"{meaning}, as a multiple of self-correction's at this size", 4, 1, show="present")


SPEC = TableSpec(
    name="token_cost",
    groups=("team", "task", "condition"),
    caption=(
        "Tokens that a team reads (prompt) and writes (completion) for one item, in all rounds and in the last alone, "
        "and prompt tokens for each effective agent. Multiples are of a team of the same size whose agents think "
        "again and hear nobody. The paper's multiples of 10 to 46 are those of the last round, for each effective "
        "agent."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        Column("prompt_tokens_to_here", "prompt", "tokens an item, all rounds", 1, 0),
        Column("completion_tokens_to_here", "completion", "tokens an item, all rounds", 1, 0),
        _times("times", "times", "prompt tokens of all rounds"),
        estimate("prompt_tokens_to_here_per_n_eff", "prompt / eff. agent", "prompt of all rounds / effective size", 0),
        _times("times_per_n_eff", "times / eff. agent", "the same for each effective agent"),
        Column("prompt_tokens", "prompt, last round", "tokens an item", 1, 0),
        Column("completion_tokens", "completion, last round", "tokens an item", 1, 0),
        estimate("prompt_tokens_per_n_eff", "last round / eff. agent", "prompt of the last round / effective size", 0),
        _times("times_per_n_eff_last", "times, last round", "prompt tokens of the last round for each effective agent"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return token_cost(inputs.read(ESTIMATES))


def token_cost(estimates: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and size.

    Args:
        estimates: rows of ESTIMATES.
    """
    rows = wide(estimates, [*_TOKENS, *_PER_AGENT])
    told = rows["prompt_tokens_to_here"] > 0  # others' answers may come without their tokens
    counts = [str(name) for name in rows if "tokens" in str(name)]
    rows[counts] = rows[counts].where(told, float("nan"))
    alone = rows.loc[rows["condition"] == "self_correction", [*_PLACE, *_RATIOS.values()]]
    alone = alone.rename(columns={name: f"_{ratio}" for ratio, name in _RATIOS.items()})
    rows = rows.merge(alone, on=_PLACE, how="left")
    for ratio, name in _RATIOS.items():
        rows[ratio] = (rows[name] / rows[f"_{ratio}"]).where(rows["condition"] != "self_correction")
    return rows[SPEC.fields]
