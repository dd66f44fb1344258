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
from numpy.typing import NDArray

from headcount.ledger.labels import LABELS, label
from headcount.ledger.majority import RIGHT, UNDEFINED, WRONG
from headcount.measures.arrays import FloatArray, IntArray
from headcount.schema import REDRAWS
from headcount.seeds import seed64
from headcount.store import conform, plain

PAIRS = 1000  # of teams, and the most that are listed one by one
ITEMS = 128  # that are looked at together: what fits a processor's own memory
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
    first = plain(answers.filter(pc.equal(answers["round"], 1)).select(NEEDED))
    frames = [
        _of_items(pool, size, pairs, np.random.default_rng(seed64("redraw", seed, team, task, size))).assign(task=task)
        for task, rows in first.groupby("task", sort=True)
        for pool in _pools(rows)
        for size in np.unique(rows["n"]).tolist()
    ]
    nothing = pd.DataFrame(columns=REDRAWS.schema.names)
    return conform(pd.concat([nothing.astype(object), *frames]).assign(team=team), REDRAWS, f"redraws of {team}")


NEEDED = ["task", "item", "replicate", "n", "agent", "model", "temperature", "answer", "correct"]


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
    members = [_members(teams, pool.kind.size) for teams in (one, other)]
    parts = np.array_split(np.arange(len(pool.items)), 1 + len(pool.items) // ITEMS)
    counts = np.concatenate([_labels(*(_says(pool.votes[part], team) for team in members)) for part in parts])
    shares = dict(zip(LABELS, counts.T / (2 * len(one)), strict=True))
    about = {"item": pool.items, "n": size, "draws": pool.kind.size, "pairs": len(one), "exact": exact}
    return pd.DataFrame(about | shares)


def _labels(one: NDArray[np.int8], other: NDArray[np.int8]) -> IntArray:
    """How often each label comes up, (items, labels), in pairs both ways round; what teams say is (items, pairs)."""
    says = np.array([UNDEFINED, WRONG, RIGHT])
    found = np.zeros((len(one), len(LABELS)), np.int64)
    for first, last in product(says, says):
        count = ((one == first) & (other == last)).sum(axis=1)
        for place in (label(first, last), label(last, first)):
            found[:, place] += count
    return found


def _members(teams: IntArray, draws: int) -> FloatArray:
    """Which draws each team has, (draws, teams), from their places, (teams, n)."""
    members = np.zeros((draws, len(teams)))
    members[teams, np.arange(len(teams))[:, None]] = 1
    return members


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


def _says(votes: IntArray, members: FloatArray) -> NDArray[np.int8]:
    """RIGHT, WRONG or UNDEFINED, (items, teams); ties go to the first answer by text, as in `majorities`.

    An answer's score is its votes, then how early it stands, then whether it is right, as the digits of a number: the
    largest score of a team says all about its majority.

    Args:
        votes: (items, draws), see `_Pool`.
        members: (draws, teams), 1 for the draws of a team.
    """
    place, answers = _numbered(votes)
    width = (answers != _SILENT).sum(axis=1)
    vote = 2 * answers.shape[1]  # more than all that stands below it
    kind = np.float32 if vote * (len(members) + 1) < 2**24 else np.float64  # both hold whole numbers exactly
    counted = np.concatenate([vote * members, np.ones((1, members.shape[1]))]).astype(kind)
    order = np.argsort(-width, kind="stable")  # items with many answers first, so that those with one more are a part
    most = np.zeros((len(votes), members.shape[1]), kind)
    for number in range(int(width.max(initial=0))):
        here = order[: (width > number).sum()]
        below = vote - 2 * (number + 1) + answers[here, number] % 2
        score = np.c_[place[here] == number, below].astype(kind) @ counted
        np.maximum(most[: here.size], score, out=most[: here.size])
    right = np.where(most.astype(np.int64) & 1, np.int8(RIGHT), np.int8(WRONG))
    says = np.where(most < vote, np.int8(UNDEFINED), right)
    return np.asarray(says[np.argsort(order)])


def _numbered(votes: IntArray) -> tuple[IntArray, IntArray]:
    """Each vote's place among the different ones of its item, (items, draws); and these, (items, most), silent last."""
    order = np.argsort(votes, axis=1, kind="stable")
    ordered = np.take_along_axis(votes, order, axis=1)
    number = np.cumsum(np.diff(ordered, axis=1, prepend=ordered[:, :1]) != 0, axis=1)
    place = np.empty_like(number)
    np.put_along_axis(place, order, number, axis=1)
    answers = np.full((len(votes), int(number.max(initial=0)) + 1), _SILENT)
    np.put_along_axis(answers, number, ordered, axis=1)
    return place, answers
