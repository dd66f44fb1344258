"""The rates of the ledger as counts among counts: which labels are events, and among which they are counted."""

from collections.abc import Mapping

import numpy as np

from headcount.ledger.labels import LABELS
from headcount.measures.arrays import FloatArray

_LABELLED = LABELS[:4]
_RIGHT, _WRONG = ("preserved", "collapse"), ("correction", "unrepaired")  # at first

# Events, and what they are counted among. A net has two signs, and no interval for a share.
RATES: Mapping[str, tuple[Mapping[str, int], tuple[str, ...]]] = {
    "initial_accuracy": ({"preserved": 1, "collapse": 1}, _LABELLED),
    "final_accuracy": ({"preserved": 1, "correction": 1}, _LABELLED),
    "collapse": ({"collapse": 1}, _RIGHT),
    "correction": ({"correction": 1}, _WRONG),
    "raw_collapse": ({"collapse": 1}, _LABELLED),
    "raw_correction": ({"correction": 1}, _LABELLED),
    "net": ({"correction": 1, "collapse": -1}, _LABELLED),
    "unlabelled": ({"unlabelled": 1}, LABELS),
}
# Rates with bounds, and the labels that raise each most, the best first: an event, what is not counted, no event.
BOUNDED = {
    "collapse": ("collapse", "correction", "unrepaired", "preserved"),
    "correction": ("correction", "preserved", "collapse", "unrepaired"),
    "net": ("correction", "preserved", "unrepaired", "collapse"),
}


def tally(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Events and base of each of RATES.

    - `collapse`: C = collapses / rows right at first; `correction`: corrections / rows wrong at first.
    - `raw_collapse`, `raw_correction`, `net` = (corrections - collapses): among all labelled rows.
    - `unlabelled`: rows without a majority at one end, among all.

    Args:
        counts: (..., labels), in the order of LABELS; shares of a row, where a label is a matter of chance.

    Returns:
        (..., rates) each.
    """
    events = np.array([[signs.get(name, 0) for name in LABELS] for signs, _ in RATES.values()], dtype=np.float64)
    bases = np.array([[name in among for name in LABELS] for _, among in RATES.values()], dtype=np.float64)
    return counts @ events.T, counts @ bases.T


def bounds(may: FloatArray, *, highest: bool) -> tuple[FloatArray, FloatArray]:
    """Events and base of each of BOUNDED where the missing answers are filled in to make it as high, or low, as can be.

    Whatever a row may be, it raises a share most as an event, and else outside the base; it lowers it most inside the
    base and no event, and else outside. So the extremes are reached row by row, and no filling-in goes beyond them; one
    that leaves nothing to count among has no rate.

    Args:
        may: (rows, 4), whether a row could have each of the first four LABELS; each could have one.
        highest: the upper bound in place of the lower.

    Returns:
        (rows, bounded rates) each.
    """
    sides = []
    for rate, liking in BOUNDED.items():
        order = np.array([LABELS.index(name) for name in liking])[:: 1 if highest else -1]
        chosen = np.eye(len(LABELS))[order[may[:, order].argmax(axis=1)]]
        sides.append([part[:, list(RATES).index(rate)] for part in tally(chosen)])
    events, bases = zip(*sides, strict=True)
    return np.stack(events, axis=1), np.stack(bases, axis=1)
