"""What a revision changed, as shares of the agents who could have changed so (arXiv 2606.02646, Tables 15 and 16).

Sums over items of agents over sums of agents, never means of an item's shares: most items have few agents to move.
An agent counts if it answered in both rounds.
"""

import numpy as np

from headcount.laws.quantities import Quantity, share_of
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.correctness import share
from headcount.measures.scales import DIFFERENCE, SHARE


def _of_both(means: FloatArray, _sizes: IntArray) -> FloatArray:
    """The first column as a share of the sum of the last two."""
    return share(means[:, :, 0], means[:, :, -2] + means[:, :, -1])


def _net(means: FloatArray, _sizes: IntArray) -> FloatArray:
    """First minus second column, as a share of the sum of the last two."""
    return share(means[:, :, 0] - means[:, :, 1], means[:, :, 2] + means[:, :, 3])


def _per_other(means: FloatArray, _sizes: IntArray) -> FloatArray:
    return share(share(means[:, :, 0], means[:, :, 1]), means[:, :, 2])


_BEFORE, _FIRST = ("correct_before", "wrong_before"), ("correct_first", "wrong_first")

MOVING = (
    # Right agents whose others' plurality is wrong, and who gave in to it; wrong ones who learnt from a right one.
    share_of("alpha_s", "correct_yielded", "correct_facing_wrong"),
    share_of("alpha_l", "wrong_learned", "wrong_facing_correct"),
    Quantity("correct_to_wrong", ("correct_to_wrong", *_BEFORE), _of_both, SHARE, _BEFORE),
    Quantity("wrong_to_correct", ("wrong_to_correct", *_BEFORE), _of_both, SHARE, _BEFORE),
    Quantity("correct_to_wrong_first", ("correct_to_wrong_first", *_FIRST), _of_both, SHARE, _FIRST),
    Quantity("wrong_to_correct_first", ("wrong_to_correct_first", *_FIRST), _of_both, SHARE, _FIRST),
    Quantity("net_first", ("wrong_to_correct_first", "correct_to_wrong_first", *_FIRST), _net, DIFFERENCE, _FIRST),
    # Anchored on the team's plurality answer in round 1.
    share_of("modal_stay", "modal_stayed", "modal"),
    share_of("nonmodal_to_modal", "nonmodal_to_modal", "nonmodal"),
    # By the agents heard, k; where nobody is heard, by the N - 1 who might have been, as the paper does.
    Quantity(
        "nonmodal_to_modal_per_peer", ("nonmodal_to_modal", "nonmodal", "others"), _per_other, SHARE, ("nonmodal",)
    ),
    share_of("mode_changed"),
)

# Agents exposed, in all: a number behind a share, without an interval of its own.
EXPOSED = {"alpha_s_count": "correct_facing_wrong", "alpha_l_count": "wrong_facing_correct"}


def exposed(column: FloatArray, size: IntArray, n_sizes: int) -> FloatArray:
    """Sum of a column over the rows of each size, replicates included; (sizes,).

    Args:
        column: (rows,), NaN where a row has no moves.
        size: (rows,), place of each row's size.
        n_sizes: how many sizes there are.
    """
    return np.asarray(np.bincount(size, np.nan_to_num(column), n_sizes), dtype=np.float64)
