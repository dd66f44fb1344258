"""What an independent re-draw of a team would show: how much "collapse" and "correction" is chance alone.

A team whose majority is right in round 1 would be wrong now and then if it were simply asked again, without a word of
discussion; and one that is wrong would often be right. Two teams of n that share no draw, from the round-1 answers of
the largest team and all its repetitions, are such a pair: their labels are what a cell's rates are to be read against.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from headcount.ledger.labels import LABELS, label
from headcount.ledger.majority import RIGHT, UNDEFINED, WRONG
from headcount.measures.arrays import IntArray
from headcount.schema import REDRAWS
from headcount.seeds import seed64
from headcount.store import conform, plain

PAIRS = 1000  # of teams, and the most that are listed one by one
_SILENT = np.iinfo(np.int64).max


def redraws(answers: pa.Table, team: str, seed: int = 0, pairs: int = PAIRS) -> pa.Table:
    """Labels of pairs of disjoint teams of each size, both ways round, so that the net is 0.

    Both teams have the seats of the team of n: as many agents of each model and temperature. All pairs are looked at
    if there are no more than `pairs`, else a seeded sample of as many, one sample for all items of a task.

    Args:
        answers: rows of `schema.ANSWERS`, in any order.
        team: its name.
        seed: of the sample.
        pairs: the most pairs that are looked at.

    Returns:
        rows of `schema.REDRAWS`; none for sizes of which there are no two disjoint teams.
    """
    first = plain(answers.filter(pc.equal(answers["round"], 1)).select(_NEEDED))
    frames = [
        _of_items(pool, size, pairs, np.random.default_rng(seed64("redraw", seed, team, task, size))).assign(task=task)
        for task, rows in first.groupby("task", sort=True)
        for pool in _pools(rows)
        for size in np.unique(rows["n"]).tolist()
    ]
    nothing = pd.DataFrame(columns=REDRAWS.schema.names)
    return conform(pd.concat([nothing.astype(object), *frames]).assign(team=team), REDRAWS, f"redraws of {team}")


_NEEDED = ["task", "item", "replicate", "n", "agent", "model", "temperature", "answer", "correct"]


@dataclass(frozen=True)
class _Pool:
    """Draws of items that have the same seats.

    Attributes:
        items: names.
        votes: (items, draws), the place of each answer by text, doubled, plus 1 if it is right; _SILENT where missing.
        kind: (draws,), which model and temperature.
        seats: (agents,), kinds of the agents of the largest team.
    """

    items: list[str]
    votes: IntArray
    kind: IntArray
    seats: IntArray


def _pools(rows: pd.DataFrame) -> Iterator[_Pool]:
    """The draws of each item: those of its largest team, of every replicate, once each."""
    rows = rows[rows["n"] == rows.groupby(["item", "replicate"])["n"].transform("max")]
    rows = rows.drop_duplicates(["item", "replicate", "agent"]).sort_values(["item", "replicate", "agent"])
    kind = np.asarray(rows.groupby(["model", rows["temperature"].fillna(-1.0)]).ngroup(), dtype=np.int64)
    rank = pd.Categorical(rows["answer"]).codes.astype(np.int64)  # categories are sorted by text
    right = rows["correct"].fillna(False).to_numpy(np.bool_)
    votes = np.where(rank < 0, _SILENT, 2 * rank + right)
    item, replicate = rows["item"].to_numpy(), rows["replicate"].to_numpy()
    alike: dict[bytes, list[IntArray]] = {}
    for places in np.split(np.arange(len(rows)), np.flatnonzero(item[1:] != item[:-1]) + 1):
        team = replicate[places] == replicate[places[0]]
        alike.setdefault(np.stack([kind[places], team]).tobytes(), []).append(places)
    for group in alike.values():
        places, one = np.stack(group), group[0]
        seats = kind[one[replicate[one] == replicate[one[0]]]]
        yield _Pool(item[places[:, 0]].tolist(), votes[places], kind[one], seats)


def _of_items(pool: _Pool, size: int, pairs: int, rng: np.random.Generator) -> pd.DataFrame:
    """Columns of REDRAWS for a pool's items and a team size."""
    one, other, exact = _pairs(pool.kind, pool.seats[:size], pairs, rng)
    if not len(one) or pool.seats.size < size:
        return pd.DataFrame()
    counts = np.zeros((len(pool.items), len(LABELS)))
    for chunk in np.array_split(np.arange(len(one)), 1 + len(one) * pool.votes.shape[0] * size // 2_000_000):
        ends = [_majority(pool.votes[:, teams[chunk]]) for teams in (one, other)]
        for first, last in (ends, ends[::-1]):
            places = label(first, last)
            counts += np.stack([(places == place).sum(axis=1) for place in range(len(LABELS))], axis=1)
    shares = dict(zip(LABELS, counts.T / (2 * len(one)), strict=True))
    about = {"item": pool.items, "n": size, "draws": pool.kind.size, "pairs": len(one), "exact": exact}
    return pd.DataFrame(about | shares)


def _pairs(kind: IntArray, seats: IntArray, pairs: int, rng: np.random.Generator) -> tuple[IntArray, IntArray, bool]:
    """Two disjoint teams, (pairs, n) places of draws each, and whether these are all pairs."""
    kinds, need = np.unique(seats, return_counts=True)
    have = [np.flatnonzero(kind == one) for one in kinds]
    if any(draws.size < 2 * count for draws, count in zip(have, need, strict=True)):
        return np.empty((0, seats.size), np.int64), np.empty((0, seats.size), np.int64), True
    ways = [comb(d.size, c) * comb(d.size - c, c) for d, c in zip(have, need.tolist(), strict=True)]
    if prod(ways) <= 2 * pairs:
        return *_every_pair(have, need), True
    sampled = [rng.permuted(np.tile(draws, (pairs, 1)), axis=1) for draws in have]
    one = [draws[:, :count] for draws, count in zip(sampled, need, strict=True)]
    other = [draws[:, count : 2 * count] for draws, count in zip(sampled, need, strict=True)]
    return np.concatenate(one, axis=1), np.concatenate(other, axis=1), False


def _every_pair(have: list[IntArray], need: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of disjoint teams, each once."""
    of_kind = [
        [
            (one, other)
            for one in combinations(draws.tolist(), int(count))
            for other in combinations(sorted(set(draws.tolist()) - set(one)), int(count))
        ]
        for draws, count in zip(have, need, strict=True)
    ]
    teams = [[sum(side, ()) for side in zip(*chosen, strict=True)] for chosen in product(*of_kind)]
    once = np.array([pair for pair in teams if pair[0] < pair[1]], dtype=np.int64)
    return once[:, 0], once[:, 1]


def _majority(votes: IntArray) -> IntArray:
    """RIGHT, WRONG or UNDEFINED, (...,), of teams (..., n); ties to the first answer by text, as in `majorities`."""
    ordered = np.sort(votes, axis=-1)
    place = np.arange(votes.shape[-1])
    begins = np.concatenate([np.ones((*votes.shape[:-1], 1), np.bool_), np.diff(ordered, axis=-1) != 0], axis=-1)
    run = place - np.maximum.accumulate(np.where(begins, place, 0), axis=-1) + 1
    run = np.where(ordered == _SILENT, 0, run)
    winner = np.take_along_axis(ordered, run.argmax(axis=-1)[..., None], axis=-1)[..., 0]
    return np.where(winner == _SILENT, UNDEFINED, np.where(winner % 2 == 1, RIGHT, WRONG))
