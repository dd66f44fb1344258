"""What a team says in each round by the ledger's rule: its most frequent answer, ties settled by the text.

The rule of arXiv 2609.35279 differs from that of MEASURES, where ties go to a hash: here the first of the tied
answers in the order of their text wins, numbers too ("10" is before "9"). That favours A, so other rules stand beside.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import Ballots, count_ballots
from headcount.measures.seats import Seats
from headcount.measures.votes import chance_of_correct, leaders

TieRule = Literal["alphabetical", "reverse_alphabetical", "strict_plurality", "keep_previous"]

UNDEFINED, WRONG, RIGHT = -1, 0, 1


@dataclass(frozen=True)
class Majorities:
    """What each team says in each round; all (teams,), in the order of the teams of `Seats`.

    Attributes:
        answer: codes; -1 where there is no majority.
        right: RIGHT, WRONG or UNDEFINED.
        tie: two answers or more have the most votes, however that is settled.
        parsed: agents with an answer.
        top: votes of the most frequent answer.
        chance: of being right if a tie goes to each of its answers alike; NaN where nobody answered.
    """

    answer: IntArray
    right: IntArray
    tie: BoolArray
    parsed: IntArray
    top: IntArray
    chance: FloatArray


def majorities(seats: Seats, ties: TieRule = "alphabetical", counted: BoolArray | None = None) -> Majorities:
    """The majority of each team in each round.

    Missing answers are dropped; there is no majority where none is left.

    Args:
        seats: answers by teams; a team's rounds stand together, from 1.
        ties: who wins a tie: the first answer by text; the last; nobody; or the team's answer of the round before if
            it is among the tied ones, else the first.
        counted: (seats,), answers that are not taken for missing; by default all.
    """
    ballots = seats.ballots if counted is None else _recount(seats, counted)
    lead, rows = leaders(ballots.counts), np.arange(seats.n_teams)
    column = _settle(lead, ballots.candidates, _text_order(seats.answers), seats.keys["round"], ties)
    defined = column >= 0
    return Majorities(
        answer=np.where(defined, ballots.candidates[rows, column], UNDEFINED),
        right=np.where(defined, (ballots.correct[rows, column] > 0).astype(np.int64), UNDEFINED),
        tie=np.asarray(lead.sum(axis=1) > 1),
        parsed=ballots.counts.sum(axis=1),
        top=ballots.counts.max(axis=1),
        chance=np.where(lead.any(axis=1), chance_of_correct(ballots.counts, ballots.correct), np.nan),
    )


def _settle(lead: BoolArray, candidates: IntArray, order: IntArray, turn: IntArray, ties: TieRule) -> IntArray:
    """The winning column of each team, (teams,); -1 where there is none."""
    place = np.append(order, 0)[candidates]  # of no candidate, -1, it does not matter
    first = np.where(lead, place, order.size).argmin(axis=1)
    column = np.where(lead, place, -1).argmax(axis=1) if ties == "reverse_alphabetical" else first
    column = np.where(lead.any(axis=1), column, -1)
    if ties == "strict_plurality":
        return np.where(lead.sum(axis=1) > 1, -1, column)
    return _keep(lead, candidates, column, turn) if ties == "keep_previous" else column


def _keep(lead: BoolArray, candidates: IntArray, column: IntArray, turn: IntArray) -> IntArray:
    """Columns with the answer of the round before wherever that is among the leaders."""
    for number in range(2, int(turn.max(initial=1)) + 1):
        now = np.flatnonzero(turn == number)
        before = np.where(column[now - 1] >= 0, candidates[now - 1, column[now - 1]], UNDEFINED)
        kept = lead[now] & (candidates[now] == before[:, None])
        column[now] = np.where(kept.any(axis=1), kept.argmax(axis=1), column[now])
    return column


def _text_order(answers: pa.Array) -> IntArray:
    """Place of each answer in the order of their text."""
    order = np.empty(len(answers), np.int64)
    order[pc.sort_indices(answers).to_numpy().astype(np.int64)] = np.arange(len(answers))
    return order


def _recount(seats: Seats, counted: BoolArray) -> Ballots:
    return count_ballots(seats.team, np.where(counted, seats.answer, -1), seats.correct, seats.n_teams)
