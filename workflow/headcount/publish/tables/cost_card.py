"""What does a kept correction cost? Calls, tokens, money and time of debates and screens, and what these brought."""

import pandas as pd

from headcount.publish.cells import CELL
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import cells
from headcount.publish.parts import ITEMS, ROUND, SIZE, TASK, count
from headcount.publish.words import CONDITIONS
from headcount.schema import LEDGER_COSTS

PAPER = ""
QUESTION = "ledger"
NEEDS = ("updates",)
READS = ("ledger_costs",)
PUBLISHED = ()

SCREEN = "screen"
_SUMMED = (
    *("calls", "repairs", "prompt_tokens", "completion_tokens", "revision_tokens", "usd", "seconds"),
    *("calls_per_200", "reference_per_200"),
)
_TOKENS, _CALLS = ["prompt_tokens", "completion_tokens"], ["calls", "calls_per_200"]
_REMARKS = {"none_kept": "none kept: as many collapses as corrections, or more"}


def _of_kept(field: str, heading: str, meaning: str, decimals: int, shown: int) -> Column:
    return Column(field, heading, f"{meaning}, over corrections minus collapses", decimals, shown, show="present")


SPEC = TableSpec(
    name="cost_card",
    groups=("team", "task"),
    caption=(
        "What debates and screens took, and what each kept correction cost. A correction is kept if no collapse pays "
        "for it. Costs are of all rounds, the first included, as if every team asked for itself; and of revisions "
        "alone, since the first answers are there whether anybody talks or not. Seconds are estimates, at the speeds "
        "of `headcount plan --jobs`; what jobs really took is in the run's benchmarks, with the loading of models. The "
        "protocol of arXiv 2609.35279 takes, for 200 questions, 2,400 calls for debates of three over three revisions "
        "(its runner made four: 3,000), 200 first answers and 1,600 probes for a lite screen, and 1,800 and 14,400 for "
        "a full one."
    ),
    columns=(
        Column("team", "team", "who answers; of a screen the model", show="varying"),
        TASK,
        Column("condition", "condition", "what agents read between rounds", words=CONDITIONS | {SCREEN: SCREEN}),
        SIZE,
        Column("tokens_per_kept", "tokens / kept", "of all rounds, over corrections minus collapses", 1, 0),
        _of_kept("revision_tokens_per_kept", "revisions' / kept", "tokens of the rounds after the first", 1, 0),
        _of_kept("usd_per_kept", "USD / kept", "US dollars", 6, 4),
        _of_kept("seconds_per_kept", "seconds / kept", "of engines on machines of ours, estimated", 3, 1),
        Column("kept", "kept", "corrections minus collapses", 0),
        count("corrections", "corrections", "how many"),
        count("collapses", "collapses", "how many"),
        count("calls", "calls", "requests to a model"),
        count("prompt_tokens", "prompt", "tokens"),
        count("completion_tokens", "completion", "tokens"),
        Column("usd", "USD", "US dollars, where models have prices", 6, 4, show="present"),
        Column("seconds", "seconds", "of engines on machines of ours, estimated", 3, 1, show="present"),
        Column(
            "calls_per_200", "calls / 200", "for each 200 questions, as run, repetitions and repairs included", 1, 0
        ),
        Column("reference_per_200", "protocol", "calls for each 200 questions that the same agents take once", 1, 0),
        count("repairs", "repairs", "calls that asked again for an answer that could not be read"),
        Column("remarks", "remarks", "why a number is missing", notes=_REMARKS, show="present"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return cost_card(inputs.read(LEDGER_COSTS))


def cost_card(costs: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and size at its headline endpoint, and one a screened model and task.

    Args:
        costs: rows of LEDGER_COSTS.
    """
    talk = costs["part"] == "debate"
    screens = costs[~talk].assign(condition=SCREEN)
    rows = pd.concat([cells(costs[talk]), _whole(screens)], ignore_index=True)
    rows["remarks"] = [["none_kept"] if kept <= 0 else [] for kept in rows["kept"]]
    rows["repairs"] = rows["repairs"].where(rows["repairs"] > 0)
    told = rows["prompt_tokens"] + rows["completion_tokens"] > 0  # others' answers may come without their tokens,
    rows[_TOKENS] = rows[_TOKENS].where(told)
    asked = told | (rows["condition"] != SCREEN)  # and their probes without their requests
    rows[_CALLS] = rows[_CALLS].where(asked)
    order = [*CONDITIONS, SCREEN].index
    rows = rows.assign(_place=rows["condition"].map(order).astype(int))
    return rows.sort_values([*CELL[:2], "_place", "n"], ignore_index=True)[SPEC.fields]


def _whole(screens: pd.DataFrame) -> pd.DataFrame:
    """First answers and probes of all conditions of a screen, together."""
    keys = ["team", "task", "condition", "n", "simulated"]
    groups = screens.groupby(keys)
    sums = groups[list(_SUMMED)].sum(skipna=False)
    return sums.assign(n_items=groups["n_items"].max()).reset_index()
