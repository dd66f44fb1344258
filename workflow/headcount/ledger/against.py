"""Collapse and correction beside what there would be of them without discussion: a re-draw, or agents left alone."""

from collections.abc import Iterator

import numpy as np

from headcount.ledger.labels import COLLAPSE, CORRECTION, PRESERVED, UNREPAIRED
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import Estimator

Labels = FloatArray  # (items, labels): debates of each label

RATES_AGAINST = ("collapse", "correction")


def against(
    null: str, observed: Labels, expected: Labels, *, with_null: bool
) -> tuple[list[str], FloatArray, Estimator]:
    """Quantities, the columns (items, columns) that they are made of, and how.

    Only items that both sides have count, each as often on either side as it has debates here: C - C_null is then a
    contrast of equal questions, and what they share cancels from its interval.

    Args:
        null: what stands against the debates, such as "redraw".
        observed: the debates.
        expected: the same for the null, in any scale: each item is given the weight that it has among the debates.
        with_null: tell the null's own rates too.

    Returns:
        names; columns; and means (draws, columns) -> values (draws, names).
    """
    debates, known = observed.sum(axis=1, keepdims=True), expected.sum(axis=1, keepdims=True)
    both = (debates > 0) & (known > 0)
    scaled = expected * np.divide(debates, known, out=np.zeros_like(known), where=both)
    columns = np.c_[np.where(both, observed, 0.0), scaled]
    names = [f"{rate}_minus_{null}" for rate in RATES_AGAINST]
    names += [f"{rate}_{null}" for rate in RATES_AGAINST] if with_null else []

    def estimate(means: FloatArray) -> FloatArray:
        ours, theirs = (_rates(side) for side in np.split(means, 2, axis=1))
        return np.concatenate([ours - theirs, *([theirs] if with_null else [])], axis=1)

    return names, columns, estimate


def _rates(labels: FloatArray) -> FloatArray:
    """Conditional collapse and correction, (draws, 2), from labels (draws, labels); NaN where nothing could."""
    return np.stack(list(_ratios(labels)), axis=1)


def _ratios(labels: FloatArray) -> Iterator[FloatArray]:
    for event, other in ((COLLAPSE, PRESERVED), (CORRECTION, UNREPAIRED)):
        base = labels[:, event] + labels[:, other]
        yield np.divide(labels[:, event], base, out=np.full(base.shape, np.nan), where=base > 0)
