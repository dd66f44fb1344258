"""What a team of n makes of an item on average over all teams of n that a pool of agents can form: exact means.

A team's valid answers are w of its n seats; among them the means are coefficients of polynomials (`subsets_sums`),
and the seats of agents without an answer are filled in C(missing, n - w) ways. A quantity that a team cannot have
(2^H without an answer, agreement without a pair) is averaged over the teams that have it.

All results are (pools, sizes), NaN where no team has the quantity; a size above the pool's is for callers to drop.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.diversity import pairs_among
from headcount.measures.subsets_sums import binomials, choose, exponentials, largest_sums, team_sums

Factors = Callable[[int, int], tuple[FloatArray, FloatArray]]  # from w and the largest n


@dataclass(frozen=True)
class Pools:
    """Agents of whom teams are formed, one pool an item.

    Attributes:
        counts: (pools, answers), how often each answer was given; zeros pad.
        correct: (pools, answers), whether it is right.
        missing: (pools,), agents without an answer.
    """

    counts: IntArray
    correct: BoolArray
    missing: IntArray

    @property
    def valid(self) -> IntArray:
        """Agents with an answer, (pools,)."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def agents(self) -> IntArray:
        """All agents, (pools,)."""
        return np.asarray(self.valid + self.missing)

    @property
    def right(self) -> IntArray:
        """Agents whose answer is right, (pools,)."""
        return np.asarray(np.where(self.correct, self.counts, 0).sum(axis=1))


def linear_means(pools: Pools, sizes: IntArray) -> dict[str, FloatArray]:
    """Mean numbers of agents and of pairs: hypergeometric expectations.

    A given agent sits on n / T of the teams of n among T agents, a given pair on n (n - 1) / (T (T - 1)) of them.
    So agreement, equal pairs by pairs, is that of the whole pool at every n.

    Args:
        sizes: (sizes,), team sizes.
    """
    agents = pools.agents[:, None]
    seat = sizes / np.maximum(agents, 1)
    pair = seat * (sizes - 1) / np.maximum(agents - 1, 1)
    pairs, equal = pairs_among(pools.valid), pairs_among(pools.counts).sum(axis=1)
    agreement = np.where(pairs > 0, equal / np.maximum(pairs, 1), np.nan)
    return {
        "n_valid": seat * pools.valid[:, None],
        "n_correct": seat * pools.right[:, None],
        "pairs": pair * pairs[:, None],
        "equal_pairs": pair * equal[:, None],
        "correct_pairs": pair * pairs_among(pools.right)[:, None],
        "agreement": np.where(sizes > 1, agreement[:, None], np.nan),
    }


def answer_means(pools: Pools, sizes: IntArray) -> dict[str, FloatArray]:
    """Mean over teams of 2^H.

    With j_v of the w valid answers, 2^H = prod_v (j_v / w)^(-j_v / w) is a product over answers (ours).

    Args:
        sizes: (sizes,), team sizes.

    Returns:
        n_eff_answer in agents, as MEASURES has it.
    """

    def factors(w: int, _largest: int) -> tuple[FloatArray, FloatArray]:
        return diversity_factor(w)[None], np.ones((1, sizes.size))

    return {"n_eff_answer": _means(pools, sizes, factors, 1)}


def agreement_means(pools: Pools, sizes: IntArray) -> dict[str, FloatArray]:
    """Mean over teams of Kish's formula on the team's own pair agreement.

    With E = sum_v C(j_v, 2) equal pairs, n / (1 + (n - 1) E / C(w, 2)) is a sum of products over answers by
    `exponentials`; the mean is exact but for their 1e-10.

    Args:
        sizes: (sizes,), team sizes.

    Returns:
        n_eff_agreement in agents, as MEASURES has it: it needs two valid answers, but one where n = 1.
    """

    def factors(w: int, largest: int) -> tuple[FloatArray, FloatArray]:
        return kish_factors(w, sizes, largest)

    return {"n_eff_agreement": _means(pools, sizes, factors, 2)}


def plurality_means(pools: Pools, sizes: IntArray) -> dict[str, FloatArray]:
    """Share of the teams that are right by plurality, ties settled by chance; no answer at all is wrong.

    A team is right in the share of its leading answers that are.

    Args:
        sizes: (sizes,), team sizes.

    Returns:
        team_correct.
    """
    ways = binomials(int(pools.agents.max(initial=0)))
    led = _led(pools, int(sizes.max(initial=0)))
    right = np.zeros((pools.valid.size, sizes.size))
    for w in range(1, led.shape[1]):
        right += choose(ways, pools.missing[:, None], sizes - w) * led[:, w, None]
    return {"team_correct": _ratio(right, choose(ways, pools.agents[:, None], sizes))}


def unanimous_shares(pools: Pools, sizes: IntArray) -> dict[str, FloatArray]:
    """Shares of the teams that are unanimous, and unanimous and wrong, as in `votes.unanimous`.

    Args:
        sizes: (sizes,), team sizes.
    """
    ways = binomials(int(pools.agents.max(initial=0)))
    wrong = np.where(pools.correct, 0, pools.counts)
    agreed, agreed_wrong = np.zeros((2, pools.valid.size, sizes.size))
    for w in range(1, int(sizes.max(initial=0)) + 1):
        silent = choose(ways, pools.missing[:, None], sizes - w) * (w >= np.minimum(sizes, 2))
        agreed += silent * choose(ways, pools.counts, w).sum(axis=1)[:, None]
        agreed_wrong += silent * choose(ways, wrong, w).sum(axis=1)[:, None]
    teams = choose(ways, pools.agents[:, None], sizes)
    return {"unanimous": _ratio(agreed, teams), "unanimous_wrong": _ratio(agreed_wrong, teams)}


def diversity_factor(w: int) -> FloatArray:
    """The factor of an answer given j times in 2^H of w answers, for j = 0 to w."""
    share = np.arange(w + 1) / w
    return np.asarray(np.where(share > 0, share, 1.0) ** -share)


def kish_factors(w: int, sizes: IntArray, largest: int) -> tuple[FloatArray, FloatArray]:
    """Factors of an answer given j times, (nodes, w + 1), and what makes N_eff of them, (nodes, sizes).

    One set of factors serves all sizes, so that polynomials are multiplied out once: with L the largest size,
    n / (1 + (n - 1) rho) = n a / (a + (L - 1) rho), a = (L - 1) / (n - 1) >= 1, and exp(-x a) goes to the weights.
    """
    if w == 1:  # no pair: a team of one is one agent, others have no agreement
        return np.ones((1, 2)), np.where(sizes == 1, 1.0, 0.0)[None]
    stretch = (largest - 1.0) / np.maximum(sizes - 1.0, 1.0)
    rates, weights = exponentials((largest - 1.0) * (1.0 + 1.0 / (w - 1.0)))
    share = pairs_among(np.arange(w + 1)) / (w * (w - 1) // 2)  # of pairs that one answer makes equal
    factors = np.exp(-rates[:, None] * (largest - 1.0) * share)
    return factors, sizes * stretch * weights[:, None] * np.exp(-rates[:, None] * stretch)


def _means(pools: Pools, sizes: IntArray, factors: Factors, fewest: int) -> FloatArray:
    """Means over teams of sums of products over answers, (pools, sizes).

    Args:
        factors: functions (functions, w + 1) and what makes a team's value of their products, (functions, sizes).
        fewest: valid answers that a team must have, or all its agents if they are fewer.
    """
    ways = binomials(int(pools.agents.max(initial=0)))
    total, teams = np.zeros((2, pools.valid.size, sizes.size))
    for w in range(1, int(sizes.max(initial=0)) + 1):
        silent = choose(ways, pools.missing[:, None], sizes - w)  # ways to fill the other seats
        silent *= w >= np.minimum(sizes, fewest)
        rows = np.flatnonzero((silent > 0).any(axis=1) & (pools.valid >= w))
        if rows.size:
            silent = silent[rows]
            functions, to_value = factors(w, int(sizes[(silent > 0).any(axis=0)].max()))
            total[rows] += silent * (largest_sums(pools.counts[rows], functions).T @ to_value)
            teams[rows] += silent * choose(ways, pools.valid[rows], w)[:, None]
    return _ratio(total, teams)


def _led(pools: Pools, largest: int) -> FloatArray:
    """Sum over the teams of w valid answers of the share of leading answers that are right, (pools, w = 0 to largest).

    For each right answer and each number j of votes for it: every other answer has fewer than j, or ties with it.
    With s ties its share is 1 / (1 + s), the integral of y^s over y from 0 to 1, which Gauss-Legendre has exactly;
    so ties, too, are factors: y for an answer given j times.
    """
    pool, column = np.nonzero(pools.correct & (pools.counts > 0))
    own, rivals = pools.counts[pool, column], pools.counts[pool]
    rivals[np.arange(pool.size), column] = 0
    ways = binomials(int(own.max(initial=0)))
    led = np.zeros((pools.valid.size, largest + 1))
    for j in range(1, min(int(own.max(initial=0)), largest) + 1):
        rows = np.flatnonzero(own >= j)
        factors, weights = tie_factors(j, largest - j)
        shares = np.einsum("q,qrw->rw", weights, team_sums(rivals[rows], factors))
        np.add.at(led[:, j:], pool[rows], ways[own[rows], j, None] * shares)
    return led


def tie_factors(j: int, degree: int) -> tuple[FloatArray, FloatArray]:
    """Factors (nodes, degree + 1) of an answer that must not beat j votes, and weights (nodes,) for its ties."""
    most = degree // j  # answers that can tie
    nodes, weights = np.polynomial.legendre.leggauss(most // 2 + 1)
    factors = np.zeros((nodes.size, degree + 1))
    factors[:, :j] = 1.0
    factors[:, j : j + 1] = (nodes[:, None] + 1.0) / 2.0
    return factors, weights / 2.0


def _ratio(total: FloatArray, teams: FloatArray) -> FloatArray:
    return np.asarray(np.where(teams > 0, total / np.where(teams > 0, teams, 1.0), np.nan))
