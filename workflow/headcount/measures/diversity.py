"""How many different votes a team casts: answer counts in, effective sizes out.

Every function takes `counts`, an integer array (teams, answers): how often each answer was given
in each team. Columns mean nothing by themselves: zeros may pad them, and no two rows need share an
answer. Missing answers are in no column: they are not an answer of their own. The nominal team
size n is passed where a formula needs it.
"""

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray


def entropy(counts: IntArray) -> FloatArray:
    """Shannon entropy of a team's answers.

    H = -sum_v p_v log2 p_v with p_v = n_v / sum_v n_v (arXiv 2606.02646, K.1 step 3).

    Args:
        counts: (teams, answers), how often each answer was given.

    Returns:
        (teams,) in bits, from 0 (consensus) to log2 of the number of valid answers; NaN where
        nobody answered.
    """
    n = counts.sum(axis=1, keepdims=True)
    # Sorted, so that the names of answers, which order the columns, move no last bit of the sum.
    share = np.sort(counts, axis=1) / np.maximum(n, 1)
    bits = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
    return np.where(n[:, 0] > 0, bits + 0.0, np.nan)  # + 0.0 turns -0.0 into 0.0


def n_eff_answer(counts: IntArray) -> FloatArray:
    """Effective team size at the answer level: 2^H (arXiv 2606.02646, K.1 step 3).

    Args:
        counts: (teams, answers), how often each answer was given.

    Returns:
        (teams,) in agents, from 1 to the number of valid answers; NaN where nobody answered.
    """
    return np.exp2(entropy(counts))


def pair_agreement(counts: IntArray) -> FloatArray:
    """Share of a team's distinct agent pairs that give the same answer.

    rho = sum_v n_v (n_v - 1) / (n (n - 1)) with n = sum_v n_v (arXiv 2606.02646, K.1).

    This is already on the equicorrelation scale. The rescaling (N A - 1) / (N - 1) of section 3.1
    is for A = sum_v p_v^2, pairs drawn with replacement; applied to this number it corrects twice.

    Args:
        counts: (teams, answers), how often each answer was given.

    Returns:
        (teams,) in [0, 1]; NaN where fewer than two agents answered.
    """
    n = counts.sum(axis=1)
    same = (counts * (counts - 1)).sum(axis=1)
    return np.where(n > 1, same / np.maximum(n * (n - 1), 1), np.nan)


def pairs_among(count: IntArray) -> IntArray:
    """Distinct pairs among `count` agents, m (m - 1) / 2; any shape."""
    return np.asarray(count * (count - 1) // 2)


def n_eff_agreement(counts: IntArray, n: IntArray) -> FloatArray:
    """Effective team size at the agreement level: Kish's formula on the team's own pair agreement.

    N_eff = N / (1 + (N - 1) rho) (arXiv 2606.02646, eq. 1 and K.1); 1 / sum_v p_v^2 where nobody
    is missing.

    Args:
        counts: (teams, answers), how often each answer was given.
        n: (teams,), nominal team sizes, missing answers included.

    Returns:
        (teams,) in agents, from 1 to n; NaN where fewer than two agents answered, but 1 for one
        agent who did.
    """
    alone = (n == 1) & (counts.sum(axis=1) == 1)
    return np.where(alone, 1.0, n_eff_from_correlation(n, pair_agreement(counts)))


def n_eff_from_correlation(n: IntArray | FloatArray, rho: FloatArray) -> FloatArray:
    """Independent agents that n equally correlated ones are worth.

    N_eff = N / (1 + (N - 1) rho), Kish's design effect (arXiv 2606.02646, eq. 1).

    Args:
        n: team sizes, any shape that broadcasts with rho.
        rho: correlation between any two agents.

    Returns:
        the broadcast shape, in agents; infinite at the lowest correlation possible, -1 / (n - 1).
    """
    with np.errstate(divide="ignore"):
        return np.asarray(n / (1.0 + (n - 1.0) * rho), dtype=np.float64)


def correlation_from_n_eff(n: IntArray | FloatArray, n_eff: FloatArray) -> FloatArray:
    """Correlation at which n agents are worth n_eff: the inverse of Kish's formula.

    rho = (N / N_eff - 1) / (N - 1). The rho of a cell inverts the mean of N_eff over items; it is
    not a mean of inverses (arXiv 2606.02646, Tables 8 and 9 fit only this reading).

    Args:
        n: team sizes, any shape that broadcasts with n_eff.
        n_eff: effective team sizes, in agents.

    Returns:
        the broadcast shape; NaN at n = 1, where there is no pair.
    """
    peers = np.asarray(n, dtype=np.float64) - 1.0
    return np.where(peers > 0, (n / n_eff - 1.0) / np.where(peers > 0, peers, 1.0), np.nan)
