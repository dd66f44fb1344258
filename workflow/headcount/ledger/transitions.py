"""From a team's answers to its ledger: what became of each debate between round 1 and a later round.

Rounds count from 1, so the paper's R0 is round 1 here and its R3 is round 4. The round at which a debate is judged, its
endpoint, is part of every row's key: two endpoints are never mixed (arXiv 2609.35279 scored some rows at R4).
"""

from typing import Literal

import numpy as np
import pyarrow as pa

from headcount.errors import UserError
from headcount.ledger.codings import Ends, could, recoded
from headcount.ledger.labels import as_labels, label
from headcount.ledger.majority import RIGHT, UNDEFINED, Majorities, TieRule, majorities
from headcount.ledger.onset import NEVER, onsets
from headcount.measures.arrays import BoolArray, IntArray
from headcount.measures.groups import group
from headcount.measures.seats import Seats, check_rounds, seat, team_name
from headcount.schema import MEASURES, TRANSITIONS
from headcount.store import conform

Endpoint = int | Literal["last", "every"]


def transitions(
    answers: pa.Table | Seats, team: str, endpoint: Endpoint = "last", ties: TieRule = "alphabetical"
) -> pa.Table:
    """What became of every debate of a team; of N agents, of whatever condition, those who hear nobody included.

    Args:
        answers: rows of `schema.ANSWERS`, in any order, or what `seat` made of them; each team with its agents 1 to n
            and rounds 1 to its last.
        team: its name.
        endpoint: the round that debates are judged at: their last, which must be one for all debates of a cell; one
            that all debates have; or every round from 2, a row each.
        ties: who wins a tie, in all columns but those named after another coding.

    Returns:
        rows of `schema.TRANSITIONS`; none for debates of a single round.

    Raises:
        UserError: where an agent or a round is missing, or debates of one cell end in different rounds.
    """
    seats = seat(answers)
    check_rounds(seats)
    now = _endpoints(seats, endpoint)
    ends = now - (seats.keys["round"][now] - 1), now
    says = majorities(seats, ties)
    where = pa.array(seats.first()[now])
    columns = {name: seats.table[name].take(where) for name in MEASURES.keys}
    columns["team"] = pa.DictionaryArray.from_arrays(np.zeros(now.size, np.int32), pa.array([team]))
    columns |= _ends(seats, says, ends) | _labels(seats, says, ends) | _onsets(seats, says, ends)
    return conform(pa.table(columns | _changes(seats, says, ends)), TRANSITIONS, f"transitions of {team}")


def _endpoints(seats: Seats, endpoint: Endpoint) -> IntArray:
    """Places of the endpoints among the teams of `seats`."""
    turn = seats.keys["round"]
    if endpoint == "every":
        return np.flatnonzero(turn > 1)
    last = np.flatnonzero(np.append(turn[1:], 1)[: turn.size] == 1)
    if endpoint == "last":
        _check_one_end(seats, last)
        return last[turn[last] > 1]
    short = last[turn[last] < endpoint]
    if short.size:
        raise UserError(
            f"answers: {team_name(seats.table, int(seats.first()[short[0]]))} is the last round, "
            f"and the endpoint is round {endpoint}. Choose a round that every debate has."
        )
    return np.flatnonzero(turn == endpoint)


def _check_one_end(seats: Seats, last: IntArray) -> None:
    cells = group([seats.keys[name][last] for name in ("task", "condition", "n", "k")])
    turn = seats.keys["round"][last]
    other = np.flatnonzero(turn != turn[cells.first][cells.of_row])
    if other.size:
        row, own = int(last[other[0]]), int(turn[cells.first][cells.of_row][other[0]])
        raise UserError(
            f"answers: {team_name(seats.table, int(seats.first()[row]))} is the last round, and other debates of its "
            f"cell end in round {own}. Name the endpoint."
        )


def _ends(seats: Seats, says: Majorities, ends: Ends) -> dict[str, pa.Array]:
    """The columns about either end."""
    columns: dict[str, pa.Array] = {}
    possible = could(seats, says) + 1  # UNDEFINED, WRONG, RIGHT from 0
    for name, end in zip(("initial", "final"), ends, strict=True):
        undefined = says.right[end] == UNDEFINED
        code = np.where(undefined, 0, says.answer[end])
        columns[f"{name}_answer"] = seats.answers.take(pa.array(code, mask=undefined))
        columns[f"{name}_correct"] = pa.array(says.right[end] == RIGHT, mask=undefined)
        columns[f"{name}_tie"] = pa.array(says.tie[end])
        columns[f"{name}_parsed"] = pa.array(says.parsed[end])
        columns[f"{name}_top"] = pa.array(says.top[end])
        columns[f"{name}_chance"] = pa.array(says.chance[end], from_pandas=True)
        columns[f"{name}_could"] = pa.array(["either", "wrong", "right"]).take(pa.array(possible[end]))
    return columns


def _labels(seats: Seats, says: Majorities, ends: Ends) -> dict[str, pa.Array]:
    primary = {"transition": as_labels(label(says.right[ends[0]], says.right[ends[1]]))}
    return primary | {name: as_labels(places, known) for name, places, known in recoded(seats, says, ends)}


def _onsets(seats: Seats, says: Majorities, ends: Ends) -> dict[str, pa.Array]:
    found = onsets(says.right, seats.keys["round"])
    broken = (says.right[ends[0]] == RIGHT) & (says.right[ends[1]] != RIGHT)

    def column(rounds: IntArray) -> pa.Array:
        here = rounds[ends[1]]
        return pa.array(here, mask=~broken | (here == NEVER))

    columns = {"round": found.first, "defined": found.defined, "lasting": found.lasting}
    named = {f"onset_{name}": column(rounds) for name, rounds in columns.items()}
    return named | {"transient_break": pa.array(found.transient[ends[1]])}


def _changes(seats: Seats, says: Majorities, ends: Ends) -> dict[str, pa.Array]:
    """How many agents changed their answer, and whether the team did."""
    start = np.r_[0, np.cumsum(seats.keys["n"])]
    n = seats.keys["n"][ends[1]]
    debate = np.repeat(np.arange(n.size), n)
    agent = np.arange(debate.size) - np.repeat(np.cumsum(n) - n, n)
    then, now = (seats.answer[start[end][debate] + agent] for end in ends)
    twice = (then >= 0) & (now >= 0)

    def count(agents: BoolArray) -> pa.Array:
        return pa.array(np.bincount(debate[agents], minlength=n.size))

    defined = (says.right[ends[0]] != UNDEFINED) & (says.right[ends[1]] != UNDEFINED)
    flip = says.answer[ends[0]] != says.answer[ends[1]]
    return {
        "answered_twice": count(twice),
        "changed_answers": count(twice & (then != now)),
        "majority_flip": pa.array(flip, mask=~defined),
    }
