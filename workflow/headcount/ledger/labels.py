"""The four cells of the ledger, and the fifth for what has no majority at one end."""

import numpy as np
import pyarrow as pa

from headcount.ledger.majority import RIGHT, UNDEFINED
from headcount.measures.arrays import BoolArray, IntArray

LABELS = ("preserved", "collapse", "correction", "unrepaired", "unlabelled")
PRESERVED, COLLAPSE, CORRECTION, UNREPAIRED, UNLABELLED = range(5)


def label(initial: IntArray, final: IntArray) -> IntArray:
    """Places in LABELS from what the majority was at first and at the end.

    Args:
        initial, final: (debates,), RIGHT, WRONG or UNDEFINED.
    """
    undefined = (initial == UNDEFINED) | (final == UNDEFINED)
    return np.where(undefined, UNLABELLED, 2 * (initial != RIGHT) + (final != RIGHT))


def as_labels(places: IntArray, known: BoolArray | None = None) -> pa.Array:
    """Labels as an Arrow column; null where not known."""
    mask = None if known is None else ~known
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32), mask=mask), pa.array(LABELS))
