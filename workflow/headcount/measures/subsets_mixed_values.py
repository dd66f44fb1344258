"""What a team of several models makes of an item on average over all teams with its seats, by `subsets_grid`.

Each size has polynomials of its own. Models with no seat are left out of them, and models of whom every agent has a
seat count as one, since there is nothing to choose; so only models of whom some sit and some do not add a variable.

All results are (pools, sizes); NaN where no team has the quantity, and where a size needs more than `LARGEST` terms,
as with ten models of three agents each: no approximation takes the place of what cannot be had at reasonable cost.
"""

from collections.abc import Callable, Iterator

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.groups import distinct_rows
from headcount.measures.subsets_grid import AT_ONCE, LARGEST, Grid, coefficients, summed_products, transforms
from headcount.measures.subsets_mixed import MixedPools, ratio
from headcount.measures.subsets_sums import binomials, choose
from headcount.measures.subsets_values import diversity_factor, kish_factors, tie_factors

Factors = Callable[[int, int], tuple[FloatArray, FloatArray]]  # from w and n


def answer_means(pools: MixedPools, seats: IntArray) -> dict[str, FloatArray]:
    """Mean over teams of 2^H, as `subsets_values` has it.

    Args:
        seats: (sizes, models), seats of each model.

    Returns:
        n_eff_answer, in agents.
    """

    def factors(w: int, _n: int) -> tuple[FloatArray, FloatArray]:
        return diversity_factor(w)[None], np.ones(1)

    return {"n_eff_answer": _means(pools, seats, factors, 1)}


def agreement_means(pools: MixedPools, seats: IntArray) -> dict[str, FloatArray]:
    """Mean over teams of Kish's formula on the team's own pair agreement, as `subsets_values` has it.

    Args:
        seats: (sizes, models), seats of each model.

    Returns:
        n_eff_agreement, in agents.
    """

    def factors(w: int, n: int) -> tuple[FloatArray, FloatArray]:
        functions, weights = kish_factors(w, np.array([n]), n)
        return functions, weights[:, 0]

    return {"n_eff_agreement": _means(pools, seats, factors, 2)}


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


def _means(pools: MixedPools, seats: IntArray, factors: Factors, fewest: int) -> FloatArray:
    """Means over teams of sums of products over answers, (pools, sizes).

    Args:
        factors: functions (functions, w + 1) and weights of teams of n with w valid answers.
        fewest: valid answers that a team must have, or all its agents if they are fewer.
    """
    found = np.full((len(pools.answers), len(seats)), np.nan)
    for size, rows, here, own in _by_size(pools, seats):
        found[rows, size] = _mean(here, own, factors, fewest)
    return found


def _mean(pools: MixedPools, seats: IntArray, factors: Factors, fewest: int) -> FloatArray:
    """The mean of each pool, (pools,): sums over the number w of valid answers in a team."""
    ways, n = binomials(int(pools.agents.max(initial=0))), int(seats.sum())
    valid, total, teams = pools.valid, np.zeros(len(pools.answers)), np.zeros(len(pools.answers))
    for w in range(min(fewest, n), n + 1):
        powers = _compositions(seats, w)
        silent = choose(ways, pools.missing[:, None], seats - powers).prod(axis=2)  # ways to fill the other seats
        formed = silent * choose(ways, valid[:, None], powers).prod(axis=2)
        wanted = (formed > 0).any(axis=0)
        filled = np.where(formed > 0, silent, 0.0)[:, wanted]
        for rows in _blocks(np.flatnonzero((formed > 0).any(axis=1)), pools):
            total[rows] += (_sums(pools, rows, powers[wanted], *factors(w, n)) * filled[rows]).sum(axis=1)
        teams += formed.sum(axis=1)
    return ratio(total, teams)


def _sums(
    pools: MixedPools, rows: IntArray, powers: IntArray, functions: FloatArray, weights: FloatArray
) -> FloatArray:
    """Sums over the teams with these numbers of valid answers of each model, (rows, powers)."""
    valid = pools.valid[rows]
    grid = Grid.of(valid.max(axis=0), powers, _scale(int(powers[0].sum()), int(valid.sum(axis=1).max())))
    kinds, answers = _used(pools, pools.answers[rows])
    polynomials = grid.choices(pools.kinds[kinds])
    return coefficients(grid, summed_products(grid, polynomials, np.sort(answers, axis=1), functions, weights))


def _right(pools: MixedPools, seats: IntArray) -> FloatArray:
    """Share of the teams that are right, (pools,): sums over right answers and the number j of votes for each."""
    ways, agents = binomials(int(pools.agents.max(initial=0))), pools.agents
    pool, column = np.nonzero(pools.correct[pools.answers])
    own = pools.kinds[pools.answers[pool, column]]
    least = np.maximum(own + seats - agents[pool], 0).sum(axis=1)  # for want of others
    most = np.minimum(own, seats).sum(axis=1)
    right = np.zeros(len(agents))
    for j in range(1, int(most.max(initial=0)) + 1):
        for rows in _blocks(np.flatnonzero((least <= j) & (j <= most)), pools):
            np.add.at(right, pool[rows], _led(pools, pool[rows], column[rows], j, seats))
    return ratio(right, choose(ways, agents, seats).prod(axis=1))


def _led(pools: MixedPools, pool: IntArray, column: IntArray, j: int, seats: IntArray) -> FloatArray:
    """Sum over teams in which an answer has j votes and leads, alone or not, of its share in the lead; (rows,).

    As in `subsets_values`, but with agents without an answer as one more factor.
    """
    n, agents = int(seats.sum()), pools.agents[pool].max(axis=0)
    grid = Grid.of(agents, seats[None], _scale(n, int(agents.sum())))
    answers = pools.answers[pool]  # a copy
    kinds, own = _used(pools, answers[np.arange(pool.size), column])
    given = transforms(grid, grid.choices(pools.kinds[kinds]), (np.arange(j + 1) == j).astype(np.float64))
    answers[np.arange(pool.size), column] = 0
    kinds, others = _used(pools, answers)
    polynomials = grid.choices(pools.kinds[kinds])
    rivals = summed_products(grid, polynomials, np.sort(others, axis=1), *tie_factors(j, n - j))
    silence, silent = distinct_rows(pools.missing[pool])
    unheard = transforms(grid, grid.choices(silence), np.ones(n + 1))
    return np.asarray(coefficients(grid, rivals * given[own] * unheard[silent])[:, 0])


def _blocks(rows: IntArray, pools: MixedPools) -> Iterator[IntArray]:
    """Rows in blocks whose transforms fit in memory."""
    step = max(AT_ONCE // int(np.prod(pools.agents.max(axis=0) + 1)), 1)
    return (rows[start : start + step] for start in range(0, rows.size, step))


def _compositions(seats: IntArray, total: int) -> IntArray:
    """Numbers of agents of each model, up to their seats, that make a total; (any number, models)."""
    every = np.indices((seats + 1).tolist()).reshape(seats.size, -1).T
    return np.asarray(every[every.sum(axis=1) == total])


def _used(pools: MixedPools, answers: IntArray) -> tuple[IntArray, IntArray]:
    """The kinds of answers that occur, those given least first, from the one given by none; and each one's place."""
    kinds, place = np.unique(np.r_[0, answers.ravel()], return_inverse=True)
    order = np.argsort(pools.kinds[kinds].sum(axis=1), kind="stable")
    return kinds[order], np.argsort(order)[place.ravel()[1:]].reshape(answers.shape)


def _scale(seats: int, agents: int) -> float:
    """That at which a choice of so many among so many agents has the largest coefficient."""
    return (seats + 0.5) / (max(agents - seats, 0) + 0.5)
