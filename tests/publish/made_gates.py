"""Gates on the made-up run: numbers that say where they come from."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from made_series import Series, number, series

from headcount.ledger.gate_outcomes import KNOWN
from headcount.schema.ledger import ALL, UTILITIES

FIXED = ("always_freeze", "anti_oracle", "any_r1_flip", "disagreement", "never", "oracle", "r1_majority_changed")
NOT_LEARNED, LEARNED = "learned_r0_stump", "learned_r1_stump"
PROBED, SHIELD = "learned_probe_freeze", "shield_in_sample_safest"
RULES = {
    LEARNED: "r1_agree_frac ≤ 0.5",
    PROBED: "risk > 0.2, to the first majority",
    SHIELD: "probe_mean_fr > 0.35",
}
NET = {PROBED: 25}  # the others lose
SETS = ("first_answers", "round_1", "probes")


def utility(cell: dict[str, Any], gate: str, name: str) -> float:
    return number(*(cell[key] for key in ("team", "task", "condition", "n", "k", "round")), gate, name)


def gate_outcomes() -> Iterator[dict[str, Any]]:
    for cell in [*_cells(), *_together()]:
        for gate in (*FIXED, *RULES, NOT_LEARNED):
            ledger = {"models": 4, "debates": 1000, "collapses": 80, "corrections": 90, "right": 500, "n_items": 724}
            told = gate != NOT_LEARNED and (cell["team"] != ALL or gate == SHIELD)
            row = cell | ledger | {"gate": gate, "knows": KNOWN[gate], "rule": RULES.get(gate) if told else None}
            if gate == NOT_LEARNED:
                if cell["team"] == ALL:
                    yield row | {"models": 2}
                continue
            row |= {"fired": 70, "prevented": 20, "lost": 30, "broken": 0, "repaired": 0, "accuracy": 0.49}
            row |= {"net": NET.get(gate, -10)}
            row |= {"break_even": 1.5, "break_even_low": 0.8, "break_even_high": 2.7}
            ends = product(UTILITIES, (("", 0.0), ("_low", -0.01), ("_high", 0.01)))
            yield row | {f"{name}{end}": utility(cell, gate, name) + off for name, (end, off) in ends}


def localisation() -> Iterator[dict[str, Any]]:
    cells = [cell for cell in _cells() if cell["task"] == "mmlu_hard"]
    for cell, features in product([*cells, *_together()], SETS):
        team = {name: cell[name] for name in ("team", "condition", "n", "k", "round", "simulated")}
        folds = ("question", "question_and_model") if cell["team"] == ALL else ("question",)
        for kept in folds:
            area = number(cell["team"], cell["condition"], cell["n"], cell["k"], cell["round"], kept, features)
            ends = {"auc": area, "low": area - 0.01, "high": area + 0.01}
            gains = {"gain": area / 2, "gain_low": area / 2 - 0.01, "gain_high": area / 2 + 0.01}
            counts = {"debates": 500, "collapses": 80, "probed": 250, "n_items": 700}
            yield team | {"folds": kept, "features": features} | ends | gains | counts


def _cells() -> Iterator[dict[str, Any]]:
    for s in series():
        if s.turn > 1 and s.subsets == "first":
            for n in (n for n in s.sizes if n > 1 and s.peers != str(n - 1)):
                yield {name: s.key[name] for name in _KEYS} | {"n": n, "k": _heard(s, n)}


def _together() -> Iterator[dict[str, Any]]:
    for condition, n, turn in product(("debate", "self_correction", "noise"), (2, 3, 30), (2, 3)):
        heard = 0 if condition == "self_correction" else n - 1
        about = {"team": ALL, "task": ALL, "condition": condition, "round": turn, "simulated": False}
        yield about | {"n": n, "k": heard}


def _heard(s: Series, n: int) -> int:
    return {"full": n - 1, "none": 0}[s.peers] if s.peers in ("full", "none") else int(s.peers)


_KEYS = ("team", "task", "condition", "round", "simulated")
