"""Numbers that say where they come from: whatever stands in a table can be asked for by its key."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any
from zlib import crc32

import pandas as pd

SIZES = (1, 2, 3, 5, 10, 30)
SWEPT = (5, 10, 30)
MIXED = (3, 6, 30)
ENDS = {"": 0.0, "_low": -0.01, "_high": 0.01}
QWEN, HETERO, THINKER, NEWCOMER = "qwen2.5-7b", "hetero", "qwen3-8b-think", "newcomer"


def number(*key: Any) -> float:
    """A number in (.1, .9) that only this key has."""
    return round(0.1 + 0.8 * crc32(repr(tuple(map(str, key))).encode()) / 2**32, 6)


@dataclass(frozen=True)
class Series:
    """Teams of some sizes under one condition, number of peers and round."""

    team: str
    task: str
    condition: str
    peers: str
    turn: int
    sizes: tuple[int, ...]
    subsets: str = "first"

    @property
    def key(self) -> dict[str, Any]:
        named = {"team": self.team, "task": self.task, "condition": self.condition, "subsets": self.subsets}
        return named | {"peers": self.peers, "round": self.turn, "simulated": self.team == NEWCOMER}

    def number(self, *more: Any) -> float:
        return number(self.team, self.task, self.condition, self.subsets, self.peers, self.turn, *more)


def series() -> Iterator[Series]:
    """Every series of the run; those that no table with one row a cell may show are among them."""
    yield Series(QWEN, "mmlu_hard", "self_consistency", "none", 1, SIZES)
    yield Series(QWEN, "mmlu_hard", "self_consistency", "none", 1, SIZES, "all")
    for turn in (1, 2, 3):
        for condition, peers in (("debate", "full"), ("self_correction", "none"), ("noise", "full")):
            yield Series(QWEN, "mmlu_hard", condition, peers, turn, SIZES)
        yield Series(QWEN, "gsm_hard", "debate", "full", turn, SIZES)
        for task in ("mmlu_hard", "gsm_hard"):
            yield Series(HETERO, task, "debate", "full", turn, MIXED)
        for condition, peers in (("debate", "full"), ("self_correction", "none")):
            yield Series(THINKER, "mmlu_hard", condition, peers, turn, (1, 2, 3, 5))
            for axis in ("", ".code"):
                yield Series(QWEN, f"humaneval_30{axis}", condition, peers, turn, (1, 2, 3, 5, 7, 10))
        yield Series(NEWCOMER, "mmlu_hard_200", "debate", "full", turn, SIZES)
    for turn, peers in product(range(1, 8), ("1", "2", "4")):
        yield Series(QWEN, "gsm_hard", "debate", peers, turn, SWEPT)
    for turn in range(4, 8):
        yield Series(QWEN, "gsm_hard", "debate", "full", turn, SWEPT)
    yield Series(HETERO, "mmlu_hard", "self_consistency", "none", 1, MIXED)
    for team, sizes in ((QWEN, SIZES), (HETERO, MIXED)):  # ran no one alone on this task: debate stands for round 1
        yield Series(team, "gsm_hard", "debate", "none", 1, sizes, "all")
    for team, task, turn in product((QWEN, HETERO), ("mmlu_hard", "gsm_hard"), (2, 3)):
        yield Series(team, task, "debate", "full", turn, MIXED if team == HETERO else SIZES, "adjusted")
    for turn, peers in product(range(2, 8), ("1", "2", "4")):
        yield Series(QWEN, "gsm_hard", "debate", peers, turn, SWEPT, "adjusted")


def one(team: str, task: str, condition: str, turn: int = 3, peers: str = "") -> Series:
    """The series of a key."""
    peers = peers or {"self_consistency": "none", "self_correction": "none"}.get(condition, "full")
    wanted = (team, task, condition, peers, turn, "first")
    return next(s for s in series() if (s.team, s.task, s.condition, s.peers, s.turn, s.subsets) == wanted)


def around(value: float) -> dict[str, float]:
    return {"value": value, "low": value - 0.01, "high": value + 0.01}


def row(table: pd.DataFrame, **key: Any) -> dict[str, Any]:
    """The one row that has these values."""
    (found,) = table.loc[(table[list(key)] == pd.Series(key)).all(axis=1)].to_dict("records")
    return found
