"""What quantities average that no file holds: numbers of a team, from its own row and from its round 1.

Each is per row, before anything is averaged over items, and NaN in a row that lacks one of its ingredients.
"""

from collections.abc import Mapping

import numpy as np

from headcount.laws.joined import Columns
from headcount.measures.arrays import FloatArray
from headcount.measures.correctness import right_in_pairs, share, squared_accuracy


def derived(rows: Mapping[str, FloatArray]) -> Columns:
    """Further columns of joined rows; those that need the entropy are left out of means over all teams of n."""
    return (
        {"others": np.where(rows["k"] > 0, rows["k"], rows["n"] - 1.0)}  # heard, or there to be heard
        | _right_in_pairs(rows)
        | _bands(rows)
        | _pairs_by_first_round(rows)
        | (_missing(rows) if "entropy" in rows else {})
        | _shifts(rows)
    )


def n_eff_missing_own(entropy: FloatArray, n_valid: FloatArray, n: FloatArray) -> FloatArray:
    """2^H if each missing answer were an answer that nobody else gave (ours; an upper end).

    With v of n valid: H = (v/n) (H_valid - log2(v/n)) + (1 - v/n) log2 n.

    Args:
        entropy, n_valid, n: (teams,), in bits, agents, agents; entropy is NaN where nobody answered.

    Returns:
        (teams,) in agents, from 1 to n.
    """
    valid = n_valid / n
    return np.exp2(_of_valid(entropy, valid) + (1.0 - valid) * np.log2(n))


def n_eff_missing_one(entropy: FloatArray, n_valid: FloatArray, n: FloatArray) -> FloatArray:
    """2^H if all missing answers of a team were one and the same answer (ours).

    With v of n valid: H = (v/n) (H_valid - log2(v/n)) - (1 - v/n) log2(1 - v/n).

    Args:
        entropy, n_valid, n: as in `n_eff_missing_own`.

    Returns:
        (teams,) in agents, from 1 to n.
    """
    valid = n_valid / n
    return np.exp2(_of_valid(entropy, valid) - _x_log2_x(1.0 - valid))


def _of_valid(entropy: FloatArray, valid: FloatArray) -> FloatArray:
    return np.where(valid > 0, valid * entropy, 0.0) - _x_log2_x(valid)


def _x_log2_x(x: FloatArray) -> FloatArray:
    return np.asarray(x * np.log2(np.where(x > 0, x, 1.0)))


def _missing(rows: Mapping[str, FloatArray]) -> Columns:
    """Effective sizes under other readings of a missing answer."""
    ingredients = rows["entropy"], rows["n_valid"], rows["n"]
    return {
        "r_over_valid": share(rows["n_eff_answer"], rows["n_valid"]),
        "n_eff_missing_own": n_eff_missing_own(*ingredients),
        "n_eff_missing_one": n_eff_missing_one(*ingredients),
    }


def _bands(rows: Mapping[str, FloatArray]) -> Columns:
    """Agreement of the teams that agreed little, somewhat or much in round 1 (arXiv 2606.02646, app. I)."""
    first = rows["first_agreement"]
    inside = {
        "low": first < 0.4,
        "middle": (first >= 0.4) & (first <= 0.7),
        "high": first > 0.7,
    }
    return {f"agreement_{band}": np.where(here, rows["agreement"], np.nan) for band, here in inside.items()}


def _right_in_pairs(rows: Mapping[str, FloatArray]) -> Columns:
    """What the correlation of correctness needs beside the counts of pairs, now and in round 1."""
    names = ("n_correct", "n_valid", "pairs")
    return {
        f"{when}right_in_pairs": right_in_pairs(*(rows[f"{when}{name}"] for name in names)) for when in ("", "first_")
    }


def _pairs_by_first_round(rows: Mapping[str, FloatArray]) -> Columns:
    """Pairs both right, now and in round 1, and agents right in round 1; of teams with pairs in both."""
    both = share(rows["correct_pairs"], rows["pairs"])
    both_first = share(rows["first_correct_pairs"], rows["first_pairs"])
    right = share(rows["first_n_correct"], rows["first_n_valid"])
    square = squared_accuracy(rows["first_n_correct"], rows["first_n_valid"], rows["first_correct_pairs"])
    known = np.isfinite(both) & np.isfinite(both_first)
    columns = {"both": both, "both_first": both_first, "right_first": right, "right_first_squared": square}
    return {name: np.where(known, column, np.nan) for name, column in columns.items()}


def _shifts(rows: Mapping[str, FloatArray]) -> Columns:
    """1 where a rule is right and plurality is not, -1 where it is the other way round."""
    prefix = "vote_correct_"
    votes = {name.removeprefix(prefix): column for name, column in rows.items() if name.startswith(prefix)}
    baseline = votes.pop("plurality", None)
    return {} if baseline is None else {f"vote_shift_{rule}": column - baseline for rule, column in votes.items()}
