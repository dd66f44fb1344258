"""What the debates and screens of a card took, all tasks together, and what a kept correction cost."""

from typing import Any

import pandas as pd

from headcount.ledger.costs import DEBATE, QUESTIONS
from headcount.publish.card_numbers import Numbers
from headcount.publish.card_words import known, number, whole
from headcount.publish.words import EMPTY

NONE_KEPT = "none kept"
_PARTS = {"debates": True, "screen": False}


def costs(numbers: Numbers) -> list[dict[str, Any]]:
    """A row for debates and one for screens, as far as there are any."""
    is_debate = numbers.costs["part"] == DEBATE
    parts = {name: numbers.costs[is_debate == wanted] for name, wanted in _PARTS.items()}
    return [_part(name, rows) for name, rows in parts.items() if len(rows)]


def _part(name: str, rows: pd.DataFrame) -> dict[str, Any]:
    tokens = int(rows["prompt_tokens"].sum() + rows["completion_tokens"].sum())
    usd, seconds = (rows[column].sum(skipna=False) for column in ("usd", "seconds"))
    kept = int(rows["kept"].sum()) if name == "debates" else None
    questions = int(rows.groupby("task")["n_items"].max().sum())
    reference = float((rows["reference_per_200"] * rows["n_items"]).sum() / questions)
    calls = int(rows["calls"].sum()) if tokens or name == "debates" else 0  # others' probes come without their requests
    return {
        "name": name,
        "calls": whole(calls) if calls else EMPTY,
        "prompt": whole(int(rows["prompt_tokens"].sum())) if tokens else EMPTY,
        "completion": whole(int(rows["completion_tokens"].sum())) if tokens else EMPTY,
        "usd": number(usd, 4),
        "seconds": number(seconds, 1),
        "kept": EMPTY if kept is None else number(kept, 0),
        "per_kept": [
            _per(value, kept, decimals) for value, decimals in ((tokens or float("nan"), 0), (usd, 4), (seconds, 1))
        ],
        "used": whole(QUESTIONS * calls / questions) if calls else EMPTY,
        "reference": whole(reference),
    }


def _per(value: float, kept: int | None, decimals: int) -> str:
    """Of each kept correction; screens correct nothing."""
    if kept is None or not known(value):
        return EMPTY
    return number(value / kept, decimals) if kept > 0 else NONE_KEPT
