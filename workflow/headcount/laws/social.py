"""Dependence that is owed to talk: agreement within a team beyond that of two teams who never met (null C)."""

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.correctness import n_eff_correctness, share

COUNTS = ("equal_pairs", "pairs", "equal_cross_pairs", "cross_pairs")
OF_RIGHT = ("correct_pairs", "right_in_pairs", "correct_cross_pairs")
QUANTITIES = ("kappa", "n_eff_social", "kappa_correctness", "agreement_within", "agreement_across")


def excess_share(seen: FloatArray, null: FloatArray, most: FloatArray | float = 1.0) -> FloatArray:
    """How much of what a null leaves open is seen: (seen - null) / (most - null).

    Cohen's kappa with a measured null in place of chance (ours). For pair agreement `most` is 1: 0 where agents agree
    as often as without what the null lacks, 1 where they always agree, below 0 where they agree less often.

    Args:
        seen, null: shares, any one shape.
        most: the largest that `seen` can be.

    Returns:
        the same shape, at most 1; NaN where the null leaves nothing open.
    """
    return share(seen - null, most - null)


def social(means: FloatArray, sizes: IntArray) -> FloatArray:
    """Excess agreement within teams of each size over that across teams, and what it leaves of a team.

    W: equal pairs / pairs within a team, B: the same across two teams, both over all items (ours).
        kappa = (W - B) / (1 - B)
        N_eff_social = N / (1 + (N - 1) kappa), in agents: what a team is worth whose agents would be independent but
            for what they heard; NaN where kappa is at -1 / (N - 1) or below.
        kappa of correctness = (E_W[XX'] - E_B[XX']) / (p - E_B[XX']), X = 1 where an agent is right, p = E[X] over the
            agents of pairs within a team, so that it is 1 where a team is right or wrong as one.
    All are 0 in expectation where nobody is heard, whatever agents share, and for agents who sharpen alike in silence.

    Args:
        means: (draws, sizes x columns), means over items of the columns COUNTS and OF_RIGHT of CROSS_PAIRS.
        sizes: (sizes,), team sizes.

    Returns:
        (draws, QUANTITIES x sizes).
    """
    counts = np.moveaxis(means.reshape(len(means), sizes.size, -1), 2, 0)
    equal, pairs, equal_across, pairs_across, both, right, both_across = counts
    within, across = share(equal, pairs), share(equal_across, pairs_across)
    kappa = excess_share(within, across)
    of_right = excess_share(share(both, pairs), share(both_across, pairs_across), share(right, pairs))
    return np.concatenate([kappa, n_eff_correctness(sizes, kappa), of_right, within, across], axis=1)
