"""Measures of teams whose agents hear nobody, over all teams that could have been formed: no matter who came first.

Of T agents who gave their answers alone, any n are a team of n, and the first n are but one of C(T, n). The mean
over all of them is unbiased, needs no further call, and is steadier: with 30 agents the variance of N_eff(2) is 1.6
to 3.4 times smaller than that of the first two (ours). It holds for round 1 and for self-correction; agents who
heard others are a team with those only.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
_LABELS = (("task", pa.string()), ("condition", pa.string()), ("round", pa.int64()))


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


def subset_measures(answers: pa.Table, sizes: Sizes, costly: Collection[str] = COSTLY) -> pa.Table:
    """Means of measures over all teams of n among the agents of each item's largest team.

    All are exact: means over all teams, and for 2^H and N_eff by agreement over those that have a value, as a team
    without an answer has none. Where a team has several models, its teams of n have as many agents of each as the
    first n agents have, whoever they are. But a panel, in which each model has one agent who never hears another,
    has no seats: any n of its models are a team.

    Args:
        answers: rows of `schema.ANSWERS`, in any order. Used are those of conditions in which nobody is heard, and
            round 1 of `round_one_condition`.
        sizes: team sizes wanted of each (task, condition); others are ignored.
        costly: those of `COSTLY` that are wanted; the others are left empty.

    Returns:
        rows of `schema.SUBSETS`, for sizes up to that of the largest team; k is 0, as nobody is heard.

    Raises:
        UserError: where an agent of a largest team is missing or stands twice, or is not always of one model.
    """
    ran = _ran(answers)
    seats = seat(_largest(_alone(answers, ran)))
    n, talk = seats.keys["n"], not set().union(*ran.values()) <= set(SOLITARY)
    every = np.unique(np.array([size for some in sizes.values() for size in some], dtype=np.int64))
    means, pool = _means(seats, _strata(seats, talk), every, costly)
    first = seats.table.take(pa.array(seats.first()))
    team, size = np.nonzero(_planned(first, sizes, every) & (every <= n[:, None]))
    columns = {name: first[name].take(pa.array(team)) for name in (*_WHOSE, "k")}
    columns |= {"n": pa.array(every[size]), "agents": pa.array(n[team])}
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


def _ran(answers: pa.Table) -> dict[str, set[str]]:
    """The conditions of each task."""
    task, condition = factorise(answers["task"]), factorise(answers["condition"])
    ran: dict[str, set[str]] = {}
    for row in group([task.codes, condition.codes]).first.tolist():
        cell = task.values[int(task.codes[row])], condition.values[int(condition.codes[row])]
        ran.setdefault(cell[0].as_py(), set()).add(cell[1].as_py())
    return ran


def _alone(answers: pa.Table, ran: Mapping[str, set[str]]) -> pa.Table:
    """Rows of answers given alone: all of a solitary condition, and round 1 of the one that stands for it."""
    task, condition, turn = (answers[name].cast(kind) for name, kind in _LABELS)
    alone = pc.is_in(condition, pa.array(SOLITARY))
    for name, conditions in ran.items():
        stands = pc.and_(pc.equal(task, name), pc.equal(condition, round_one_condition(conditions)))
        alone = pc.or_(alone, pc.and_(stands, pc.equal(turn, 1)))
    return answers.filter(alone)


def _largest(answers: pa.Table) -> pa.Table:
    """Rows of the largest team of each item, replicate and round, as teams in which nobody is heard."""
    codes = [factorise(answers[name]).codes for name in _WHOSE[:3]]
    groups = group(codes + [answers[name].to_numpy().astype(np.int64) for name in _WHOSE[3:]])
    n, k = (answers[name].to_numpy().astype(np.int64) for name in ("n", "k"))
    size = n * (int(k.max(initial=0)) + 1) + k  # one of the teams of n, whomever they hear later
    largest = np.zeros(groups.first.size, np.int64)
    np.maximum.at(largest, groups.of_row, size)
    kept = answers.filter(pa.array(size == largest[groups.of_row]))
    place = kept.schema.get_field_index("k")
    return kept.set_column(
        place, kept.schema.field(place), pa.array(np.zeros(len(kept)), kept.schema.field(place).type)
    )


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


def _planned(rows: pa.Table, sizes: Sizes, every: IntArray) -> BoolArray:
    """Which of the sizes are asked for, (rows, sizes)."""
    task, condition = factorise(rows["task"]), factorise(rows["condition"])
    cells = [(a, b) for a in task.values.to_pylist() for b in condition.values.to_pylist()]
    asked = np.array([np.isin(every, sizes.get(cell, ())) for cell in cells], dtype=np.bool_)
    cell = task.codes * len(condition.values) + condition.codes
    return np.asarray(asked.reshape(len(cells), every.size)[cell])
