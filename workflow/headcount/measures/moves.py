"""What a revision changed: who left the right answer, who came to it, who gave in to the others.

An agent counts only if it has a valid answer in both rounds that are compared: silence is no move. All columns are
numbers of agents, so that a rate is a ratio of sums over items: most items have few agents who could move.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from headcount.measures.arrays import BoolArray, IntArray
from headcount.measures.seats import Seats, check_rounds, seat
from headcount.measures.votes import TIE_LABEL, leaders
from headcount.schema import MOVES
from headcount.store import conform


def moves(answers: pa.Table | Seats, tie_label: str = TIE_LABEL) -> pa.Table:
    """What changed in every team from the round before, and from round 1, to each later round.

    - `correct_to_wrong`, `wrong_to_correct` of `correct_before` and `wrong_before`: the unconditional rates of arXiv
      2606.02646, Table 15; with `_first`, from round 1 (appendix F).
    - `correct_yielded` of `correct_facing_wrong`, `wrong_learned` of `wrong_facing_correct`: its sycophancy rate
      alpha_s and learning rate alpha_l (definition 2, Table 15). What an agent faces is `contrary_plurality`. It
      yields if it now gives that wrong answer, and not another wrong one; it learns if it is now right.
    - `modal_stayed` of `modal`, `nonmodal_to_modal` of `nonmodal`: Table 16. Modal are the agents who gave the team's
      answer of round 1, a tie settled as in MEASURES. Who left it and came back has stayed: rounds in between do not
      count.
    - `mode_changed`: the team's answer is another than in round 1. No where either round has none.

    Args:
        answers: rows of `schema.ANSWERS`, in any order, or what `seat` made of them; each team with its agents 1 to n
            and rounds 1 to its last.
        tie_label: seed label of the order that settles ties.

    Returns:
        rows of `schema.MOVES`, for rounds from 2. A team of one, and one that hears nobody, has them too.

    Raises:
        UserError: where an agent or a round of a team is missing.
    """
    seats = seat(answers, tie_label)
    revised = np.flatnonzero(seats.keys["round"] > 1)
    check_rounds(seats)
    turn = seats.keys["round"][seats.team]
    now = np.flatnonzero(turn > 1)
    n = seats.keys["n"][seats.team[now]]
    last, first = _Step.of(seats, now - n, now), _Step.of(seats, now - n * (turn[now] - 1), now)
    counts = _exchanged(last, "_before", "") | _followed(last)
    mode = _mode(seats)
    counts |= _exchanged(first, "_first", "_first") | _anchored(first, mode)
    kept = pa.array(seats.first()[revised])
    columns = {name: seats.table[name].take(kept) for name in MOVES.keys}
    columns |= {name: pa.array(count[revised]) for name, count in counts.items()}
    anchor = mode[_first_team(seats)]
    columns["mode_changed"] = pa.array(((mode != anchor) & (mode >= 0) & (anchor >= 0))[revised])
    return conform(pa.table(columns), MOVES, "moves")


def contrary_plurality(seats: Seats) -> tuple[IntArray, BoolArray]:
    """The plurality answer of an agent's peers, where it is another than the agent's own.

    Peers are all other agents of the team in the same round who answered, also where only k of them are heard or
    none is: so it means the same at every k, and in the conditions without talk it shows how often agents go where
    the others are without hearing them. A tie among the peers is no plurality.

    Returns:
        (seats,), the peers' answer, -1 where they have none or the agent shares it; and whether it is correct.
    """
    # Without its own vote an agent's answer can only fall behind, and all others stand as they did. So the peers have
    # one contrary plurality exactly where the team has one leader besides the agent's answer.
    lead = leaders(seats.ballots.counts)
    own = lead[seats.team, seats.column] & (seats.column >= 0)
    one = lead.sum(axis=1)[seats.team] - own == 1
    code = np.where(lead, seats.ballots.candidates, 0).sum(axis=1)[seats.team] - np.where(own, seats.answer, 0)
    right = (lead & (seats.ballots.correct > 0)).sum(axis=1)[seats.team] - (own & seats.correct)
    return np.where(one, code, -1), one & (right > 0)


@dataclass(frozen=True)
class _Step:
    """The same agents in two rounds, of whom only those who answered in both.

    Attributes:
        then, now: (agents,), their seats in either.
    """

    seats: Seats
    then: IntArray
    now: IntArray

    @classmethod
    def of(cls, seats: Seats, then: IntArray, now: IntArray) -> "_Step":
        twice = (seats.answer[then] >= 0) & (seats.answer[now] >= 0)
        return cls(seats, then[twice], now[twice])

    def count(self, kind: IntArray, kinds: int) -> IntArray:
        """How many agents of each kind, (agents,), each team of the later round has: (kinds, teams)."""
        place = self.seats.team[self.now] * kinds + kind
        return np.bincount(place, minlength=self.seats.n_teams * kinds).reshape(-1, kinds).T


def _exchanged(step: _Step, base: str, suffix: str) -> dict[str, IntArray]:
    """Agents by whether they were right and are; each (teams,)."""
    was, is_ = step.seats.correct[step.then], step.seats.correct[step.now]
    stayed_wrong, learned, lost, stayed_right = step.count(2 * was + is_, 4)
    return {
        f"correct{base}": stayed_right + lost,
        f"wrong{base}": stayed_wrong + learned,
        f"correct_to_wrong{suffix}": lost,
        f"wrong_to_correct{suffix}": learned,
    }


def _followed(step: _Step) -> dict[str, IntArray]:
    """Agents whose peers said otherwise, and those who went over to them; each (teams,)."""
    was, is_ = step.seats.correct[step.then], step.seats.correct[step.now]
    faced, faced_right = contrary_plurality(step.seats)
    faced, right = faced[step.then], faced_right[step.then]
    misled, helped = was & (faced >= 0) & ~right, ~was & right
    followed = np.where(misled, step.seats.answer[step.now] == faced, is_)
    _, resisted, yielded, deaf, learned = step.count(np.where(misled | helped, 1 + 2 * helped + followed, 0), 5)
    return {
        "correct_facing_wrong": resisted + yielded,
        "correct_yielded": yielded,
        "wrong_facing_correct": deaf + learned,
        "wrong_learned": learned,
    }


def _anchored(step: _Step, mode: IntArray) -> dict[str, IntArray]:
    """Agents by whether they gave the team's answer of round 1 then and now; each (teams,)."""
    anchor = mode[step.seats.team[step.then]]
    was, is_ = step.seats.answer[step.then] == anchor, step.seats.answer[step.now] == anchor
    stayed_off, came, left, stayed = step.count(2 * was + is_, 4)
    return {
        "modal": stayed + left,
        "modal_stayed": stayed,
        "nonmodal": stayed_off + came,
        "nonmodal_to_modal": came,
    }


def _mode(seats: Seats) -> IntArray:
    """The answer of each team, (teams,), as in MEASURES; -1 where nobody answered."""
    column = seats.choose(seats.ballots.counts)
    return np.where(column >= 0, seats.ballots.candidates[np.arange(column.size), column], -1)


def _first_team(seats: Seats) -> IntArray:
    """For each team the same team in round 1, (teams,)."""
    return np.arange(seats.n_teams) - (seats.keys["round"] - 1)
