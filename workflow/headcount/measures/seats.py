"""A table of answers by teams and seats: where an agent's own answer stood a round before, and what its team said."""

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.errors import UserError
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import Ballots, cast_ballots
from headcount.measures.groups import distinct_rows, factorise, group, unfilled_seat
from headcount.measures.votes import TIE_LABEL, plurality, tie_ranks
from headcount.schema import MEASURES


@dataclass(frozen=True)
class Seats:
    """Answers, team after team in the order of their keys, and agents 1 to n within each.

    So a team stands next to itself a round before, and an agent n rows after its answer of then.

    Attributes:
        table: rows of `schema.ANSWERS`, in the order in which they came.
        row: (seats,), place of each seat's row in `table`.
        team: (seats,), from 0.
        keys: by name of MEASURES.keys, (teams,): numbers, or codes in place of text.
        items: the item of each code.
        answer: (seats,), codes; -1 where an answer is missing.
        answers: the answer of each code.
        correct: (seats,), False where an answer is missing.
        ballots: votes of the teams.
        column: (seats,), column of each answer in `ballots`; -1 where it is missing.
    """

    table: pa.Table
    row: IntArray
    team: IntArray
    keys: dict[str, IntArray]
    items: list[str]
    answer: IntArray
    answers: pa.Array
    correct: BoolArray
    ballots: Ballots
    column: IntArray
    tie_label: str

    @property
    def n_teams(self) -> int:
        return self.keys["n"].size

    def first(self) -> IntArray:
        """A row of each team in `table`, (teams,)."""
        start = np.r_[0, np.cumsum(self.keys["n"])]
        return np.asarray(self.row[start[:-1]])

    def floats(self, name: str) -> FloatArray:
        """A column of `table`, (seats,); NaN for null."""
        return np.asarray(self.table[name].to_numpy(), dtype=np.float64)[self.row]

    def tie_ranks(self, team: IntArray, answer: IntArray) -> NDArray[np.bytes_]:
        """What orders answers of teams, (candidates,) each, where they tie, as in MEASURES."""
        named = np.stack([self.keys["item"][team], self.keys["replicate"][team], answer], axis=1)
        distinct, place = distinct_rows(named)  # the same answers to an item tie at many sizes and in many conditions
        item, replicate, code = distinct.T
        said = self.answers.take(pa.array(code)).to_pylist()
        return tie_ranks([self.items[number] for number in item], replicate.tolist(), said, self.tie_label)[place]

    def choose(self, scores: IntArray) -> IntArray:
        """Column of `ballots`, (teams,), with the highest score, ties settled as in MEASURES; -1 where all are 0.

        Args:
            scores: (teams, width), of the candidates in `ballots`.
        """
        return plurality(scores, lambda team, column: self.tie_ranks(team, self.ballots.candidates[team, column]))

    def only(self, teams: BoolArray) -> "Seats":
        """Some of the teams, (teams,), as `seat` has them where there are no others."""
        kept = teams[self.team]
        counts = self.ballots.counts[teams]
        width = max(int((counts > 0).sum(axis=1).max(initial=0)), 1)
        correct, candidates = self.ballots.correct[teams], self.ballots.candidates[teams]
        return replace(
            self,
            row=self.row[kept],
            team=(np.cumsum(teams) - 1)[self.team[kept]],
            keys={name: code[teams] for name, code in self.keys.items()},
            answer=self.answer[kept],
            correct=self.correct[kept],
            ballots=Ballots(counts[:, :width], correct[:, :width], candidates[:, :width]),
            column=self.column[kept],
        )


def seat(answers: pa.Table | Seats, tie_label: str = TIE_LABEL) -> Seats:
    """Answers by teams and seats, if they are not that yet: several measures may share one seating.

    Args:
        answers: rows of `schema.ANSWERS`, in any order; each team must hold its agents 1 to n once each.
        tie_label: seed label of the order that settles ties.

    Raises:
        UserError: where an agent of a team is missing or stands twice.
    """
    if isinstance(answers, Seats):
        return answers
    labels = {name: factorise(answers[name]) for name in ("task", "condition", "item")}
    codes = {name: labels[name].codes if name in labels else answers[name].to_numpy() for name in MEASURES.keys}
    groups, agent = group(list(codes.values())), answers["agent"].to_numpy().astype(np.int64)
    keys = {name: code[groups.first].astype(np.int64) for name, code in codes.items()}
    problem = unfilled_seat(groups, keys["n"], agent)
    if problem:
        raise UserError(f"answers: {team_name(answers, int(groups.first[problem[0]]))}: {problem[1]}. {_WHOLE}")

    start = np.r_[0, np.cumsum(keys["n"])][:-1]
    row = np.empty(agent.size, np.int64)
    row[start[groups.of_row] + agent - 1] = np.arange(agent.size)
    team = groups.of_row[row]
    answer = factorise(answers["answer"])
    code, correct = answer.codes[row], answers["correct"].fill_null(False).to_numpy().astype(np.bool_)[row]
    ballots, column = cast_ballots(team, code, correct, groups.first.size)
    items = labels["item"].values.to_pylist()
    return Seats(answers, row, team, keys, items, code, answer.values, correct, ballots, column, tie_label)


def columns_of(ballots: Ballots, team: IntArray, answer: IntArray) -> IntArray:
    """The column of `ballots` in which an answer of a team stands.

    Args:
        team: (votes,).
        answer: (votes,), codes that the team has among its candidates, or -1.

    Returns:
        (votes,); -1 where the answer is missing.
    """
    owner, place = np.nonzero(ballots.candidates >= 0)
    top = int(ballots.candidates.max(initial=0)) + 1
    known = owner * top + ballots.candidates[owner, place]  # ascending: codes ascend within a team
    column = np.full(answer.size, -1)
    valid = answer >= 0
    column[valid] = place[np.searchsorted(known, team[valid] * top + answer[valid])]
    return column


def team_name(answers: pa.Table, row: int) -> str:
    """The team that a row of answers belongs to, in words."""
    key = {name: answers[name][row].as_py() for name in MEASURES.keys}
    return (
        f"{key['task']} / {key['condition']}, item {key['item']}, replicate {key['replicate']}, "
        f"n={key['n']}, k={key['k']}, round {key['round']}"
    )


def check_rounds(seats: Seats) -> None:
    """Before each revision of a team must stand the same team a round earlier.

    Raises:
        UserError: where a round is missing.
    """
    revised = np.flatnonzero(seats.keys["round"] > 1)
    same = np.ones(revised.size, np.bool_)
    for name, code in seats.keys.items():
        same &= code[revised] - code[revised - 1] == (name == "round")
    broken = revised[~same | (revised == 0)]
    if broken.size:
        team = int(broken[0])
        raise UserError(
            f"answers: {team_name(seats.table, int(seats.first()[team]))}: the round before is not there. "
            f"A team needs its rounds from 1 on, without a gap."
        )


_WHOLE = "A team of n needs agents 1 to n once each; give an agent without an answer a row with an empty one."
