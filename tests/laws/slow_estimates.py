"""Quantities of one series at one size by definition: teams one by one, agents one by one.

Takes answers (rows of ANSWERS) of one condition, n and k. Replicates of an item are averaged first.
"""

from collections import Counter
from itertools import combinations
from math import log2

import numpy as np
import pandas as pd

BANDS = {"low": lambda a: a < 0.4, "middle": lambda a: 0.4 <= a <= 0.7, "high": lambda a: a > 0.7}


def entropy(symbols) -> float:
    shares = [count / len(symbols) for count in Counter(symbols).values()]
    return -sum(share * log2(share) for share in shares)


def team_numbers(agents: pd.DataFrame) -> dict[str, float]:
    """What is to be averaged over items, of one team in one round."""
    given = [answer for answer in agents["answer"] if isinstance(answer, str)]
    silent = len(agents) - len(given)
    pairs = list(combinations(given, 2))
    equal = [a == b for a, b in pairs]
    both = [a == b == "A" for a, b in pairs]
    size = 2 ** entropy(given) if given else np.nan
    alone = len(agents) == 1
    agreement = np.mean(equal) if pairs else np.nan
    kish = (1.0 if given else np.nan) if alone else len(agents) / (1 + (len(agents) - 1) * agreement)
    return {
        "n_eff_answer": size,
        "n_eff_agreement": kish,
        "agreement": agreement,
        "r_over_valid": size / len(given) if given else np.nan,
        "n_eff_missing_own": 2 ** entropy([*given, *range(silent)]),
        "n_eff_missing_one": 2 ** entropy([*given, *[None] * silent]),
        "valid": len(given),
        "right": given.count("A"),
        "pairs": len(pairs),
        "equal": sum(equal),
        "both": sum(both),
        "both_share": np.mean(both) if pairs else np.nan,
        "right_share": given.count("A") / len(given) if given else np.nan,
        "tie": len(tied(given)) > 1,
        "unanimous": len(set(given)) == 1 and len(given) >= min(2, len(agents)),
        "unanimous_wrong": len(set(given)) == 1 and len(given) >= min(2, len(agents)) and given[0] != "A",
        "expected": ("A" in tied(given)) / max(len(tied(given)), 1),
        "prompt": agents["prompt_tokens"].sum(),
        "completion": agents["completion_tokens"].sum(),
    }


def tied(given) -> list[str]:
    votes = Counter(given)
    return [answer for answer, count in votes.items() if count == max(votes.values())]


def slow_estimates(frame: pd.DataFrame, turn: int) -> dict[str, float]:
    """Quantities of MEASURES at a round; `frame` has all rounds of a series at one size."""
    n = int(frame["n"].iloc[0])
    teams = {key: team_numbers(agents) for key, agents in frame.groupby(["item", "replicate", "round"])}
    now = pd.DataFrame({key[:2]: number for key, number in teams.items() if key[2] == turn}).T.astype(float)
    first = pd.DataFrame({key[:2]: number for key, number in teams.items() if key[2] == 1}).T.astype(float)
    to_here = {
        name: pd.Series(
            {key[:2]: sum(teams[*key[:2], r][name] for r in range(1, turn + 1)) for key in teams if key[2] == turn}
        )
        for name in ("prompt", "completion")
    }
    size = mean(now["n_eff_answer"])
    pooled = ratio(now["equal"], now["pairs"])
    values = {
        **{name: mean(now[name]) for name in ("n_eff_answer", "n_eff_agreement", "tie", "unanimous")},
        **{name: mean(now[name]) for name in ("n_eff_missing_own", "n_eff_missing_one", "r_over_valid")},
        "unanimous_wrong": mean(now["unanimous_wrong"]),
        "n_eff_pooled_agreement": n / (1 + (n - 1) * pooled) if n > 1 else 1.0,
        "rho_answer": (n / size - 1) / (n - 1) if n > 1 else np.nan,
        "agreement": pooled,
        "agreement_item_mean": mean(now["agreement"]),
        "icc": correlation(now),
        "icc_first": correlation(first),
        "expected_accuracy": mean(now["expected"]),
        "agent_accuracy": ratio(now["right"], now["valid"]),
        "agent_accuracy_missing_wrong": mean(now["right"]) / n,
        "missing": 1 - mean(now["valid"]) / n,
        "prompt_tokens": mean(now["prompt"]),
        "completion_tokens": mean(now["completion"]),
        "prompt_tokens_to_here": mean(to_here["prompt"]),
        "completion_tokens_to_here": mean(to_here["completion"]),
        "prompt_tokens_per_n_eff": mean(now["prompt"]) / size,
        "prompt_tokens_to_here_per_n_eff": mean(to_here["prompt"]) / size,
    }
    values["n_eff_correctness"] = over(n, 1 + (n - 1) * values["icc"]) if n > 1 else 1.0
    for band, inside in BANDS.items():
        values[f"agreement_{band}"] = mean(now["agreement"][[inside(a) for a in first["agreement"]]])
    known = now["both_share"].notna() & first["both_share"].notna()
    last, pairs, right = now["both_share"][known], first["both_share"][known], first["right_share"][known]
    if known.any():
        values["icc_conditioned"] = over(mean(last - right**2), mean(right - right**2))
        values["icc_change"] = over(mean(last - pairs), mean(right - pairs))
    return values


def correlation(teams: pd.DataFrame) -> float:
    p = ratio(teams["right"] * (teams["valid"] - 1) / 2, teams["pairs"])  # over the agents of pairs
    both = ratio(teams["both"], teams["pairs"])
    return over(both - p**2, p * (1 - p))


def mean(values: pd.Series) -> float:
    """Over items, after the mean over the replicates of each that have a value."""
    return float(values.groupby(level=0).mean().mean())


def ratio(part: pd.Series, whole: pd.Series) -> float:
    return over(part.sum(), whole.sum())


def over(part: float, whole: float) -> float:
    return float(part / whole) if abs(whole) > 1e-9 else np.nan
