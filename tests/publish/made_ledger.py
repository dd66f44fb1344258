"""The ledger of the made-up run: rates that say where they come from."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from made_series import Series, number, series

CODINGS = {
    "complete_case": (
        *("collapse", "correction", "net", "initial_accuracy", "final_accuracy", "unlabelled", "changed_answers"),
        *("tied_ends", "initial_missing", "final_missing", "transient_break", "onset_2", "onset_3", "onset_7"),
        *(f"{rate}{null}" for rate in ("collapse", "correction") for null in ("_redraw", "_minus_redraw")),
        *("collapse_minus_self_correction", "correction_minus_self_correction"),
    ),
    **dict.fromkeys(
        ("undefined_wrong", "reverse_alphabetical", "strict_plurality", "keep_previous", "random_tie"),
        ("collapse", "correction", "unlabelled", "relabelled"),
    ),
    **dict.fromkeys(("no_fallback", "tag_only"), ("collapse", "correction", "unlabelled", "relabelled")),
    **dict.fromkeys(("missing_lowest", "missing_highest"), ("collapse", "correction", "net")),
}
_NOT_SHARES = ("net", "changed_answers", "tied_ends", "initial_missing", "final_missing")


def rate(s: Series, n: int, coding: str, quantity: str) -> float:
    return number(s.team, s.task, s.condition, s.peers, s.turn, n, coding, quantity)


def ledger_rates() -> Iterator[dict[str, Any]]:
    for s in series():
        heard = {"full": None, "none": 0}.get(s.peers, s.peers)
        if s.turn == 1 or s.subsets != "first":
            continue
        sizes = [n for n in s.sizes if s.peers != str(n - 1)]  # of whom all are heard, they are with those
        for n, (coding, quantities) in product(sizes, CODINGS.items()):
            for quantity in quantities:
                value = rate(s, n, coding, quantity)
                share = quantity not in _NOT_SHARES and "_redraw" not in quantity and "_minus_" not in quantity
                about = {name: s.key[name] for name in ("team", "task", "condition", "round", "simulated")}
                yield about | {
                    **{"n": n, "k": n - 1 if heard is None else int(heard), "coding": coding, "quantity": quantity},
                    **{"events": round(100 * value), "base": 100, "value": value, "n_items": 724},
                    **{f"wilson_{end}": value + off if share else None for end, off in _ENDS.items()},
                    **{f"jeffreys_{end}": None for end in _ENDS},
                    **{end: value + 2 * off for end, off in _ENDS.items()},
                }


def stable(s: Series, n: int, coding: str, label: str, recoded: str) -> int:
    """Debates that have one label, and another by a coding; all but a few have the same."""
    return int(100 * number(s.team, s.task, s.condition, s.turn, n, coding, label, recoded)) + 200 * (label == recoded)


def ledger_stability() -> Iterator[dict[str, Any]]:
    """Every label stays or becomes one other; strict plurality alone leaves teams unlabelled."""
    for s in series():
        if s.turn == 1 or s.subsets != "first":
            continue
        heard = {"full": None, "none": 0}.get(s.peers, s.peers)
        about = {name: s.key[name] for name in ("team", "task", "condition", "round", "simulated")}
        for n, (coding, moves) in product((n for n in s.sizes if s.peers != str(n - 1)), MOVES.items()):
            shape = {"n": n, "k": n - 1 if heard is None else int(heard), "coding": coding}
            for label, recoded in (*((label, label) for label in moves), *moves.items()):
                key = {"transition": label, "recoded": recoded}
                yield about | shape | key | {"debates": stable(s, n, coding, label, recoded)}


MOVES = {
    "reverse_alphabetical": {"collapse": "preserved", "correction": "unrepaired", "preserved": "collapse"},
    "strict_plurality": {"collapse": "unlabelled", "unrepaired": "unlabelled"},
}
_ENDS = {"low": -0.01, "high": 0.01}
