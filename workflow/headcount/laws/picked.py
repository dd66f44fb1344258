"""Columns at some rows, each picked when it is first asked for: most readers of a table want few of its columns."""

from collections.abc import Iterator, Mapping

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray


class Picked(Mapping[str, FloatArray]):
    """Columns at `rows` (rows,), places in the whole columns; NaN where a place is -1."""

    def __init__(self, columns: Mapping[str, FloatArray], rows: IntArray) -> None:
        self._columns, self._rows = columns, rows
        self._absent = rows < 0
        self._whole = not self._absent.any()
        self._picked: dict[str, FloatArray] = {}

    def __getitem__(self, name: str) -> FloatArray:
        if name not in self._picked:
            self._picked[name] = self._pick(self._columns[name])
        return self._picked[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def _pick(self, column: FloatArray) -> FloatArray:
        if self._whole:
            return column[self._rows]
        return np.where(self._absent, np.nan, column[self._rows] if column.size else np.nan)
