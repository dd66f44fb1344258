"""What there is to mind about a plan."""

import numpy as np

from headcount.laws.cells import FEW_ITEMS
from headcount.laws.pilot_prediction import Prediction

SCATTER = 1 / 3  # of pairs who are both wrong agree by chance where three wrong options are as likely as each other


def pilot_flags(
    prediction: Prediction, target: int, pilot: tuple[int, ...], n_items: int, wrong_agreement: float, untried: bool
) -> list[str]:
    """The flags of a plan, sorted.

    Args:
        target: place in `prediction.at` of the size that the plan speaks of first.
        pilot: its sizes.
        untried: whether no past prediction from these sizes is known.
    """
    last = int(np.searchsorted(prediction.at, pilot[-1]))
    place = int(np.searchsorted(prediction.seen_at, pilot[-1]))
    seen, told = prediction.seen_accuracy, prediction.projection[last]
    outside = prediction.unbounded[: target + 1] / prediction.n_eff.value[: target + 1]
    holds = {
        "one_item": n_items < 2,
        "few_items": 1 < n_items < FEW_ITEMS,
        "two_sizes": len(pilot) == 2,
        "untried_pilot": untried,
        "kept_in_range": bool((np.abs(outside - 1.0) > 1e-6).any()),
        "wrong_answers_scatter": wrong_agreement < SCATTER,
        "projection_misses_pilot": bool(told < seen.low[place] or told > seen.high[place]),
        "law_dominates": bool(prediction.law[target] > prediction.items[target]),
    }
    return sorted(flag for flag, holds_here in holds.items() if holds_here)
