"""Which plan stands for a cell, and what it says in words: shared by the table, the figure and the page of a pilot."""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from headcount.publish.cells import CELL, STEADIEST
from headcount.publish.looks import DECIMALS
from headcount.publish.words import CONDITIONS

LEVEL = "pooled_agreement"  # at which agents who never talk obey the law
SERIES = [*CELL, "level", "subsets", "peers", "round"]
MOST = 100  # sizes that plans are made for
TITLES = {"n_eff": "effective team size", "accuracy": "team is right", "tokens": "tokens an item"}
Row = Mapping[Hashable, Any]

_ENDS = ("", "_low", "_high")
_NUMBERS = [
    *(f"{name}{end}" for name in ("n_eff", "accuracy", "seen_n_eff", "seen_accuracy") for end in _ENDS),
    *("projection", "prompt_tokens", "completion_tokens", "tokens"),
]
_COLUMNS = ["team", "task", "condition", "subsets", "round", "n", "in_pilot", "held_out", *_NUMBERS, "simulated"]


def chosen_plans(pilots: pd.DataFrame) -> pd.DataFrame:
    """One plan for each cell and level: the steadiest numbers there are; by team, task and condition.

    Args:
        pilots: rows of PILOTS.
    """
    rows = pilots.assign(
        _whose=pilots["subsets"].map(STEADIEST.index), _place=pilots["condition"].map(list(CONDITIONS).index)
    )
    rows = rows.sort_values("_whose").groupby([*CELL, "level"], observed=True).tail(1)
    rows = rows.sort_values(["team", "task", "_place", "level"], ignore_index=True)
    return rows.drop(columns=["_whose", "_place"])


def sizes_of(plans: pd.DataFrame, sizes: pd.DataFrame) -> pd.DataFrame:
    """What some plans say of each size, in their order.

    Args:
        plans: rows of PILOTS.
        sizes: rows of PILOT_SIZES.
    """
    return plans[SERIES].merge(sizes, on=SERIES, how="left").dropna(subset="n").astype({"n": int})


def drawn(pilots: pd.DataFrame, sizes: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn of pilots, in the order of drawing: the plans by pooled agreement."""
    plans = chosen_plans(pilots)
    rows = sizes_of(plans[plans["level"] == LEVEL], sizes)
    rows = rows.assign(tokens=rows["prompt_tokens"] + rows["completion_tokens"])
    rows[_NUMBERS] = rows[_NUMBERS].astype(float).round(DECIMALS)
    return rows[_COLUMNS].reset_index(drop=True)


def recommendation(plan: Row) -> str:
    """What to do, in one sentence."""
    if plan["stop"] is None or pd.isna(plan["stop"]):
        return (
            f"A team of {plan['target']} would be worth {_number(plan['n_eff'])} agents{_between(plan)}; "
            "tokens were not told, so nothing is said about where to stop."
        )
    budget = f"one more effective agent costs more than {amount(plan['budget'], plan['budget_unit'])} an item"
    stop, low, high = (_size(plan[name]) for name in ("stop", "stop_low", "stop_high"))
    if stop == low == high or low is None or high is None:
        range_ = "" if stop == low == high else ", without an interval to say how sure that is"
    else:
        range_ = f" (somewhere between {low} and {_or_more(high)}, as far as this pilot can tell)"
    if stop == 1:
        return f"Use one agent{range_}: beyond it, {budget}."
    return f"Use {_or_more(stop)} agents{range_}: beyond them, {budget}."


_DO = {  # what is done under each condition, by one agent and by several; noise is a control, and nobody's choice
    "self_consistency": ("Ask one agent once", "Let {} agents answer once, and count votes"),
    "self_correction": ("Let one agent think again", "Let {} agents think again alone, and count votes"),
    "debate": ("Ask one agent once", "Let {} agents debate"),
}


def in_short(plans: pd.DataFrame, sizes: pd.DataFrame) -> str:
    """One sentence on a team and task: the cheapest of its plans that is not shown to be less accurate than the best.

    Each condition stands at the size where it should stop. Not shown to be less accurate is a plan whose prediction
    interval of accuracy reaches the best prediction.

    Args:
        plans: rows of PILOTS of the team and task, one a condition.
        sizes: rows of PILOT_SIZES of these plans.

    Returns:
        "" where no plan has a size to stop at, or one of them is not known to be right or wrong.
    """
    stops = plans.loc[plans["condition"].isin(list(_DO)) & plans["stop"].notna(), ["condition", "stop"]]
    at = stops.assign(n=stops["stop"].clip(lower=2).astype(int)).merge(sizes, on=["condition", "n"])
    at = at.assign(tokens=at["prompt_tokens"] + at["completion_tokens"]).dropna(subset=["accuracy", "tokens"])
    if at.empty:
        return ""
    good = at[at["accuracy_high"].fillna(at["accuracy"]) >= at["accuracy"].max()]
    chosen = good.loc[good["tokens"].idxmin()]
    one, several = _DO[str(chosen["condition"])]
    what = one if chosen["stop"] == 1 else several.format(_or_more(int(chosen["stop"])))
    if chosen["stop"] == 1:
        return f"{what}: no team here is worth its budget."
    low, high = chosen["accuracy_low"], chosen["accuracy_high"]
    ends = "" if pd.isna(low) else f" [{100 * low:.0f}, {100 * high:.0f}]"
    rest = "Nothing dearer within the budget is predicted to be clearly better."
    return (
        f"{what}: about {100 * chosen['accuracy']:.0f}{ends} % right for {chosen['tokens']:,.0f} tokens an item. {rest}"
    )


def more_items(plan: Row) -> str:
    """What more items would do to the prediction interval, in one or two sentences."""
    items, wanted = int(plan["n_items"]), plan["items_to_halve"]
    law, own = plan["law_margin"], plan["items_margin"]
    if pd.isna(own):
        return "How sure the prediction is cannot be told."
    share = law**2 / (law**2 + own**2) if law or own else 0.0
    if pd.isna(wanted):
        return (
            f"No number of items would halve the interval at {plan['target']}: {100 * share:.0f} % of its variance is "
            "the law's own error so far from the pilot. A larger team in the pilot would help."
        )
    return (
        f"With {int(wanted):,} items in place of {items:,}, the interval at {plan['target']} would be half as wide "
        f"({100 * share:.0f} % of its variance is the law's own error, which items do not shrink)."
    )


def amount(value: float, unit: str) -> str:
    """A budget in words."""
    return f"{value:,.4g} USD" if unit == "usd" else f"{value:,.0f} tokens"


def _between(plan: Row) -> str:
    if pd.isna(plan["n_eff_low"]):
        return ""
    return f" [{_number(plan['n_eff_low'])}, {_number(plan['n_eff_high'])}]"


def _number(value: float) -> str:
    return f"{value:.1f}" if value >= 2 else f"{value:.2f}"


def _size(value: Any) -> int | None:
    return None if value is None or pd.isna(value) else int(value)


def _or_more(size: int) -> str:
    return f"{size} or more" if size >= MOST else str(size)
