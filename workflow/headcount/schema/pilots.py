"""What a pilot of small teams says about larger ones, and what sampling makes of the same budget."""

import pyarrow as pa

from headcount.schema.table import LABEL, column, table


def _with_ends(name: str) -> list[pa.Field]:
    return [column(f"{name}{end}", pa.float64(), null=True) for end in ("", "_low", "_high")]


# A plan: the law of a pilot, what it says of one size, what that costs, and how many items would make it surer.
PILOTS = table(
    "pilots",
    ["team", "task", "condition", "level", "subsets", "peers", "round"],
    [
        column("pilot", pa.list_(pa.int16())),
        column("n_items", pa.int32()),
        *_with_ends("c"),
        *_with_ends("beta"),  # from -1 to 1
        column("regime", LABEL, null=True),  # by the interval of beta
        column("agent_accuracy", pa.float64(), null=True),  # of the pilot's agents after their last revision
        column("wrong_agreement", pa.float64(), null=True),  # of their pairs who are both wrong, those with one answer
        column("target", pa.int16()),  # the size that what follows is about
        *_with_ends("n_eff"),  # predicted, with prediction intervals
        *_with_ends("accuracy"),
        column("items_margin", pa.float64(), null=True),  # of ln n_eff: half the width that the items alone give
        column("law_margin", pa.float64(), null=True),  # the same of the law
        column("items_to_halve", pa.float64(), null=True),  # items for half the interval; null where none would do
        column("items_for_c", pa.float64(), null=True),  # items for a half-width of c of .02
        column("base_prompt_tokens", pa.float64(), null=True),  # an item and agent, all rounds, before it hears anybody
        column("prompt_tokens_per_peer", pa.float64(), null=True),
        column("completion_tokens", pa.float64(), null=True),  # an item and agent, all rounds
        column("first_tokens", pa.float64(), null=True),  # of one first answer, both kinds
        column("budget", pa.float64(), null=True),  # what one more effective agent may cost, an item
        column("budget_unit", LABEL, null=True),  # tokens or usd
        column("stop", pa.int16(), null=True),  # the size after which it costs more
        column("stop_low", pa.int16(), null=True),  # the same at the low end of the prediction
        column("stop_high", pa.int16(), null=True),
        column("flags", pa.list_(pa.string())),
        column("simulated", pa.bool_()),
    ],
)

# What a plan says of each size from 2 to 100, beside what was seen.
PILOT_SIZES = table(
    "pilot_sizes",
    ["team", "task", "condition", "level", "subsets", "peers", "round", "n"],
    [
        column("in_pilot", pa.bool_()),
        column("held_out", pa.bool_()),  # run, and not in the pilot
        *_with_ends("n_eff"),  # predicted, with prediction intervals
        *_with_ends("accuracy"),
        column("projection", pa.float64(), null=True),  # accuracy by the normal approximation to the vote
        *_with_ends("seen_n_eff"),  # null at sizes not run; intervals of the items alone
        *_with_ends("seen_accuracy"),
        column("prompt_tokens", pa.float64(), null=True),  # an item and team, all rounds
        column("completion_tokens", pa.float64(), null=True),
        column("usd", pa.float64(), null=True),
        column("next_agent", pa.float64(), null=True),  # what one more effective agent costs; null where there is none
        column("simulated", pa.bool_()),
    ],
)

# Teams of every size by what they cost, and what as many calls or tokens buy where they go into first answers alone.
# budget: `own` is the team itself, calls and tokens are sampling with as many of them.
BUDGETS = table(
    "budgets",
    [
        "team",
        "task",
        "condition",
        "round",
        "n",
        "budget",
    ],  # own: the team itself; calls, tokens: sampling with its budget
    [
        column("calls", pa.float64()),  # an item, all rounds
        column("tokens", pa.float64(), null=True),  # of both kinds; null where they were not told
        column("samples", pa.float64(), null=True),  # first answers that the budget buys, at most those that were drawn
        column("capped", pa.bool_()),  # it would buy more than were drawn
        *_with_ends("accuracy"),  # ties by chance; of the team itself, or of its samples
        *_with_ends("n_eff"),  # mean of 2^H, likewise
        *_with_ends("accuracy_difference"),  # the team less its samples
        *_with_ends("n_eff_difference"),
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)
