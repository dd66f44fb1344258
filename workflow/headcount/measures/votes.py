"""What a team says: plurality, ties, unanimity."""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.measures.arrays import BoolArray, FloatArray, IntArray

TIE_LABEL = "plurality"

Rank = Callable[[IntArray, IntArray], NDArray[Any]]  # teams and columns -> what orders them


def tie_rank(item: str, replicate: int | str, candidate: str, label: str = TIE_LABEL) -> bytes:
    """A candidate's place in the pseudorandom order that settles an item's ties; the smallest wins.

    The order depends on the item, the replicate and the candidate alone. So a tie is settled the
    same way at every team size and in every condition, whatever other items, rows or untied
    answers there are (arXiv 2606.02646, C.5: seeded on item and run).
    """
    # The unit separator keeps ("a", "bc") and ("ab", "c") apart.
    text = "\x1f".join((label, item, str(replicate), candidate))
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def tie_ranks(
    items: Iterable[str], replicates: Iterable[int | str], candidates: Iterable[str], label: str = TIE_LABEL
) -> NDArray[np.bytes_]:
    """`tie_rank` of many, (candidates,): bytes that sort as it does."""
    named = zip(items, replicates, candidates, strict=True)
    return np.array([tie_rank(*names, label) for names in named], dtype="S16")


def leaders(counts: IntArray) -> BoolArray:
    """Candidates with the most votes of their team.

    Args:
        counts: (teams, candidates), votes.

    Returns:
        (teams, candidates); no leader where nobody answered.
    """
    return np.asarray((counts == counts.max(axis=1, keepdims=True)) & (counts > 0))


def ties(counts: IntArray) -> BoolArray:
    """Teams, (teams,), where two or more candidates have the most votes."""
    return np.asarray(leaders(counts).sum(axis=1) > 1)


def plurality(counts: IntArray, rank: Rank) -> IntArray:
    """Column of each team's answer: the candidate with most votes; a tie goes to the smallest rank.

    Args:
        counts: (teams, candidates), votes.
        rank: sort keys of teams and columns, (candidates,) each, asked for tied candidates only.

    Returns:
        (teams,), columns of `counts`; -1 where nobody answered.
    """
    lead = leaders(counts)
    chosen = np.where(lead.any(axis=1), lead.argmax(axis=1), -1)
    team, column = np.nonzero(lead & (lead.sum(axis=1) > 1)[:, None])
    last_first = np.argsort(rank(team, column))[::-1]
    chosen[team[last_first]] = column[last_first]  # of a team's candidates the smallest rank is put in last, and stays
    return chosen


def chance_of_correct(counts: IntArray, correct: IntArray) -> FloatArray:
    """Probability that a team is right if a tie goes to each of its leaders alike: no tie noise.

    Args:
        counts: (teams, candidates), votes.
        correct: (teams, candidates), votes that are right; all or none of a candidate's.

    Returns:
        (teams,) in [0, 1]; 0 where nobody answered.
    """
    lead = leaders(counts)
    return np.asarray((lead & (correct > 0)).sum(axis=1) / np.maximum(lead.sum(axis=1), 1))


def unanimous(counts: IntArray, n: IntArray) -> BoolArray:
    """Teams whose valid answers are all the same.

    One voice among several silent ones is no agreement: a team of two or more needs two valid
    answers. A single agent who answers is unanimous.

    Args:
        counts: (teams, candidates), votes.
        n: (teams,), nominal team sizes.

    Returns:
        (teams,).
    """
    votes = counts.sum(axis=1)
    return np.asarray((counts.max(axis=1) == votes) & (votes >= np.minimum(n, 2)))
