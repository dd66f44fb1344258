"""What a team of n makes of an item on average over all teams of n that a pool of agents can form: exact means.

A team's valid answers are w of its n seats; among them the means are coefficients of polynomials (`subsets_sums`),
and the seats of agents without an answer are filled in C(missing, n - w) ways. A quantity that a team cannot have
(2^H without an answer, agreement without a pair) is averaged over the teams that have it.

All results are (pools, sizes), NaN where no team has the quantity; a size above the pool's is for callers to drop.
"""

from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.diversity import pairs_among
from headcount.measures.subsets_sums import binomials, choose, exponentials, team_sums


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


def diversity_means(pools: Pools, sizes: IntArray) -> dict[str, FloatArray]:
    """Mean over teams of 2^H and of Kish's formula on the team's own pair agreement.

    With j_v of the w valid answers, 2^H = prod_v (j_v / w)^(-j_v / w) is a product over answers (ours). With
    E = sum_v C(j_v, 2) equal pairs, n / (1 + (n - 1) E / C(w, 2)) is a sum of such products by `exponentials`; the
    mean is exact but for their 1e-10.

    Args:
        sizes: (sizes,), team sizes.

    Returns:
        n_eff_answer and n_eff_agreement in agents, as MEASURES has them: agreement needs two valid answers, but one
        where n = 1.
    """
    shape = (pools.valid.size, sizes.size)
    ways = binomials(int(pools.agents.max(initial=0)))
    answer, agreement, answered, paired = (np.zeros(shape) for _ in range(4))
    for w in range(1, int(sizes.max(initial=0)) + 1):
        silent = choose(ways, pools.missing[:, None], sizes - w)  # ways to fill the other seats
        rows = np.flatnonzero((silent > 0).any(axis=1) & (pools.valid >= w))
        silent, teams = silent[rows], choose(ways, pools.valid[rows], w)[:, None]
        usable = sizes[(silent > 0).any(axis=0)]
        if not usable.size:
            continue
        shared, to_kish = kish_factors(w, sizes, usable.max())
        sums = team_sums(pools.counts[rows], np.concatenate([diversity_factor(w)[None], shared]))[:, :, w]
        answer[rows] += silent * sums[0][:, None]
        answered[rows] += silent * teams
        agreement[rows] += silent * (sums[1:].T @ to_kish)
        paired[rows] += silent * teams * ((sizes == 1) | (w > 1))
    return {"n_eff_answer": _ratio(answer, answered), "n_eff_agreement": _ratio(agreement, paired)}


def vote_means(pools: Pools, sizes: IntArray) -> dict[str, FloatArray]:
    """Shares of the teams that are right by plurality, unanimous, and unanimous and wrong.

    A tie is settled by chance: a team is right in the share of its leading answers that are. No answer at all is
    wrong. Unanimous is as in `votes.unanimous`.

    Args:
        sizes: (sizes,), team sizes.
    """
    ways = binomials(int(pools.agents.max(initial=0)))
    led = _led(pools, int(sizes.max(initial=0)))
    wrong = np.where(pools.correct, 0, pools.counts)
    right, agreed, agreed_wrong = (np.zeros((pools.valid.size, sizes.size)) for _ in range(3))
    for w in range(1, led.shape[1]):
        silent = choose(ways, pools.missing[:, None], sizes - w)
        right += silent * led[:, w, None]
        silent = silent * (w >= np.minimum(sizes, 2))
        agreed += silent * choose(ways, pools.counts, w).sum(axis=1)[:, None]
        agreed_wrong += silent * choose(ways, wrong, w).sum(axis=1)[:, None]
    teams = choose(ways, pools.agents[:, None], sizes)
    named = {"team_correct": right, "unanimous": agreed, "unanimous_wrong": agreed_wrong}
    return {name: _ratio(total, teams) for name, total in named.items()}


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
