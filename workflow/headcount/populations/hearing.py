"""What agents hear of each other's answers: whom, which answer is the mode, and how many hold it.

Answers are numbers that are equal where answers are; -1 is none, and no vote. Ties go to the answer that is heard
first, of the agent with the lowest number.
"""

import numpy as np

from headcount.populations.answers import IntArray
from headcount.populations.words import Words, joined

Mode = tuple[IntArray, IntArray]  # the mode, -1 where nothing was heard, and how many hold it; (items, agents)


def choose(places: Words, k: int) -> IntArray:
    """The k others that each agent hears, (items, agents, k), in ascending order: uniform, without replacement.

    Args:
        places: (items, agents) words of this round; of all agents of the team.
    """
    n = places.shape[1]
    if k == n - 1:
        others = np.array([[other for other in range(n) if other != agent] for agent in range(n)], dtype=np.int64)
        return np.broadcast_to(others.reshape(n, k), (*places.shape, k))
    ranks = joined(places[:, :, None], np.arange(n))
    ranks[:, np.arange(n), np.arange(n)] = np.iinfo(np.uint64).max
    return np.sort(np.argpartition(ranks, k - 1, axis=2)[:, :, :k], axis=2)


def taken(answers: IntArray, heard: IntArray) -> IntArray:
    """The answers of those who are heard, (items, agents, k), from (items, agents)."""
    return answers[np.arange(len(answers))[:, None, None], heard]


def mode_of_all_others(answers: IntArray) -> Mode:
    """The mode among all other agents of the team, of (items, agents) answers.

    Each answer's count among the others is that in the team, less one where the listener gives it.
    """
    equal = answers[:, :, None] == answers[:, None, :]
    counts = equal.sum(axis=2, dtype=np.int16)
    votes = counts[:, None, :] - equal  # (items, listener, speaker)
    votes[:, np.eye(answers.shape[1], dtype=bool)] = 0
    votes[np.broadcast_to((answers < 0)[:, None, :], votes.shape)] = 0
    return _first_of_most(votes, np.broadcast_to(answers[:, None, :], votes.shape))


def mode_heard(answers: IntArray) -> Mode:
    """The mode of what each agent hears, of (items, agents, k) answers."""
    if answers.shape[2] == 1:
        return answers[:, :, 0], (answers[:, :, 0] >= 0).astype(np.int16)
    return _first_of_most(_votes(answers), answers)


def mode_of_team(answers: IntArray) -> IntArray:
    """The mode of each whole team, (items,), of (items, agents) answers."""
    return _first_of_most(_votes(answers), answers)[0]


def holders(heard: IntArray, mode: IntArray) -> IntArray:
    """How many of those who are heard, (items, agents, k), hold a mode (items,); 0 where there is none."""
    return np.asarray(((heard == mode[:, None, None]) & (heard >= 0)).sum(axis=2, dtype=np.int16))


def _votes(answers: IntArray) -> IntArray:
    """How often each answer stands in its last axis; 0 for none."""
    votes = (answers[..., :, None] == answers[..., None, :]).sum(axis=-1, dtype=np.int16)
    votes[answers < 0] = 0
    return np.asarray(votes)


def _first_of_most(votes: IntArray, answers: IntArray) -> Mode:
    """The first answer of the most votes along the last axis, and its votes."""
    best = np.argmax(votes, axis=-1)[..., None]
    count = np.take_along_axis(votes, best, axis=-1)[..., 0]
    return np.where(count > 0, np.take_along_axis(answers, best, axis=-1)[..., 0], -1), count
