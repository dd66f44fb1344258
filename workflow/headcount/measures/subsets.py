"""Measures of teams whose agents hear nobody, over all teams that could have been formed: no matter who came first.

Of T agents who gave their answers alone, any n are a team of n, and the first n are but one of C(T, n). The mean
over all of them is unbiased, needs no further call, and is steadier: with 30 agents the variance of N_eff(2) is 1.6
to 3.4 times smaller than that of the first two (ours). It holds for round 1 and for self-correction; agents who
heard others are a team with those only.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from headcount.errors import UserError
from headcount.measures import subsets_mixed as mixed
from headcount.measures import subsets_mixed_values as several
from headcount.measures import subsets_values as one
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import Ballots
from headcount.measures.groups import distinct_rows, factorise, group
from headcount.measures.seats import Seats, seat, team_name
from headcount.measures.subsets_values import Pools
from headcount.schema import SUBSETS
from headcount.store import conform

SOLITARY = ("self_consistency", "self_correction")  # conditions in which nobody is heard
_ROUND_ONE = (*SOLITARY, "debate", "noise")

Sizes = Mapping[tuple[str, str], Sequence[int]]  # by task and condition

COSTLY = ("n_eff_answer", "n_eff_agreement", "team_correct")  # columns that take long, worked out if asked for
_WHOSE = ("task", "condition", "item", "replicate", "round")


def round_one_condition(conditions: Collection[str]) -> str:
    """Whose rows of SUBSETS hold the means over all teams of n among the round-1 answers to a task.

    Round 1 is the same in all conditions. It stands under the first of self_consistency, self_correction, debate and
    noise that was run.

    Args:
        conditions: those that a team was run in on the task.

    Raises:
        UserError: where it was run in none of them.
    """
    found = next((name for name in _ROUND_ONE if name in conditions), None)
    if found is None:
        raise UserError(f"no round 1: conditions are {sorted(conditions)}, and none of them is of {_ROUND_ONE}")
    return found


def subset_measures(answers: pa.Table | Seats, sizes: Sizes, costly: Collection[str] = COSTLY) -> pa.Table:
    """Means of measures over all teams of n among the agents of each item's largest team.

    All are exact: means over all teams, and for 2^H and N_eff by agreement over those that have a value, as a team
    without an answer has none. Where a team has several models, its teams of n have as many agents of each as the
    first n agents have, whoever they are. But a panel, in which each model has one agent who never hears another,
    has no seats: any n of its models are a team.

    Args:
        answers: rows of `schema.ANSWERS`, in any order, or what `seat` made of them. Used are those of conditions in
            which nobody is heard, and round 1 of `round_one_condition`.
        sizes: team sizes wanted of each (task, condition); others are ignored.
        costly: those of `COSTLY` that are wanted; the others are left empty.

    Returns:
        rows of `schema.SUBSETS`, for sizes up to that of the largest team; k is 0, as nobody is heard.

    Raises:
        UserError: where an agent of a team is missing or stands twice, or one of a largest team is not always of one
            model.
    """
    seats = seat(answers)
    cells = _cells(seats)
    talk = not {condition for _, condition in cells.names} <= set(SOLITARY)
    seats = seats.only(_alone(seats, cells))
    seats = seats.only(_largest(seats))
    n, first = seats.keys["n"], seats.first()
    every = np.unique(np.array([size for some in sizes.values() for size in some], dtype=np.int64))
    means, pool = _means(seats, _strata(seats, talk), every, costly)
    team, size = np.nonzero(_planned(_cells(seats), sizes, every) & (every <= n[:, None]))
    columns = {name: seats.table[name].take(pa.array(first[team])) for name in _WHOSE}
    columns |= {"n": pa.array(every[size]), "k": pa.array(np.zeros_like(team)), "agents": pa.array(n[team])}
    for name, values in means.items():
        columns[name] = pa.array(values[pool[team], size], from_pandas=True)
    return conform(pa.table(columns), SUBSETS, "subsets")


def _means(
    seats: Seats, strata: IntArray, sizes: IntArray, costly: Collection[str]
) -> tuple[dict[str, FloatArray], IntArray]:
    """Each mean of the distinct pools, (pools, sizes), and which pool is each team's."""
    pools: Pools | mixed.MixedPools
    if strata.any():
        pools, pool = mixed.mixed_pools(seats, strata)
        named = _of_mixed(pools, mixed.seats_of(strata, sizes), costly)
    else:
        pools, pool = _distinct(seats.ballots, seats.keys["n"])
        named = _of_one(pools, sizes, costly)
    return dict.fromkeys(COSTLY, np.full((len(pools.missing), sizes.size), np.nan)) | named, pool


def _of_one(pools: Pools, sizes: IntArray, costly: Collection[str]) -> dict[str, FloatArray]:
    """Means of teams of one model, and of panels."""
    how = dict(zip(COSTLY, (one.answer_means, one.agreement_means, one.plurality_means), strict=True))
    means = one.linear_means(pools, sizes) | one.unanimous_shares(pools, sizes)
    for name in costly:
        means |= how[name](pools, sizes)
    return means


def _of_mixed(pools: mixed.MixedPools, seats: IntArray, costly: Collection[str]) -> dict[str, FloatArray]:
    """Means of teams of several models."""
    how = dict(zip(COSTLY, (several.answer_means, several.agreement_means, several.plurality_means), strict=True))
    means = mixed.linear_means(pools, seats) | mixed.unanimous_shares(pools, seats)
    for name in costly:
        means |= how[name](pools, seats)
    return means


@dataclass(frozen=True)
class _Cells:
    """Task and condition of each cell, and the cell of each team, (teams,)."""

    names: list[tuple[str, str]]
    of_team: IntArray


def _cells(seats: Seats) -> _Cells:
    cells = group([seats.keys["task"], seats.keys["condition"]])
    row = pa.array(seats.first()[cells.first])
    labels = [seats.table[name].take(row).to_pylist() for name in ("task", "condition")]
    return _Cells(list(zip(*labels, strict=True)), cells.of_row)


def _alone(seats: Seats, cells: _Cells) -> BoolArray:
    """Teams, (teams,), of answers given alone: of solitary conditions, and in round 1 of the one that stands for it."""
    ran: dict[str, set[str]] = {}
    for task, condition in cells.names:
        ran.setdefault(task, set()).add(condition)
    stands = {task: round_one_condition(conditions) for task, conditions in ran.items()}
    first = np.array([condition == stands[task] for task, condition in cells.names], dtype=np.bool_)
    always = np.array([condition in SOLITARY for _, condition in cells.names], dtype=np.bool_)
    return np.asarray(always[cells.of_team] | (first[cells.of_team] & (seats.keys["round"] == 1)))


def _largest(seats: Seats) -> BoolArray:
    """The largest team, (teams,), of each item, replicate and round."""
    groups = group([seats.keys[name] for name in _WHOSE])
    n, k = seats.keys["n"], seats.keys["k"]
    size = n * (int(k.max(initial=0)) + 1) + k  # one of the teams of n, whomever they hear later
    largest = np.zeros(groups.first.size, np.int64)
    np.maximum.at(largest, groups.of_row, size)
    return np.asarray(size == largest[groups.of_row])


def _strata(seats: Seats, talk: bool) -> IntArray:
    """Codes of agents' models, (agents,); all 0 if there is one, and for a panel."""
    model = factorise(seats.table["model"])
    code = model.codes[seats.row]
    agent = np.arange(code.size) - np.searchsorted(seats.team, seats.team)
    strata = np.zeros(int(seats.keys["n"].max(initial=0)), np.int64)
    strata[agent] = code
    wrong = np.flatnonzero(strata[agent] != code)
    if wrong.size:
        place = wrong[0]
        own, other = (model.values[int(found)].as_py() for found in (code[place], strata[agent[place]]))
        raise UserError(
            f"answers: {team_name(seats.table, int(seats.row[place]))}: agent {agent[place] + 1} is of model {own!r}, "
            f"and of {other!r} elsewhere. A team's agents are always of the same models."
        )
    used = np.unique(strata)
    return np.searchsorted(used, strata) if talk or used.size < strata.size else np.zeros_like(strata)


def _distinct(ballots: Ballots, n: IntArray) -> tuple[Pools, IntArray]:
    """The distinct ways in which agents answered, whatever the answers were, and which one is each team's."""
    votes = np.sort(2 * ballots.counts + (ballots.correct > 0), axis=1)
    missing = n - ballots.counts.sum(axis=1)
    kinds, kind = distinct_rows(np.c_[votes, missing])
    return Pools(kinds[:, :-1] // 2, kinds[:, :-1] % 2 > 0, kinds[:, -1]), kind


def _planned(cells: _Cells, sizes: Sizes, every: IntArray) -> BoolArray:
    """Which of the sizes are asked for, (teams, sizes)."""
    asked = np.array([np.isin(every, sizes.get(cell, ())) for cell in cells.names], dtype=np.bool_)
    return np.asarray(asked.reshape(len(cells.names), every.size)[cells.of_team])
