"""Whether agents are right about the same items: correlation of correctness, and what it leaves of a team.

X_ij is 1 where agent j is right about item i. Its correlation follows from three counts a team: pairs of agents who
both answered, pairs who are both right, and pairs whose first agent is right (averaged over the two orders). They are
summed over items before anything is divided, so a team with missing answers counts by the pairs that it has, in its
accuracy as in its agreement. Missing is not wrong: it is in no count.

Where a formula has a mean over items, the function takes that mean, of any shape: so draws and sizes are axes.
"""

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.diversity import n_eff_from_correlation

_NOTHING = 1e-12  # a variance that rounding left where there is none


def right_in_pairs(n_correct: FloatArray, n_valid: FloatArray, pairs: FloatArray) -> FloatArray:
    """Pairs whose first agent is right, over both orders of each pair: the share of right agents times the pairs.

    Args:
        n_correct, n_valid, pairs: of each team, any one shape.

    Returns:
        the same shape; 0 where a team has no pair.
    """
    return np.where(pairs > 0, n_correct / np.where(n_valid > 0, n_valid, 1.0) * pairs, 0.0)


def icc(right: FloatArray, correct_pairs: FloatArray, pairs: FloatArray) -> FloatArray:
    """Intraclass correlation of correctness: how far being right goes together within an item.

    rho = (E[X_j X_k] - p^2) / (p (1 - p)), p and E over distinct pairs within items (arXiv 2606.02646, section 4 and
    Table 4). With missing answers p is over pairs too, not over agents: a team that thinks with one mind then has rho
    = 1, whoever is silent; with p over agents it can have 1.3. For complete data the two are one, and rho =
    (N V / (p (1 - p)) - 1) / (N - 1) with V the variance of the items' shares of right agents; and it is Fleiss' kappa
    of right and wrong, exactly: two agents differ with probability 2 (E[X_j] - E[X_j X_k]) = 2 (p - E), and chance
    agreement is 1 - 2 p (1 - p), so kappa = (1 - 2 (p - E) - 1 + 2 p (1 - p)) / (2 p (1 - p)), which is rho.

    Args:
        right: `right_in_pairs`, as the other two a sum or mean over items, any one shape.
        correct_pairs, pairs: pairs who are both right, and all.

    Returns:
        the same shape, from -1 / (N - 1) (no item differs from another) to 1; NaN where all or none are right, and
        where no team has a pair.
    """
    p, both = share(right, pairs), share(correct_pairs, pairs)
    return share(both - p**2, p * (1.0 - p))


def n_eff_correctness(n: IntArray | FloatArray, rho: FloatArray) -> FloatArray:
    """Effective team size at the correctness level: Kish's formula on the correlation of correctness.

    N_eff = N / (1 + (N - 1) rho) (arXiv 2606.02646, eq. 1 and Table 5). For complete data it is p (1 - p) / V, V the
    variance over items of the share of right agents, so it exceeds N where that varies less than by chance.

    Args:
        n: team sizes, any shape that broadcasts with rho.
        rho: `icc`.

    Returns:
        the broadcast shape, in agents; 1 at n = 1. NaN where rho is, and where it is at -1 / (n - 1) or below (missing
        answers can take it there): no finite team would do, and a large number put in its place would steer fits.
    """
    design_effect = 1.0 + (np.asarray(n) - 1.0) * rho
    finite = np.where(design_effect > 1e-9, rho, np.nan)
    return np.where(np.asarray(n) == 1, 1.0, n_eff_from_correlation(n, finite))


def squared_accuracy(n_correct: FloatArray, n_valid: FloatArray, correct_pairs: FloatArray) -> FloatArray:
    """Square of the share of a team's agents who are right: (m / n)^2, as (m + 2 pairs of m) / n^2.

    In this form it is linear in the counts, so it holds for means over all teams of n among some agents too, where
    nobody is missing (with m their mean, (m / n)^2 would not).

    Args:
        n_correct, n_valid, correct_pairs: of each team, any one shape.

    Returns:
        the same shape; NaN where nobody answered.
    """
    return share(n_correct + 2.0 * correct_pairs, np.asarray(n_valid, dtype=np.float64) ** 2)


def icc_conditioned(both: FloatArray, first: FloatArray, first_squared: FloatArray) -> FloatArray:
    """The paper's correlation of correctness at a round, conditioned on each item's accuracy in round 1.

    rho_cond = mean_i[pp_i - p1_i^2] / mean_i[p1_i (1 - p1_i)], pp_i the share of distinct pairs who are both right at
    that round, p1_i the share of agents who were right in round 1 (arXiv 2606.02646, app. D, Table 6).

    Shown as the paper's: it is -1 / (N - 1) where nothing changed, and .93 to .996 for independent agents whose
    accuracy rose. It may exceed 1, as on the paper's free-form task.

    Args:
        both, first, first_squared: means over items of pp_i, p1_i and p1_i^2, any one shape.

    Returns:
        the same shape; NaN where the agents of each item were all right or all wrong in round 1.
    """
    return share(both - first_squared, first - first_squared)


def icc_change(both: FloatArray, first: FloatArray, both_first: FloatArray) -> FloatArray:
    """How much of what agents did not share in round 1 they share at a later round, in correctness.

    mean_i[pp_i - pp1_i] / mean_i[p1_i - pp1_i], pp the share of distinct pairs who are both right (ours): 0 where
    nothing changed; 1 where agents came to be right or wrong together, as many right as before. It has distinct pairs
    throughout, so it does not depend on N as `icc_conditioned` does. But accuracy that rises without any talk counts
    too, and can take it over 1.

    Args:
        both, first, both_first: means over items of pp_i, p1_i and pp1_i, any one shape.

    Returns:
        the same shape; NaN where no pair had one right and one wrong agent in round 1.
    """
    return share(both - both_first, first - both_first)


def share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """part / whole; NaN where there is no whole."""
    whole = np.where(np.abs(whole) > _NOTHING, whole, np.nan)
    return np.asarray(part / whole, dtype=np.float64)
