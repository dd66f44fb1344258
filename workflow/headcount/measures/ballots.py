"""Answers of many teams in one table of counts."""

from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import BoolArray, IntArray


@dataclass(frozen=True)
class Ballots:
    """What each team answered, and how often.

    A team's candidates stand in its first columns, in order of their codes; the width is that of
    the team with most candidates.

    Attributes:
        counts: (teams, width), votes; 0 where a team has no such candidate.
        correct: (teams, width), how many of these votes are correct: all or none.
        candidates: (teams, width), answer codes; -1 where a team has no such candidate.
    """

    counts: IntArray
    correct: IntArray
    candidates: IntArray


def count_ballots(team: IntArray, answer: IntArray, correct: BoolArray, n_teams: int) -> Ballots:
    """The answers of every team, counted; see `cast_ballots`."""
    return cast_ballots(team, answer, correct, n_teams)[0]


def cast_ballots(team: IntArray, answer: IntArray, correct: BoolArray, n_teams: int) -> tuple[Ballots, IntArray]:
    """Count the answers of every team, and tell the column of each, (rows,); -1 where it is missing.

    Args:
        team: (rows,), team of each answer, from 0.
        answer: (rows,), code of each answer, from 0; -1 where it is missing.
        correct: (rows,), whether it is correct; ignored where the answer is missing.
        n_teams: how many teams there are, those without a row included.
    """
    valid = answer >= 0
    n_answers = int(answer.max(initial=-1)) + 1
    pairs, place, votes = np.unique(team[valid] * n_answers + answer[valid], return_inverse=True, return_counts=True)
    owner, candidate = np.divmod(pairs, max(n_answers, 1))
    column = np.arange(owner.size) - np.searchsorted(owner, owner)
    shape = (n_teams, int(column.max(initial=0)) + 1)
    counts, right, candidates = np.zeros(shape, int), np.zeros(shape, int), np.full(shape, -1)
    counts[owner, column] = votes
    candidates[owner, column] = candidate
    right[owner, column] = np.bincount(place[correct[valid]], minlength=pairs.size)
    of_row = np.full(team.size, -1)
    of_row[valid] = column[place]
    return Ballots(counts, right, candidates), of_row
