"""What a team says in each round by the ledger's rule: its most frequent answer, ties settled by the text.

The rule of arXiv 2609.35279 differs from that of MEASURES, where ties go to a hash: here the first of the tied
answers in the order of their text wins, numbers too ("10" is before "9"). That favours A, so other rules stand beside.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import Ballots, count_ballots
from headcount.measures.seats import Seats
from headcount.measures.votes import leaders

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


def majorities(seats: Seats, ties: TieRule = "alphabetical") -> Majorities:
    """The majority of each team in each round.

    Missing answers are dropped; there is no majority where none is left.

    Args:
        seats: answers by teams; a team's rounds stand together, from 1.
        ties: who wins a tie: the first answer by text; the last; nobody; or the team's answer of the round before if
            it is among the tied ones, else the first.
    """
    ballots, contest = seats.ballots, _Contest.of(seats, seats.ballots)
    column, leading = contest.settled(ties), contest.lead.sum(axis=1)
    chance = (contest.lead & (ballots.correct > 0)).sum(axis=1) / np.maximum(leading, 1)
    return Majorities(
        answer=np.where(column >= 0, ballots.candidates[np.arange(seats.n_teams), column], UNDEFINED),
        right=contest.right(column),
        tie=np.asarray(leading > 1),
        parsed=ballots.counts.sum(axis=1),
        top=ballots.counts.max(axis=1),
        chance=np.where(leading > 0, chance, np.nan),
    )


def rights(seats: Seats, rules: Iterable[TieRule], counted: BoolArray | None = None) -> Iterator[IntArray]:
    """Whether the majority is right, (teams,), RIGHT, WRONG or UNDEFINED: by each of some rules for ties.

    Args:
        seats: as in `majorities`.
        rules: who wins a tie.
        counted: (seats,), answers that are not taken for missing; by default all.
    """
    same = counted is None or (counted | (seats.answer < 0)).all()
    contest = _Contest.of(seats, seats.ballots if counted is None or same else _recount(seats, counted))
    for ties in rules:
        yield contest.right(contest.settled(ties))


@dataclass(frozen=True)
class _Contest:
    """Who leads in each team.

    Attributes:
        ballots: votes.
        lead: (teams, width), the answers with most votes.
        place: (teams, width), of each answer in the order of their text.
        tied: (ties,), teams with several leaders.
        turn: (teams,), the round.
    """

    ballots: Ballots
    lead: BoolArray
    place: IntArray
    tied: IntArray
    turn: IntArray

    @classmethod
    def of(cls, seats: Seats, ballots: Ballots) -> "_Contest":
        lead, order = leaders(ballots.counts), _text_order(seats.answers)
        place = np.append(order, 0)[ballots.candidates]  # of no candidate, -1, it does not matter
        return cls(ballots, lead, place, np.flatnonzero(lead.sum(axis=1) > 1), seats.keys["round"])

    def settled(self, ties: TieRule) -> IntArray:
        """The winning column of each team, (teams,); -1 where there is none."""
        column = np.where(self.lead.any(axis=1), self.lead.argmax(axis=1), -1)
        lead, place = self.lead[self.tied], self.place[self.tied]
        if ties == "reverse_alphabetical":
            column[self.tied] = np.where(lead, place, -1).argmax(axis=1)
        elif ties == "strict_plurality":
            column[self.tied] = -1
        else:
            column[self.tied] = np.where(lead, place, np.iinfo(np.int64).max).argmin(axis=1)
        return _keep(self.lead, self.ballots.candidates, column, self.turn) if ties == "keep_previous" else column

    def right(self, column: IntArray) -> IntArray:
        """RIGHT, WRONG or UNDEFINED, (teams,), of winning columns."""
        right = self.ballots.correct[np.arange(column.size), column] > 0
        return np.where(column >= 0, right.astype(np.int64), UNDEFINED)


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
