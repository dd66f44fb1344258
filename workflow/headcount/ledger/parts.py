"""Tables from thousands of parts, and names as numbers: a frame for each part would take most of the time."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.measures.arrays import IntArray
from headcount.measures.groups import factorise

Part = Mapping[str, object]  # columns, all of one length, and values that all of a part's rows share


def stacked(parts: Iterable[Part], names: Iterable[str], length: str) -> pd.DataFrame:
    """The rows of all parts.

    Args:
        parts: a part may lack columns, which are None there.
        names: the columns wanted, in order.
        length: a column that every part has, and has in full.
    """
    columns: dict[str, list[object]] = {name: [] for name in names}
    for part in parts:
        rows = len(part[length])  # type: ignore[arg-type]
        for name, column in columns.items():
            value = part.get(name)
            whole = isinstance(value, (list, np.ndarray))
            column.extend(value if whole else repeat(value, rows))  # type: ignore[arg-type]
    return pd.DataFrame(columns, dtype=None if columns[length] else object)


def ranked(names: "pd.Series[str]") -> tuple[IntArray, "np.ndarray[tuple[int], np.dtype[np.str_]]"]:
    """The place of each name among the different ones, (rows,), and these, sorted by text."""
    code, values = pd.factorize(names)
    texts = np.asarray(values, dtype=str)
    order = np.argsort(texts)
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    return place[code], texts[order]


def places(column: pa.ChunkedArray, texts: Sequence[str]) -> IntArray:
    """The place of each of a column's texts among those that it may hold, (rows,); -1 where it is empty."""
    factor = factorise(column)
    place = [texts.index(text) for text in factor.values.to_pylist()]
    return np.append(np.array(place, dtype=np.int64), -1)[factor.codes]
