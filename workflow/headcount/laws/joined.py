"""A team's measures with all else that is known of the same teams beside them, in one row.

What a team did in round 1, what all rounds so far cost, what its agents moved from, what other rules would have
answered: joined once, by key, as further columns. So a quantity reads its parts off one row, whatever file they came
from, and a row of which something is not known holds NaN there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.errors import UserError
from headcount.laws.series import TaskRows, TeamRows, codes, split_tasks
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.groups import group
from headcount.schema import MOVES

_NUMBERS = ("replicate", "n", "k", "round")
_FIRST = ("n_valid", "agreement", "n_correct", "correct_pairs", "pairs")
_TOKENS = ("prompt_tokens", "completion_tokens")
Columns = dict[str, FloatArray]


@dataclass(frozen=True)
class TeamNumbers(TeamRows):
    """All numbers of a team: what fits need, and rows of MOVES and VOTES where there are any."""

    moves: pa.Table | None = None
    votes: pa.Table | None = None


def joined_tasks(team: TeamNumbers) -> Iterator[tuple[str, TaskRows]]:
    """The tasks of a team as `split_tasks` has them, each row with further columns.

    `first_*` is a column of the same team in round 1; `*_to_here` sums a column over rounds 1 to this one, NaN where
    one of them is missing; the columns of MOVES keep their names; `vote_correct_{rule}` and `vote_n_eff_{rule}` are
    those of VOTES. Means over all teams of n have no moves and no votes: those are of teams that were run.
    """
    for task, rows in split_tasks(team):
        columns = rows.columns | _earlier_rounds(rows)
        if rows.subsets == "first":
            columns |= _moves(rows, team.moves, task) | _votes(rows, team.votes, task)
        yield task, replace(rows, columns=columns)


def _earlier_rounds(rows: TaskRows) -> Columns:
    *shape, turn = _keys(rows)
    team = group(shape).of_row
    in_first = np.full(int(team.max(initial=-1)) + 1, -1)
    in_first[team[turn == 1]] = np.flatnonzero(turn == 1)
    place = in_first[team]
    columns = {f"first_{name}": np.where(place >= 0, rows.columns[name][place], np.nan) for name in _FIRST}
    for name in _TOKENS:
        if name in rows.columns:
            columns[f"{name}_to_here"] = _running_sum(rows.columns[name], team, turn)
    return columns


def _running_sum(column: FloatArray, team: IntArray, turn: IntArray) -> FloatArray:
    """Sum over a team's rounds 1 to this one; NaN where one of them has no row."""
    order = np.lexsort((turn, team))
    start = np.searchsorted(team[order], team[order])
    total = np.r_[0.0, np.cumsum(column[order])]
    sums = total[1:] - total[start]
    unbroken = turn[order] == np.arange(order.size) - start + 1
    result = np.empty_like(column)
    result[order] = np.where(unbroken, sums, np.nan)
    return result


def _moves(rows: TaskRows, moves: pa.Table | None, task: str) -> Columns:
    if moves is None:
        return {}
    moves = _of_task(moves, task)
    place = _places(rows, moves, "moves")
    names = [name for name in MOVES.schema.names if name not in MOVES.keys]
    return {name: _at(place, moves[name], len(rows.condition)) for name in names}


def _votes(rows: TaskRows, votes: pa.Table | None, task: str) -> Columns:
    if votes is None:
        return {}
    votes = _of_task(votes, task)
    place = _places(rows, votes, "votes")
    rule = votes["rule"].cast(pa.string())
    columns: Columns = {}
    for name in sorted(set(rule.to_pylist())):
        here = pc.equal(rule, name)
        cast, at = votes.filter(here), place[here.to_numpy(zero_copy_only=False)]
        for column in ("correct", "n_eff"):
            columns[f"vote_{column}_{name}"] = _at(at, cast[column], len(rows.condition))
    return columns


def _of_task(table: pa.Table, task: str) -> pa.Table:
    return table.filter(pc.equal(table["task"].cast(pa.string()), task))


def _keys(rows: TaskRows) -> list[IntArray]:
    """Codes of condition and item, then the numbers that tell rows apart; the round last."""
    return [rows.conditions[1], rows.item, *(rows.integer(name) for name in _NUMBERS)]


def _places(rows: TaskRows, other: pa.Table, name: str) -> IntArray:
    """The row of measures that each row of another file belongs to."""
    condition = codes(other["condition"].cast(pa.string()), rows.conditions[0])
    theirs = [condition, codes(other["item"], rows.items), *(other[number].to_numpy() for number in _NUMBERS)]
    keys = [np.concatenate([ours, their.astype(np.int64)]) for ours, their in zip(_keys(rows), theirs, strict=True)]
    team, count = group(keys).of_row, len(rows.condition)
    row_of = np.full(int(team.max(initial=-1)) + 1, -1)
    row_of[team[:count]] = np.arange(count)
    place = row_of[team[count:]]
    if (place < 0).any():
        key = {
            column: other[column][int(np.argmin(place))].as_py() for column in ("task", "condition", "item", *_NUMBERS)
        }
        raise UserError(
            f"{name}: {key} has no row in the team's measures, so the two were made from different answers. "
            f"Delete both files and run again."
        )
    return place


def _at(place: IntArray, values: pa.ChunkedArray, count: int) -> FloatArray:
    """Values at their places among `count` rows; NaN elsewhere, and for null."""
    column = np.full(count, np.nan)
    column[place] = values.cast(pa.float64()).to_numpy()
    return column
