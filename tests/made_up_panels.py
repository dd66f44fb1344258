"""Teams of several models whose answers are made up: rows of ANSWERS from a table of items by agents."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.schema import ANSWERS
from headcount.store import conform

LETTERS = np.array(list("ABCDEFGHIJ"), dtype=object)


def answers_of(
    codes: np.ndarray, gold: np.ndarray, models: Sequence[str], *, items: Sequence[str] = (), **key
) -> pd.DataFrame:
    """Rows of one team: answers (items, agents) as places of letters, -1 where missing; gold (items,).

    Args:
        models: the model of each agent.
        key: columns of ANSWERS to set; by default replicate 1 of a round 1 in which nobody is heard.
    """
    m, n = codes.shape
    names = np.array(list(items) or [f"item{i:04d}" for i in range(m)], dtype=object)
    answer = np.where(codes.ravel() >= 0, LETTERS[codes.ravel()], None)
    correct = pd.Series(codes.ravel() == np.repeat(gold, n)).astype("boolean").where(pd.notna(answer))
    place = {"task": "t", "condition": "self_consistency", "replicate": 1, "k": 0, "round": 1} | key
    frame = pd.DataFrame({"item": np.repeat(names, n), "agent": np.tile(np.arange(1, n + 1), m)})
    reply = {"temperature": 0.4, "request": "r", "status": "parsed", "rule": "final", "confidence": 50.0, "n_tags": 1}
    rest = {"tags_disagree": False, "truncated": False, "logprob": -1.0, "prompt_tokens": 1, "completion_tokens": 1}
    return frame.assign(n=n, model=np.tile(list(models), m), answer=answer, correct=correct, **place, **reply, **rest)


def table_of(*frames: pd.DataFrame) -> pa.Table:
    return conform(pd.concat(frames), ANSWERS, "test")


def random_codes(
    rng: np.random.Generator, items: int, accuracy: Sequence[float], *, options: int = 4, missing: float = 0.1
) -> tuple[np.ndarray, np.ndarray]:
    """Answers (items, agents) and gold (items,): independent agents, wrong ones pick any wrong option alike."""
    gold = rng.integers(0, options, items)
    right = rng.random((items, len(accuracy))) < np.array(accuracy)
    wrong = (gold[:, None] + rng.integers(1, options, right.shape)) % options
    codes = np.where(right, gold[:, None], wrong)
    return np.where(rng.random(right.shape) < missing, -1, codes), gold
