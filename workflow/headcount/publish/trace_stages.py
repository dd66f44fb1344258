"""The rows of a run's files that a number of a table stands on: those of its cell, and of them those that hold it."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from headcount.publish.cells import HEARD
from headcount.publish.inputs import Inputs
from headcount.publish.registry import Page
from headcount.publish.trace_number import Number, text_of
from headcount.schema import TABLES, Table

Row = Mapping[Hashable, Any]


@dataclass(frozen=True)
class Stage:
    """What a table reads of one file for a row of its own.

    Attributes:
        keys: the key columns that both have, and the row's values.
        found: how many rows of the file have these.
        rows: those that hold the number; if none does those that hold others of its row, and else all. The likeliest
            is first.
        held_in: the column of `rows` that holds the number; "" where the table computed it.
        times: what the column is multiplied by to give the number: 1, or a unit's power of ten.
    """

    table: Table
    path: Path
    keys: dict[str, Any]
    found: int
    rows: Sequence[Row]
    held_in: str
    times: float


def stages(inputs: Inputs, page: Page, number: Number) -> list[Stage]:
    """What a table reads for a number, a stage for each of its files."""
    return [_stage(inputs, TABLES[name], number) for name in page.reads]


def _stage(inputs: Inputs, table: Table, number: Number) -> Stage:
    rows, path = inputs.read(table), inputs.results / f"{table.name}.parquet"
    keys = _shared(table, rows, number.row)
    tried = [{name: value for name, value in keys.items() if name not in less} for less in LESS]
    for times, chosen in product(UNITS, tried):
        here = rows[_having(rows, chosen)]
        holds = _holds(table, here, number, times)
        if holds.any(axis=None):
            ranked = _ranked(table, here, holds, number)
            held_in = str(holds.columns[int(holds.loc[ranked.index[0]].to_numpy().argmax())])
            return Stage(table, path, chosen, len(here), _as_likely(table, ranked, number), held_in, times)
    here = rows[_having(rows, keys)]
    beside = _ranked(table, here, _holds_others(table, here, number), number)
    return Stage(table, path, keys, len(here), beside.to_dict("records"), "", 1.0)


PAPERS = "_paper"
UNITS = (1.0, 1e-3, 1e3, 1e-2, 1e2)  # thousands, per cent
LESS: tuple[tuple[str, ...], ...] = (
    (),
    ("n",),  # of a whole curve
    ("n", "round"),  # of round 1 beside the last
    ("subsets",),  # of the teams that were asked, beside the steadier means over subsets
)


def _holds(table: Table, rows: pd.DataFrame, number: Number, times: float) -> pd.DataFrame:
    """Which values of rows are the number: (rows, columns that may hold it)."""
    value = number.value
    if times != 1.0:
        value = value / times if isinstance(value, float) and value else ""
    return pd.DataFrame({name: _equal(rows[name], value) for name in _values(table, number)}, index=rows.index)


def _holds_others(table: Table, rows: pd.DataFrame, number: Number) -> pd.DataFrame:
    """Which values of rows are any other number of the table's row."""
    others = [value for value in number.row.values() if isinstance(value, float) and not value.is_integer()]
    held = {
        name: np.any([_equal(rows[name], value) for value in others] or [np.zeros(len(rows), bool)], axis=0)
        for name in _values(table, number)
    }
    return pd.DataFrame(held, index=rows.index)


def _ranked(table: Table, rows: pd.DataFrame, holds: pd.DataFrame, number: Number) -> pd.DataFrame:
    """The rows that hold something, or all if none does, the likeliest first."""
    kept: pd.DataFrame = rows[holds.any(axis=1)] if holds.any(axis=None) else rows
    ranked: pd.DataFrame = kept.iloc[np.lexsort(_order(table, kept, holds, number)[::-1])]
    return ranked


def _shared(table: Table, rows: pd.DataFrame, row: Row) -> dict[str, Any]:
    """Key columns that the table's row has too, less those whose value no row of the file has (`all`, `mean`)."""
    keys = {name: row[name] for name in table.keys if name in row and text_of(row[name])}
    return {name: value for name, value in keys.items() if _equal(rows[name], value).any()}


def _having(rows: pd.DataFrame, keys: Mapping[str, Any]) -> np.ndarray:
    held = [_equal(rows[name], value) for name, value in keys.items()]
    return np.all(held, axis=0) if held else np.ones(len(rows), bool)


def _values(table: Table, number: Number) -> list[str]:
    """The columns that may hold a number, that of its own name or end (`low` of `rho_low`) first."""
    names = [name for name in table.schema.names if name not in table.keys and name != "simulated"]
    end = number.column.rpartition("_")[2]
    return sorted(names, key=lambda name: (name != number.column, name != end))


def _equal(column: "pd.Series[Any]", value: Any) -> np.ndarray:
    """Which of a column's values are a value; a number may differ in its last bits, and nothing is not equal."""
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        counts = pd.api.types.is_numeric_dtype(column)  # words such as a gate's rule are no number
        numbers = column.astype(float) if counts else pd.to_numeric(column.astype(object), errors="coerce")
        return np.isclose(numbers.to_numpy(float), float(value), rtol=1e-12, atol=0)
    wanted = text_of(value)
    return np.array([wanted != "" and text_of(held) == wanted for held in column], dtype=bool)


def _order(table: Table, rows: pd.DataFrame, holds: pd.DataFrame, number: Number) -> list[np.ndarray]:
    """Sort keys, the weightiest first: rows that agree with more of the table's row, then the usual ones."""
    own = holds.loc[rows.index].iloc[:, 0].to_numpy() if holds.shape[1] else np.zeros(len(rows), bool)
    usual = [
        rows[name].ne(value).to_numpy()
        for name, value in (("level", "answer"), ("law", "ringelmann"), ("subsets", "first"))
        if name in rows
    ]
    heard = [(rows["peers"] != rows["condition"].map(HEARD)).to_numpy()] if {"peers", "condition"} <= {*rows} else []
    return [-_likeness(table, rows, number), ~own, *usual, *heard, np.arange(len(rows))]


def _as_likely(table: Table, rows: pd.DataFrame, number: Number) -> list[Row]:
    """The rows that agree with as much of the table's row as the first does."""
    likeness = _likeness(table, rows, number)
    return list(rows[likeness == likeness[0]].to_dict("records"))


def _likeness(table: Table, rows: pd.DataFrame, number: Number) -> np.ndarray:
    """How many values of a row the table's row has too; one of the quantity that the column names counts most."""
    row = number.row
    if PAPERS in number.column:  # read the paper's way: its row is like others that are read so
        row = {**row, **{str(name).replace(PAPERS, ""): value for name, value in row.items() if PAPERS in str(name)}}
    shared = [name for name in table.schema.names if name in row and name not in (*table.keys, "simulated")]
    same = np.sum([_equal(rows[name], row[name]) for name in shared] or [np.zeros(len(rows))], axis=0)
    if "quantity" in rows:
        named = {number.column, number.column.removesuffix("_low"), number.column.removesuffix("_high")}
        same = same + 100 * rows["quantity"].isin(named).to_numpy()
    return np.asarray(same)


def printed(inputs: Inputs, names: Sequence[str], number: Number) -> list[tuple[str, int, dict[str, str]]]:
    """Where a value that was copied from a published table stands there: table, line below its heading, the line."""
    wanted = text_of(number.value)
    keys = {text_of(number.row[name]) for name in ("team", "task", "condition") if name in number.row}
    found = []
    for name in names:
        for place, line in enumerate(inputs.printed(name).to_dict("records"), start=1):
            cells = [str(cell) for cell in line.values()]
            if wanted and wanted in cells:
                found.append((len(keys & set(cells)), name, place, {str(key): str(cell) for key, cell in line.items()}))
    best = max((score for score, *_ in found), default=0)
    return [(name, place, line) for score, name, place, line in found if score == best and score]


def of_the_paper(inputs: Inputs, names: Sequence[str], number: Number) -> list[tuple[str, int, dict[str, str]]]:
    """The lines of published tables that a row of the paper's is made from, as `printed` gives them."""
    who = [text_of(number.row[name]) for name in ("model", "family") if name in number.row]
    return [
        (name, place, {str(key): str(cell) for key, cell in line.items()})
        for name in names
        for place, line in enumerate(inputs.printed(name).to_dict("records"), start=1)
        if any(one and one in line.values() for one in who)
    ]
