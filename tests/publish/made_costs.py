"""Costs of the made-up run: numbers that say where they come from."""

from collections.abc import Iterator
from typing import Any

from made_gates import _cells
from made_series import QWEN, number

TOKENS = {"calls": 900, "repairs": 0, "prompt_tokens": 9000, "completion_tokens": 600, "revision_tokens": 6000}


def cost(cell: dict[str, Any], name: str) -> float:
    return number(*(cell[key] for key in ("team", "task", "condition", "n", "k", "round")), "cost", name)


def ledger_costs() -> Iterator[dict[str, Any]]:
    for cell in _cells():
        kept = {"debate": 10, "self_correction": -4}.get(cell["condition"], 0)
        row = (
            cell | TOKENS | {"part": "debate", "collapses": 20, "corrections": 20 + kept, "kept": kept, "n_items": 724}
        )
        row |= {"usd": None, "seconds": cost(cell, "seconds"), "calls_per_200": 250.0, "reference_per_200": 240.0}
        paid = {"tokens_per_kept": 960.0, "revision_tokens_per_kept": 600.0, "seconds_per_kept": row["seconds"] / 10}
        yield row | {"usd_per_kept": None} | (paid if kept > 0 else dict.fromkeys(paid))
    for part, condition in (
        ("screen_first", "default"),
        ("screen_probes", "default"),
        ("screen_probes", "anti_social"),
    ):
        about = {"team": QWEN, "task": "mmlu_hard", "condition": condition, "n": 3, "k": 0, "round": 1}
        nothing = ("collapses", "corrections", "kept", "tokens_per_kept", "revision_tokens_per_kept")
        nothing += ("usd", "usd_per_kept", "seconds_per_kept")
        row = (
            about
            | TOKENS
            | {"part": part, "repairs": 7, "revision_tokens": 0, "simulated": False}
            | dict.fromkeys(nothing)
        )
        yield row | {"seconds": 2.5, "calls_per_200": 700.0, "reference_per_200": 600.0, "n_items": 40}
