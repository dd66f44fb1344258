"""Talk as contraction: what is left of disagreement after tau updates, and what rate it shrinks at.

rho(tau) = 1 - (1 - rho(0)) (1 - alpha)^tau with alpha = 1 - (1 - alpha_1)^k, so k peers and tau updates enter as
their product (arXiv 2606.02646, eq. 3 and theorem 1). The theorem is about agents who either hold their team's mode
or not; it lets the latter adopt the mode from each of k uniform peers who hold it, each with probability alpha_1;
modal agents stay, and the mode does too. It is of first order in the disagreement d = 1 - rho; `nonmodal_mass` is
not. Arguments are arrays or numbers that broadcast.
"""

import numpy as np

from headcount.laws.forms import Parameter
from headcount.measures.arrays import FloatArray, IntArray

Count = IntArray | FloatArray | int


def mean_field(rho0: Parameter, alpha: Parameter, tau: Count) -> FloatArray:
    """Pair agreement after tau updates that each remove a share alpha of the disagreement.

    rho(tau) = 1 - (1 - rho0) (1 - alpha)^tau (arXiv 2606.02646, eq. 3; eq. 5 with alpha = `conformity(alpha_1, k)`).

    Args:
        rho0: agreement of distinct pairs in round 1.
        alpha: in [0, 1].
        tau: updates, one less than rounds.

    Returns:
        the broadcast shape; rho0 at tau = 0.
    """
    return np.asarray(1.0 - (1.0 - np.asarray(rho0)) * (1.0 - np.asarray(alpha)) ** tau)


def conformity(alpha_1: Parameter, k: Count) -> FloatArray:
    """Share of the disagreement that one update with k peers removes, where nearly all agree.

    alpha = 1 - (1 - alpha_1)^k (arXiv 2606.02646, section 3.3).

    Args:
        alpha_1: probability to adopt the mode from one peer who holds it.
        k: peers heard.
    """
    return np.asarray(1.0 - (1.0 - np.asarray(alpha_1)) ** k)


def nonmodal_mass(nonmodal: Parameter, alpha_1: Parameter, k: Count, tau: int) -> FloatArray:
    """Share of agents off the mode after tau updates, under the theorem's assumptions but not to first order.

    e(tau + 1) = e(tau) (1 - alpha_1 + alpha_1 e(tau))^k, for large teams (arXiv 2606.02646, eq. 10). With two
    answers the disagreement is d = 2 e (1 - e). The first order, which `mean_field` has, is too fast where many are
    off the mode: e(0) = .3, alpha_1 = .1 and k tau = 8 give rho = .73, and `mean_field` .82 (ours).

    Args:
        nonmodal: share of agents off the mode at first.
        alpha_1: probability to adopt the mode from one peer who holds it.
        k: peers heard.
        tau: updates.
    """
    mass, alpha_1 = np.asarray(nonmodal, dtype=np.float64), np.asarray(alpha_1)
    for _ in range(tau):
        mass = mass * (1.0 - alpha_1 + alpha_1 * mass) ** k
    return mass


def rate_per_peer(nonmodal_to_modal: Parameter, k: Count) -> FloatArray:
    """How much of nm, the share of non-modal agents who came to the mode, falls to each of k peers: nm / k.

    What Table 16 of arXiv 2606.02646 prints as alpha_l per peer, with k = N - 1. It falls with k by its making: nm
    cannot exceed 1. And nm of that table is over two updates, which this does not divide by.

    Returns:
        the broadcast shape; NaN at k = 0.
    """
    k = np.asarray(k, dtype=np.float64)
    return np.asarray(nonmodal_to_modal / np.where(k > 0, k, np.nan))


def adoption_per_peer(nonmodal_to_modal: Parameter, k: Count, tau: Count = 1) -> FloatArray:
    """The theorem's alpha_1 that a share nm of non-modal agents who came to the mode implies.

    alpha_1 = 1 - (1 - nm)^(1 / (k tau)): the inverse of nm = `conformity(alpha_1, k tau)` (ours; of the theorem and
    not of Table 16). It supposes that nearly all peers hold the mode, else it is too low.

    Args:
        nonmodal_to_modal: share nm, in [0, 1].
        k: peers heard.
        tau: updates that nm is over.

    Returns:
        the broadcast shape; 1 where nm is 1; NaN at k tau = 0.
    """
    heard = np.asarray(k, dtype=np.float64) * tau
    return np.asarray(1.0 - (1.0 - np.asarray(nonmodal_to_modal)) ** (1.0 / np.where(heard > 0, heard, np.nan)))


def rate_ratio(alpha_s: Parameter, alpha_l: Parameter) -> FloatArray:
    """How readily agents yield to a wrong plurality of peers beside how readily they learn from a right one.

    alpha_s / alpha_l (arXiv 2606.02646, Table 15). Below 1, talk corrects more than it corrupts agents who are
    equally often exposed.

    Returns:
        the broadcast shape; NaN where nobody learns.
    """
    alpha_l = np.asarray(alpha_l, dtype=np.float64)
    return np.asarray(alpha_s / np.where(alpha_l > 0, alpha_l, np.nan))


def collapse_band(rho: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest agreement among configurations (k, tau) of one product k tau, at each size.

    If k and tau mattered through their product alone, the two would be equal (arXiv 2606.02646, Table 2).

    Args:
        rho: (..., configurations, sizes); NaN where a configuration was not run at a size.

    Returns:
        (..., sizes), each; NaN where fewer than two configurations were run: one has no band.
    """
    known = np.isfinite(rho)
    several = known.sum(axis=-2) > 1
    low = np.where(known, rho, np.inf).min(axis=-2, initial=np.inf)
    high = np.where(known, rho, -np.inf).max(axis=-2, initial=-np.inf)
    return np.where(several, low, np.nan), np.where(several, high, np.nan)


def collapse_spread(rho: FloatArray) -> FloatArray:
    """Width of the widest band over sizes: max over N of (high - low) (arXiv 2606.02646, Table 2, max delta rho).

    Args:
        rho: as for `collapse_band`.

    Returns:
        (...,), in [0, 1]; NaN where no size has a band.
    """
    low, high = collapse_band(rho)
    width = np.where(np.isfinite(low), high - low, -np.inf).max(axis=-1, initial=-np.inf)
    return np.where(width >= 0, width, np.nan)
