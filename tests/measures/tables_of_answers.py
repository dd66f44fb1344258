"""Made-up tables of answers, and the slow and obvious way to measure them."""

from collections import Counter
from itertools import combinations
from math import log2

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.measures.votes import tie_rank
from headcount.schema import ANSWERS, MEASURES
from headcount.store import conform

TEAM = list(MEASURES.keys)


def answers_frame(rng: np.random.Generator, teams: int = 60, missing: float = 0.2) -> pd.DataFrame:
    """Random teams of 1 to 6 that answer A to D (A is right) or nothing; columns of ANSWERS."""
    rows = []
    for team in range(teams):
        n = int(rng.integers(1, 7))
        key = {
            "task": f"task{team % 2}",
            "condition": ("debate", "noise", "self_correction")[team % 3],
            "item": f"item{team:03d}",
            "replicate": team % 2,
            "n": n,
            "k": n - 1,
            "round": 1 + team % 3,
        }
        for agent in range(1, n + 1):
            answer = None if rng.random() < missing else str(rng.choice(list("ABCD")))
            rows.append({**key, "agent": agent, "answer": answer})
    frame = pd.DataFrame(rows)
    correct = frame["answer"] == "A"
    return frame.assign(
        correct=correct.astype("boolean").where(frame["answer"].notna()),
        model="m",
        temperature=0.4,
        request="r",
        status="parsed",
        rule="final",
        confidence=50.0,
        n_tags=1,
        tags_disagree=False,
        truncated=False,
        logprob=-1.0,
        prompt_tokens=rng.integers(1, 100, len(frame)),
        completion_tokens=rng.integers(1, 100, len(frame)),
    )


def answers_table(frame: pd.DataFrame) -> pa.Table:
    return conform(frame, ANSWERS, "test")


def slow_measures(frame: pd.DataFrame) -> pd.DataFrame:
    """Measures by definition, one team at a time."""
    return pd.DataFrame(
        [
            dict(zip(TEAM, key, strict=True)) | slow_team(key[2], key[3], key[4], team)
            for key, team in frame.groupby(TEAM, sort=True)
        ]
    )


def slow_team(item: str, replicate: int, n: int, team: pd.DataFrame) -> dict[str, object]:
    given = [answer for answer in team["answer"] if isinstance(answer, str)]
    votes = Counter(given)
    most = max(votes.values(), default=0)
    tied = [answer for answer, count in votes.items() if count == most]
    choice = min(tied, key=lambda answer: tie_rank(item, replicate, answer)) if tied else None
    pairs = [a == b for a, b in combinations(given, 2)]
    h = -sum(count / len(given) * log2(count / len(given)) for count in votes.values())
    rho = float(np.mean(pairs)) if pairs else np.nan
    unanimous = len(votes) == 1 and len(given) >= min(2, n)
    return {
        "n_valid": len(given),
        "n_distinct": len(votes),
        "entropy": h if given else np.nan,
        "n_eff_answer": 2**h if given else np.nan,
        "agreement": rho,
        "n_eff_agreement": (1.0 if given else np.nan) if n == 1 else n / (1 + (n - 1) * rho),
        "pairs": len(pairs),
        "equal_pairs": sum(pairs),
        "n_correct": votes["A"],
        "correct_pairs": sum(a == b == "A" for a, b in combinations(given, 2)),
        "team_answer": choice,
        "team_correct": choice == "A",
        "expected_correct": ("A" in tied) / max(len(tied), 1),
        "tie": len(tied) > 1,
        "unanimous": unanimous,
        "unanimous_wrong": unanimous and choice != "A",
        "prompt_tokens": team["prompt_tokens"].sum(),
        "completion_tokens": team["completion_tokens"].sum(),
    }
