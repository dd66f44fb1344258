"""What a team of several models makes of an item on average over all teams with its seats, by `subsets_grid`.

Each size has polynomials of its own. Models with no seat are left out of them, and models of whom every agent has a
seat count as one, since there is nothing to choose; so only models of whom some sit and some do not add a variable.

All results are (pools, sizes); NaN where no team has the quantity, and where a size needs more than `LARGEST` terms,
as with ten models of three agents each: no approximation takes the place of what cannot be had at reasonable cost.
"""

from collections.abc import Iterator

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.subsets_grid import LARGEST, Grid, coefficients, transforms
from headcount.measures.subsets_mixed import MixedPools, ratio
from headcount.measures.subsets_sums import binomials, choose
from headcount.measures.subsets_values import diversity_factor, kish_factors, tie_factors


def diversity_means(pools: MixedPools, seats: IntArray) -> dict[str, FloatArray]:
    """Mean over teams of 2^H and of Kish's formula on the team's own pair agreement, as `subsets_values` has them.

    Args:
        seats: (sizes, models), seats of each model.

    Returns:
        n_eff_answer and n_eff_agreement, in agents.
    """
    found = np.full((2, len(pools.answers), len(seats)), np.nan)
    for size, rows, here, own in _by_size(pools, seats):
        found[:, rows, size] = _diversity(here, own)
    return {"n_eff_answer": found[0], "n_eff_agreement": found[1]}


def plurality_means(pools: MixedPools, seats: IntArray) -> dict[str, FloatArray]:
    """Share of the teams that are right by plurality, ties settled by chance; no answer at all is wrong.

    Args:
        seats: (sizes, models), seats of each model.

    Returns:
        team_correct.
    """
    found = np.full((len(pools.answers), len(seats)), np.nan)
    for size, rows, here, own in _by_size(pools, seats):
        found[rows, size] = _right(here, own)
    return {"team_correct": found}


def _by_size(pools: MixedPools, seats: IntArray) -> Iterator[tuple[int, IntArray, MixedPools, IntArray]]:
    """Sizes in turn: place, pools that have the agents, and these pools and the seats with models taken together."""
    for size, own in enumerate(seats):
        rows = np.flatnonzero((pools.agents >= own).all(axis=1))
        whole = (pools.agents[rows] == own).all(axis=0)
        parts = np.flatnonzero(~whole & (own > 0))
        together = np.eye(own.size, dtype=np.int64)[:, parts]
        if (whole & (own > 0)).any():
            together = np.c_[together, (whole & (own > 0)).astype(np.int64)]
        here = MixedPools(pools.kinds @ together, pools.correct, pools.answers[rows], pools.missing[rows] @ together)
        terms = np.prod(here.agents.max(axis=0, initial=0) + 1.0)
        if rows.size and terms <= LARGEST:
            yield size, rows, here, own @ together


def _diversity(pools: MixedPools, seats: IntArray) -> FloatArray:
    """Both effective sizes of each pool, (2, pools): sums over the number w of valid answers in a team."""
    ways = binomials(int(pools.agents.max(initial=0)))
    valid, total, teams = pools.valid, np.zeros((2, len(pools.answers))), np.zeros((2, len(pools.answers)))
    for w in range(1, int(seats.sum()) + 1):
        powers = _compositions(seats, w)
        silent = choose(ways, pools.missing[:, None], seats - powers).prod(axis=2)  # ways to fill the other seats
        formed = silent * choose(ways, valid[:, None], powers).prod(axis=2)
        rows = np.flatnonzero((formed > 0).any(axis=1))
        if rows.size:
            scale = _scale(w, int(valid[rows].sum(axis=1).max()))
            total[:, rows] += _sums(
                pools, rows, np.where(formed > 0, silent, 0.0)[rows], powers, scale, int(seats.sum())
            )
            paired = w > 1 or seats.sum() == 1
            teams[:, rows] += formed[rows].sum(axis=1) * np.array([1.0, float(paired)])[:, None]
    return ratio(total, teams)


def _sums(pools: MixedPools, rows: IntArray, silent: FloatArray, powers: IntArray, scale: float, n: int) -> FloatArray:
    """Sums of both effective sizes over the teams with these numbers of valid answers of each model, (2, rows)."""
    w = int(powers[0].sum())
    grid = Grid.of(pools.agents.max(axis=0))
    used, answers = _used(pools.answers[rows])
    polynomials = grid.choices(pools.kinds[used], scale)
    kish, weights = kish_factors(w, np.array([n]), n)

    def summed(function: FloatArray) -> FloatArray:
        factors = [(transforms(grid, polynomials, function), answers)]
        return np.asarray((coefficients(grid, factors, powers, scale) * silent).sum(axis=1))

    agreement = sum(weight * summed(function) for weight, function in zip(weights[:, 0], kish, strict=True))
    return np.stack([summed(diversity_factor(w)), np.broadcast_to(agreement, rows.size)])


def _right(pools: MixedPools, seats: IntArray) -> FloatArray:
    """Share of the teams that are right, (pools,): sums over right answers and the number j of votes for each."""
    ways, agents = binomials(int(pools.agents.max(initial=0))), pools.agents
    pool, column = np.nonzero(pools.correct[pools.answers])
    own = pools.kinds[pools.answers[pool, column]]
    least = np.maximum(own + seats - agents[pool], 0).sum(axis=1)  # for want of others
    most = np.minimum(own, seats).sum(axis=1)
    right = np.zeros(len(agents))
    for j in range(1, int(most.max(initial=0)) + 1):
        rows = np.flatnonzero((least <= j) & (j <= most))
        if rows.size:
            np.add.at(right, pool[rows], _led(pools, pool[rows], column[rows], j, seats))
    return ratio(right, choose(ways, agents, seats).prod(axis=1))


def _led(pools: MixedPools, pool: IntArray, column: IntArray, j: int, seats: IntArray) -> FloatArray:
    """Sum over teams in which an answer has j votes and leads, alone or not, of its share in the lead; (rows,).

    As in `subsets_values`, but with agents without an answer as one more factor.
    """
    n, grid = int(seats.sum()), Grid.of(pools.agents.max(axis=0))
    scale = _scale(n, int(grid.agents.sum()))
    answers = pools.answers[pool].copy()
    own = answers[np.arange(pool.size), column]
    answers[np.arange(pool.size), column] = 0
    kinds, place = _used(np.c_[own, answers])
    polynomials = grid.choices(pools.kinds[kinds], scale)
    silence, silent = np.unique(pools.missing[pool], axis=0, return_inverse=True)
    silence = np.r_[np.zeros((1, silence.shape[1]), np.int64), silence]
    given = transforms(grid, polynomials, (np.arange(j + 1) == j).astype(np.float64))
    unheard = transforms(grid, grid.choices(silence, scale), np.ones(n + 1))
    fixed = [(given, place[:, :1]), (unheard, 1 + silent.reshape(-1, 1))]
    total = np.zeros(pool.size)
    for function, weight in zip(*tie_factors(j, n - j), strict=True):
        factors = [*fixed, (transforms(grid, polynomials, function), place[:, 1:])]
        total += weight * coefficients(grid, factors, seats[None], scale)[:, 0]
    return total


def _compositions(seats: IntArray, total: int) -> IntArray:
    """Numbers of agents of each model, up to their seats, that make a total; (any number, models)."""
    every = np.indices((seats + 1).tolist()).reshape(seats.size, -1).T
    return np.asarray(every[every.sum(axis=1) == total])


def _used(answers: IntArray) -> tuple[IntArray, IntArray]:
    """The kinds of answers that occur, the first of all among them, and each one's place there."""
    kinds, place = np.unique(np.r_[0, answers.ravel()], return_inverse=True)
    return kinds, place.ravel()[1:].reshape(answers.shape)


def _scale(seats: int, agents: int) -> float:
    """That at which a choice of so many among so many agents has the largest coefficient."""
    return (seats + 0.5) / (max(agents - seats, 0) + 0.5)
