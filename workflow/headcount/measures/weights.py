"""How much each vote counts: by how sure it is, or by whose it is.

Votes are given as arrays (votes,): `team` is the team of each, from 0, and `value` how sure it is. Equal votes are
treated alike, so it never matters which agent cast one.
"""

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray


def filled(team: IntArray, value: FloatArray, n_teams: int) -> FloatArray:
    """Values with those that are not known replaced by the median of their team's known ones.

    So a vote that does not say how sure it is neither wins nor is dropped for that. The median is the lower of two
    middle values: one that occurs, whatever the scale is.

    Args:
        value: (votes,), NaN where not known.

    Returns:
        (votes,); 1 throughout a team that knows none.
    """
    known = np.isfinite(value)
    if known.all():
        return value
    count = np.bincount(team[known], minlength=n_teams)
    ordered = value[known][np.lexsort((value[known], team[known]))]
    middle = np.cumsum(count) - count + (count - 1) // 2
    median = np.ones(n_teams)
    median[count > 0] = ordered[middle[count > 0]]
    return np.where(known, value, median[team])


def confidence_weights(team: IntArray, confidence: FloatArray, n_teams: int) -> FloatArray:
    """Weight by stated confidence (arXiv 2606.02646, app. M): 0 to 100, and 1 throughout a team that states only 0."""
    silent = np.bincount(team, confidence, n_teams) == 0
    return np.where(silent[team], 1.0, confidence)


def probability_weights(team: IntArray, logprob: FloatArray, n_teams: int) -> FloatArray:
    """Weight by the probability of the answer, exp(logprob), as a share of the team's largest (app. M).

    A factor that all votes of a team share changes neither its choice nor its shares, and keeps long answers, whose
    probabilities are tiny, from vanishing.
    """
    return np.asarray(np.exp(logprob - _largest(team, logprob, n_teams)[team]))


def upper_weights(team: IntArray, value: FloatArray, n_teams: int) -> FloatArray:
    """1 for a vote that is kept when a team drops its lowest quartile by value, 0 for one that is dropped (app. M).

    floor(m / 4) of m votes go. Where equal votes stand on both sides of the cut, each counts by the share of them
    that is kept: so if all are equal, none is favoured.
    """
    size = np.bincount(team, minlength=n_teams)
    dropped = size // 4
    ordered = np.append(value[np.lexsort((value, team))], np.nan)  # the last one is for teams without a vote
    cut = ordered[np.minimum(np.cumsum(size) - size + dropped, value.size)][team]
    above, at = value > cut, value == cut
    room = size - dropped - np.bincount(team[above], minlength=n_teams)
    equals = np.bincount(team[at], minlength=n_teams)
    share = room / np.maximum(equals, 1)
    return np.where(above, 1.0, np.where(at, share[team], 0.0))


def top_weights(team: IntArray, value: FloatArray, n_teams: int) -> FloatArray:
    """1 for the vote with its team's largest value, or for each of several; 0 for all others (app. M)."""
    return np.asarray(value == _largest(team, value, n_teams)[team], dtype=np.float64)


def block_weights(team: IntArray, family: IntArray) -> FloatArray:
    """1 / how many votes of the team are of the vote's family: each family weighs 1 in all (app. M).

    Args:
        family: (votes,), codes from 0.
    """
    block = team * (int(family.max(initial=0)) + 1) + family
    return np.asarray(1.0 / np.bincount(block)[block])


def _largest(team: IntArray, value: FloatArray, n_teams: int) -> FloatArray:
    largest = np.full(n_teams, -np.inf)
    np.maximum.at(largest, team, value)
    return largest
