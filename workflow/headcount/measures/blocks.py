"""How often agents of one family agree, and agents of two: the pairs of a mixed team, sorted by family.

Models of one family count as one. The counts of pairs, not their shares, are kept: sums of them over items, sizes
or families are pooled agreements, and all blocks of a team together are its pair agreement exactly.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

import numpy as np
import pyarrow as pa

from headcount.measures.arrays import IntArray
from headcount.measures.diversity import pairs_among
from headcount.measures.families import family_of
from headcount.measures.seats import Seats, seat
from headcount.schema import BLOCKS, MEASURES
from headcount.store import conform


def block_pairs(answers: pa.Table, families: Mapping[str, str]) -> pa.Table:
    """Pairs of valid answers, and of equal ones, within each family and between each two.

    Args:
        answers: rows of `schema.ANSWERS`, in any order; each team must hold its agents 1 to n once each.
        families: family by model.

    Returns:
        rows of `schema.BLOCKS`: every two families of which a team has a pair of agents, and so none for a team of
        one; `pairs` is 0 where no such pair answered.

    Raises:
        UserError: where a model has no family, or an agent of a team is missing.
    """
    seats = seat(answers)
    family, names = family_of(answers, families)
    rows = [np.empty((5, 0), np.int64), *_blocks(seats, family[seats.row], len(names))]
    team, one, other, pairs, equal = np.concatenate(rows, axis=1)
    columns = {name: answers[name].take(pa.array(seats.first()[team])) for name in MEASURES.keys}
    for name, place in (("family", one), ("family_other", other)):
        columns[name] = pa.array(names, pa.string()).take(pa.array(place))
    columns |= {"pairs": pa.array(pairs), "equal_pairs": pa.array(equal)}
    return conform(pa.table(columns), BLOCKS, "blocks")


def _blocks(seats: Seats, family: IntArray, families: int) -> Iterator[IntArray]:
    """Team, two families, pairs and equal pairs of each team that has such agents: (5, teams) of each two families.

    Args:
        family: (seats,), from 0.
    """
    width, valid = seats.ballots.counts.shape[1], seats.answer >= 0
    agents = _count((seats.n_teams, families), seats.team, family)
    cast = seats.team[valid], seats.column[valid], family[valid]
    votes = _count((seats.n_teams, width, families), *cast)
    for one, other in combinations_with_replacement(range(families), 2):
        team = np.flatnonzero(_pairs(agents, one, other))
        pairs = _pairs(votes.sum(axis=1), one, other)
        equal = _pairs(votes, one, other).sum(axis=1)
        yield np.stack([team, *np.tile([[one], [other]], team.size), pairs[team], equal[team]])


def _count(shape: tuple[int, ...], *places: IntArray) -> IntArray:
    """How often each place of an array of some shape is named."""
    count = np.bincount(np.ravel_multi_index(places, shape), minlength=int(np.prod(shape)))
    return count.astype(np.int64).reshape(shape)


def _pairs(count: IntArray, one: int, other: int) -> IntArray:
    """Pairs within a family, m (m - 1) / 2, or between two, m_1 m_2, from counts (..., families)."""
    if one == other:
        return pairs_among(count[..., one])
    return np.asarray(count[..., one] * count[..., other])
