"""A table from many small parts, without a data frame for each."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from headcount.measures.arrays import BoolArray
from headcount.schema import Table
from headcount.store import conform

Part = Mapping[str, Any]  # columns by name: an array (rows,), or one value or list that all rows share


def join(parts: Iterable[Part], table: Table) -> pa.Table:
    """The rows of all parts in a table's schema; NaN becomes null.

    Every part has the columns of the table, and at least one of them as an array.
    """
    known = [part for part in parts if _length(part)]
    if not known:
        return conform(pd.DataFrame(columns=table.schema.names), table, table.name)
    lengths = [_length(part) for part in known]
    columns = {name: _column([part[name] for part in known], lengths) for name in known[0]}
    return conform(pd.DataFrame(columns), table, table.name)


def pick(part: Part, rows: BoolArray) -> dict[str, Any]:
    """Some rows of a part."""
    return {name: value[rows] if isinstance(value, np.ndarray) else value for name, value in part.items()}


def _length(part: Part) -> int:
    return next(len(value) for value in part.values() if isinstance(value, np.ndarray))


def _column(values: list[Any], lengths: list[int]) -> NDArray[Any]:
    if not any(isinstance(value, np.ndarray) for value in values):
        return np.repeat(np.fromiter(values, dtype=object, count=len(values)), lengths)
    each = zip(values, lengths, strict=True)
    return np.concatenate([value if isinstance(value, np.ndarray) else np.full(count, value) for value, count in each])
