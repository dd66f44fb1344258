"""When a team left the right answer: the round of its first break, and breaks that were mended."""

from dataclasses import dataclass

import numpy as np

from headcount.ledger.majority import RIGHT, WRONG
from headcount.measures.arrays import BoolArray, IntArray

NEVER = 0


@dataclass(frozen=True)
class Onsets:
    """For each team and round, taken as an endpoint: when it left the right answer; all (teams,), NEVER where not.

    Attributes:
        first: the first round from 2 that is not right; one without a majority is not (arXiv 2609.35279).
        defined: the first round from 2 whose majority is wrong.
        lasting: the first round after the last right one.
        transient: right in round 1 and here, and not in some round between.
    """

    first: IntArray
    defined: IntArray
    lasting: IntArray
    transient: BoolArray


def onsets(right: IntArray, turn: IntArray) -> Onsets:
    """Onsets up to each round.

    A row that breaks, is mended, and breaks again has its first break as `first` and its last as `lasting`.

    Args:
        right: (teams,), RIGHT, WRONG or UNDEFINED; a team's rounds stand together, from 1.
        turn: (teams,), the round.
    """
    first, defined, lasting = np.full((3, right.size), NEVER)
    for number in range(2, int(turn.max(initial=1)) + 1):
        now = np.flatnonzero(turn == number)
        here, before = right[now], now - 1
        first[now] = _since(first[before], here != RIGHT, number)
        defined[now] = _since(defined[before], here == WRONG, number)
        lasting[now] = np.where(here == RIGHT, NEVER, _since(lasting[before], here != RIGHT, number))
    start = right[np.arange(right.size) - (turn - 1)]
    return Onsets(first, defined, lasting, (start == RIGHT) & (right == RIGHT) & (first != NEVER))


def _since(known: IntArray, broken: BoolArray, number: int) -> IntArray:
    return np.where((known == NEVER) & broken, number, known)
