"""Rows about mixed teams: their families, and panels of their models."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any
from zlib import crc32

from made_series import ENDS, HETERO, around, number, series

from headcount.publish.words import AVERAGINGS, PAIR_QUANTITIES, RELATIONS

FAMILIES = ("llama", "mistral", "qwen")


def mixing() -> Iterator[dict[str, Any]]:
    blocks = [("within", "within"), ("between", "between")]
    blocks += [(one, other) for one in FAMILIES for other in FAMILIES if one <= other]
    for task, turn, n, (family, other) in product(("mmlu_hard", "gsm_hard"), (1, 3), (0, 6, 30), blocks):
        pairs = 1000 + crc32(f"{task}{family}{other}".encode()) % 1000
        equal = int(pairs * number(task, turn, n, family, other))
        key = {"team": HETERO, "task": task, "condition": "debate", "peers": "full", "round": turn, "n": n}
        key |= {"family": family, "family_other": other, "simulated": False}
        yield key | {"pairs": pairs, "equal_pairs": equal, "n_items": 200} | around(equal / pairs)


PANELS = (("self_consistency", 1), ("debate", 1), ("debate", 2), ("debate", 3))
MODELS = {"a-qwen": "qwen", "b-llama": "llama", "c-qwen": "qwen"}


def panel(condition: str, turn: int) -> dict[str, Any]:
    return {"team": HETERO, "task": "mmlu_hard", "condition": condition, "round": turn, "simulated": False}


def pairs() -> Iterator[dict[str, Any]]:
    for place, (one, other), quantity in product(PANELS, combinations(MODELS, 2), PAIR_QUANTITIES):
        names = {"model": one, "model_other": other, "family": MODELS[one], "family_other": MODELS[other]}
        counts = {"quantity": quantity, "events": 100 + crc32(f"{one}{other}".encode()) % 50, "n_items": 724}
        yield panel(*place) | names | counts | around(number(*place, one, other, quantity))


def pair_means() -> Iterator[dict[str, Any]]:
    for place, *key in product(PANELS, RELATIONS, AVERAGINGS, PAIR_QUANTITIES):
        relation, averaging, quantity = key
        named = {"relation": relation, "averaging": averaging, "quantity": quantity}
        yield panel(*place) | named | {"pairs": 3, "events": 300, "n_items": 724} | around(number(*place, *key))


CROWD_RULES = ("plurality", "dawid_skene", "wawa")


def crowd() -> Iterator[dict[str, Any]]:
    for place, rule in product(PANELS, CROWD_RULES):
        told = around(number(*place, rule))
        shift = {f"difference{end}": number(*place, rule, "shift") + off for end, off in ENDS.items()}
        yield panel(*place) | {"rule": rule, "models": 3, "unanswered": 2, "n_items": 724} | told | shift


def best_member() -> Iterator[dict[str, Any]]:
    halves = [(0, 0), *product((1, 2), (1, 2))]
    for place, (split, half), rule in product(PANELS, halves, ("best_member", *CROWD_RULES)):
        lead = {"best_member": 0.0}.get(rule, number(*place, split, half, rule) - 0.5)
        member = None if split == 0 else ("a-qwen" if (split, half) == (1, 1) else "b-llama")
        key = {"split": split, "half": half, "rule": rule, "member": member, "n_items": 362}
        told = around(number(*place, split, half, rule, "accuracy"))
        yield panel(*place) | key | told | {f"difference{end}": lead + off for end, off in ENDS.items()}


def calibration() -> Iterator[dict[str, Any]]:
    for s in series():
        if s.team == HETERO and s.subsets == "first":
            for n, place in product(s.sizes, (0, 4, 10)):
                share, accuracy = s.number(n, place, "share"), s.number(n, place, "accuracy")
                yield {name: value for name, value in s.key.items() if name != "subsets"} | {
                    **{"n": n, "bin": place, "share_low": (place - 1) / 10 if place else 0.0},
                    **{"share_high": place / 10 if place else 1.0, "items": 50 + place, "share": share},
                    **{"accuracy": accuracy, "accuracy_low": accuracy - 0.1, "accuracy_high": accuracy + 0.1},
                    **{"error": abs(share - accuracy), "unanimous_wrong": s.number(n, place, "unanimous")},
                }
