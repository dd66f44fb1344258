"""Plans, their sizes, and teams beside samples, of the series of the made-up run."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from made_series import ENDS, NEWCOMER, Series, series

WHOLE = {"self_consistency": "none", "debate": "full", "self_correction": "none", "noise": "full"}
AT = (2, 3, 5, 6, 10, 30, 40, 100)
LEVELS = ("answer", "pooled_agreement")


def planned() -> Iterator[Series]:
    """The last series of each condition that has a pilot."""
    for s in series():
        last = s.condition == "self_consistency" or s.turn == 3
        if last and s.peers == WHOLE[s.condition] and len(s.sizes) > 2:
            yield s


def with_ends(s: Series, name: str, *more: Any) -> dict[str, float]:
    value = s.number(name, *more)
    return {f"{name}{end}": value + off for end, off in ENDS.items()}


def pilots() -> Iterator[dict[str, Any]]:
    for s, level in product(planned(), LEVELS):
        told = s.team != NEWCOMER
        costs = ("base_prompt_tokens", "prompt_tokens_per_peer", "completion_tokens", "first_tokens")
        yield s.key | {
            **{"level": level, "pilot": [n for n in s.sizes if 1 < n < 6], "n_items": 724, "target": 30},
            **{k: v for name in ("c", "beta", "n_eff", "accuracy") for k, v in with_ends(s, name, level).items()},
            **{"regime": "undetermined", "agent_accuracy": 0.5, "wrong_agreement": 0.2},
            **{"items_margin": 0.2, "law_margin": 0.1, "items_to_halve": 9000.0, "items_for_c": 3000.0},
            **{name: s.number(name) if told else None for name in costs},
            **{"budget": 1500.0 if told else None, "budget_unit": "tokens" if told else None},
            **{"stop": 5 if told else None, "stop_low": 3 if told else None, "stop_high": 100 if told else None},
            "flags": ["wrong_answers_scatter"] if told else ["no_tokens"],
        }


def pilot_sizes() -> Iterator[dict[str, Any]]:
    for s, level, n in product(planned(), LEVELS, AT):
        told, run = s.team != NEWCOMER, n in s.sizes
        seen = {
            k: v if run else None for name in ("seen_n_eff", "seen_accuracy") for k, v in with_ends(s, name, n).items()
        }
        yield s.key | {
            **{"level": level, "n": n, "in_pilot": run and n < 6, "held_out": run and n >= 6},
            **{k: v for name in ("n_eff", "accuracy") for k, v in with_ends(s, name, level, n).items()},
            **seen,
            "projection": s.number("projection", n),
            **{"prompt_tokens": 100.0 * n * n if told else None, "completion_tokens": 50.0 * n if told else None},
            **{"usd": None, "next_agent": 1000.0 * n if told and n < 40 else None},
        }


def budgets() -> Iterator[dict[str, Any]]:
    for s in planned():
        if s.subsets == "first":
            key = {name: value for name, value in s.key.items() if name not in ("subsets", "peers")} | {"n_items": 724}
            alone = s.condition == "self_consistency"
            for n, budget in product(
                [n for n in s.sizes if alone or n > 1], ["own"] if alone else ["own", "calls", "tokens"]
            ):
                kinds = ("accuracy", "n_eff") if budget == "own" else KINDS
                nothing = dict.fromkeys(f"{kind}{end}" for kind in KINDS for end in ENDS)
                numbers = {k: v for kind in kinds for k, v in with_ends(s, kind, n, budget).items()}
                told = s.team != NEWCOMER
                yield (
                    key
                    | nothing
                    | numbers
                    | {
                        **{"n": n, "budget": budget, "calls": float(n if alone else 3 * n)},
                        **{"tokens": 150.0 * n * n if told else None, "capped": n > 5 and not alone},
                        "samples": None if budget == "own" and not alone else float(n),
                    }
                )


KINDS = ("accuracy", "n_eff", "accuracy_difference", "n_eff_difference")
