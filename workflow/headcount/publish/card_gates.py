"""What gates would have done with the debates of a card, all tasks together, and what a collapse must weigh."""

from typing import Any

import pandas as pd

from headcount.ledger.break_even import break_even
from headcount.publish.card_numbers import HINDSIGHT, Numbers
from headcount.publish.card_words import ends, number, points, whole
from headcount.publish.gate_words import GATE_NAMES
from headcount.schema.ledger import UTILITY_WEIGHTS

SHOWN = 5  # gates beside the oracle that a card has room for
NO_DEBATE = "always_freeze"


def gates(numbers: Numbers, confidence: float) -> dict[str, Any] | None:
    """Rows of gates, the best first, and what they say in a sentence; None where there is nothing to freeze."""
    rows = numbers.gates
    if rows.empty:
        return None
    oracle = rows[rows["gate"] == "oracle"]
    own = rows[~rows["knows"].isin(HINDSIGHT)].sort_values("net", ascending=False, kind="stable")
    best = own.head(SHOWN)
    if NO_DEBATE not in set(best["gate"]):
        best = pd.concat([best.head(SHOWN - 1), own[own["gate"] == NO_DEBATE]])
    shown = [_row(row, confidence) for row in pd.concat([oracle, best]).to_dict("records")]
    return {
        "weights": [f"{weight:g}" for weight in UTILITY_WEIGHTS],
        "rows": shown,
        "best": _best(own.to_dict("records"), confidence),
        "debate": _without_debate(next(row for row in own.to_dict("records") if row["gate"] == NO_DEBATE), confidence),
    }


def utility(row: dict[Any, Any], weight: float) -> float:
    """Corrections gained per debate by a gate, where a collapse weighs so many.

    U = weight * (prevented - broken) - (lost - repaired), over the labelled debates (arXiv 2609.35279, section 8 of its
    protocol).
    """
    gained = weight * (row["prevented"] - row["broken"]) - (row["lost"] - row["repaired"])
    return float(gained / row["debates"]) if row["debates"] else float("nan")


def _row(row: dict[Any, Any], confidence: float) -> dict[str, Any]:
    even = break_even(int(row["prevented"]), int(row["lost"]), confidence)
    ladder = [utility(row, weight) for weight in UTILITY_WEIGHTS]
    return {
        "gate": row["gate"],
        "name": GATE_NAMES.get(row["gate"], row["gate"].replace("_", " ")),
        "learned": row["gate"].startswith("learned_"),
        "prevented": whole(row["prevented"]),
        "lost": whole(row["lost"]),
        "net": number(row["net"], 0),
        "break_even": "∞" if even.ratio == float("inf") else number(even.ratio),
        "interval": ends(even.low, even.high, 2, 1),
        "ladder": [(points(value), "gain" if value > 0 else "loss" if value < 0 else "even") for value in ladder],
    }


def _without_debate(row: dict[Any, Any], confidence: float) -> str:
    """From which weight on it pays not to debate at all."""
    even = break_even(int(row["prevented"]), int(row["lost"]), confidence)
    if not row["prevented"]:
        return "Not to debate at all prevents nothing here: there was no collapse."
    if not row["lost"]:
        return "Not to debate at all loses nothing here: there was no correction."
    where = f"{number(even.ratio)} corrections {ends(even.low, even.high, 2, 1)}"
    return f"Not to debate at all pays where a collapse weighs more than {where}."


def _best(rows: list[dict[Any, Any]], confidence: float) -> dict[str, Any] | None:
    """The gate of the largest net; None where none is above 0. Sure if its break-even stays below 1."""
    if not rows or not rows[0]["net"] > 0:
        return None
    best = rows[0]
    even = break_even(int(best["prevented"]), int(best["lost"]), confidence)
    return {
        "name": GATE_NAMES.get(best["gate"], best["gate"].replace("_", " ")),
        "net": whole(best["net"]),
        "gain": points(best["net"] / best["debates"]),
        "sure": even.high < 1,
        "learned": best["gate"].startswith("learned_"),
    }
