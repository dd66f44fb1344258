"""Teams that answer letters, their measures, and made-up moves and votes of the same teams."""

from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.joined import TeamNumbers
from headcount.measures.table import measure
from headcount.schema import ANSWERS, MEASURES, MOVES, VOTES
from headcount.store import conform

KEYS = list(MEASURES.keys)
CONDITIONS = ("debate", "noise", "self_correction", "self_consistency")
RULES = ("plurality", "confidence_weighted", "top_probability")


def answers(
    *, items=12, sizes=(1, 2, 3, 5), conditions=CONDITIONS, rounds=3, replicates=1, missing=0.15, seed=0
) -> pd.DataFrame:
    """Columns of ANSWERS: agents who are right (A) as often as their item is easy, each round anew."""
    rng = np.random.default_rng(seed)
    easy = rng.beta(1, 1, items)
    teams = product(conditions, range(items), range(1, replicates + 1), sizes, range(1, rounds + 1))
    rows = [
        ("t", condition, f"item{item:03d}", replicate, n, k_of(condition, n), turn, agent)
        for condition, item, replicate, n, turn in teams
        if turn == 1 or condition != "self_consistency"
        for agent in range(1, n + 1)
    ]
    frame = pd.DataFrame(rows, columns=[*KEYS, "agent"])
    right = rng.random(len(frame)) < easy[frame["item"].str[4:].astype(int)]
    answer = np.where(right, "A", rng.choice(list("BCD"), len(frame))).astype(object)
    answer[rng.random(len(frame)) < missing] = None
    correct = pd.Series(answer == "A").astype("boolean").where(pd.notna(answer))
    tokens = {name: rng.integers(1, 100, len(frame)) for name in ("prompt_tokens", "completion_tokens")}
    reply = {"model": "m", "temperature": 0.4, "request": "r", "status": "parsed", "rule": "final"}
    details = {"confidence": 50.0, "n_tags": 1, "tags_disagree": False, "truncated": False, "logprob": -1.0}
    return frame.assign(answer=answer, correct=correct, **tokens, **reply, **details)


def k_of(condition: str, n: int) -> int:
    return 0 if condition in ("self_correction", "self_consistency") else n - 1


def measured(frame: pd.DataFrame) -> pa.Table:
    return measure(conform(frame, ANSWERS, "test"))


def moves_of(measures: pa.Table, seed: int = 0) -> pa.Table:
    """Made-up moves of every team in every revision: any numbers of agents, and some items with none."""
    rng = np.random.default_rng(seed)
    frame = measures.to_pandas()[KEYS]
    frame = frame[frame["round"] > 1]
    names = [name for name in MOVES.schema.names if name not in KEYS]
    numbers = {name: rng.integers(0, 3, len(frame)) for name in names if name != "mode_changed"}
    return conform(frame.assign(**numbers, mode_changed=rng.random(len(frame)) < 0.3), MOVES, "test")


def votes_of(measures: pa.Table, rules=RULES, seed: int = 0) -> pa.Table:
    """Votes in the last round of every shape: those of plurality are the team's answers, the others made up."""
    rng = np.random.default_rng(seed)
    frame = measures.to_pandas()
    shape = ["condition", "n", "k"]
    frame = frame[frame["round"] == frame.groupby(shape, observed=True)["round"].transform("max")]
    cast = [
        frame[KEYS].assign(
            rule=rule,
            answer=frame["team_answer"],
            correct=frame["team_correct"] if rule == "plurality" else rng.random(len(frame)) < 0.5,
            n_votes=frame["n_valid"],
            n_eff=frame["n_eff_answer"] * (1.0 if rule == "plurality" else rng.uniform(0.6, 1, len(frame))),
        )
        for rule in rules
    ]
    return conform(pd.concat(cast), VOTES, "test")


def team_of(frame: pd.DataFrame, subsets: pa.Table | None = None) -> TeamNumbers:
    measures = measured(frame)
    return TeamNumbers(measures, subsets, moves_of(measures), votes_of(measures))
