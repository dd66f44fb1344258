"""Which number of a table a reader means: a row by its number or by what stands in it, and a column."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import pandas as pd

from headcount.errors import UserError
from headcount.publish.columns import Column, TableSpec

ROW = Column("row", "row", "the row's number in the CSV, below the heading", decimals=0)


@dataclass(frozen=True)
class Number:
    """A cell of a table.

    Attributes:
        row: everything in its row, as the table's module makes it.
        place: the row's number in the CSV, from 1.
        of: how many rows there are.
        column: the column's machine name.
        chosen: whether the reader named the column.
    """

    spec: TableSpec
    row: Mapping[Hashable, Any]
    place: int
    of: int
    column: str
    chosen: bool

    @property
    def value(self) -> Any:
        return self.row[self.column]


def numbered(frame: pd.DataFrame, spec: TableSpec) -> tuple[pd.DataFrame, TableSpec]:
    """A table with its rows' numbers in front."""
    return frame.assign(row=range(1, len(frame) + 1)), replace(spec, columns=(ROW, *spec.columns))


def choose(frame: pd.DataFrame, spec: TableSpec, words: Sequence[str]) -> Number:
    """The number that some words name: `2 beta`, or `task=mmlu_hard condition=debate beta`.

    Without a column it is the row's first number.
    """
    pairs = [word for word in words if "=" in word]
    others = [word for word in words if "=" not in word]
    counted = [others.pop(0)] if others and others[0].isdigit() else []
    if len(others) > 1 or (counted and pairs):
        raise UserError(f"{' '.join(words)}: name one row (its number, or column=value pairs), then one column.")
    place = _by_number(frame, spec, int(counted[0])) if counted else _by_pairs(frame, spec, pairs)
    row = frame.iloc[place].to_dict()
    column = _known_column(spec, others[0]) if others else _first_number(spec, row)
    return Number(spec, row, place + 1, len(frame), column, bool(others))


def column_of(spec: TableSpec, field: str) -> Column:
    """What a table says about a field: about an interval's end, what it says about the estimate."""
    return next((column for column in spec.columns if field in column.fields), Column(field, field, ""))


def text_of(value: Any) -> str:
    """A value as it is typed and compared: lists with semicolons, whole numbers without a point."""
    if isinstance(value, str | bool):
        return str(value)
    if hasattr(value, "__iter__"):
        return ";".join(text_of(part) for part in value)
    if pd.isna(value):
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _by_number(frame: pd.DataFrame, spec: TableSpec, number: int) -> int:
    if not 1 <= number <= len(frame):
        raise UserError(f"There is no row {number} in {spec.name}: {_rows(len(frame))}.")
    return number - 1


def _rows(count: int) -> str:
    return f"its rows are 1 to {count}" if count else "it has no rows, since the run has nothing of the kind"


def _by_pairs(frame: pd.DataFrame, spec: TableSpec, pairs: Sequence[str]) -> int:
    left = list(range(len(frame)))
    for name, wanted in (pair.split("=", 1) for pair in pairs):
        values = [text_of(value) for value in frame[_known_column(spec, name)]]
        found = [place for place in left if values[place] == wanted]
        if not found:
            known = dict.fromkeys(values[place] for place in left)
            raise UserError(f"No row of {spec.name} has {name}={wanted}. {name} there: {', '.join(known) or 'none'}.")
        left = found
    if len(left) != 1:
        raise UserError(_ambiguous(frame, spec, pairs, left))
    return left[0]


def _ambiguous(frame: pd.DataFrame, spec: TableSpec, pairs: Sequence[str], left: Sequence[int]) -> str:
    if not left:
        return f"There is no row in {spec.name}: {_rows(0)}."
    telling = [
        column.field
        for column in spec.columns
        if not column.is_number and len({text_of(frame[column.field].iloc[place]) for place in left}) > 1
    ]
    having = f"have {' '.join(pairs)}" if pairs else "could be meant"
    add = f"Add {' or '.join(f'{name}=...' for name in telling[:3])}, or give" if telling else "Give"
    numbers = ", ".join(str(place + 1) for place in left[:12]) + ", ..." * (len(left) > 12)
    return f"{len(left)} rows of {spec.name} {having}: {numbers}. {add} the row's number."


def _known_column(spec: TableSpec, name: str) -> str:
    if name not in spec.fields:
        near = get_close_matches(name, spec.fields, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise UserError(f"'{name}' is no column of {spec.name}.{hint} ({', '.join(spec.fields)})")
    return name


def _first_number(spec: TableSpec, row: Mapping[Hashable, Any]) -> str:
    numbers = [column.field for column in spec.columns if column.is_number]
    filled = [name for name in numbers if text_of(row[name])]
    return next(iter([*filled, *numbers, *spec.fields]))
