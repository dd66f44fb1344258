"""A table on screen: the first columns that fit, the rest in the file."""

from itertools import groupby

import pandas as pd
from rich.console import Console
from rich.text import Text

from headcount.publish.columns import SIMULATED_COLUMN, Column, TableSpec
from headcount.publish.render import Layout, lay_out
from headcount.publish.words import EMPTY

GAP = "  "


def print_table(frame: pd.DataFrame, spec: TableSpec, console: Console | None = None) -> None:
    """Show a table in the terminal, as wide as that is."""
    console = console or Console()
    table = lay_out(frame, spec)
    groups = (*spec.groups, SIMULATED_COLUMN.field)  # a heading, for a narrow terminal must not lose it
    columns, left_out = _fitting(table, groups, console.width)
    heads = [place for place, column in enumerate(table.columns) if column.field in groups]
    lines = [Text(table.caption), Text(), Text(_line(columns, [c.heading for c, _, _ in columns]), "bold")]
    for heading, rows in groupby(table.rows, lambda row: [row[i] for i in heads if row[i] != EMPTY]):
        lines += [Text(", ".join(heading), "cyan")] if heading else []
        lines += [Text(_line(columns, [row[place] for _, place, _ in columns])) for row in rows]
    more = [f"More in {spec.name}.csv: {'; '.join(left_out)}"] if left_out else []
    notes = [note for column, _, _ in columns for note in table.notes.get(column.field, [])]
    lines += [Text(), *(Text(line, "dim") for line in [*table.once, *notes, *more])]
    console.print(*lines, sep="\n")


_Placed = tuple[Column, int, int]  # a column, its place in the layout, its width
_SHORT = 16  # characters that a text is cut to where no number would be seen beside it


def _fitting(table: Layout, groups: tuple[str, ...], width: int) -> tuple[list[_Placed], list[str]]:
    """The leading columns that fit a width, and the headings of the others."""
    placed = [
        (column, place, max(len(text) for text in (column.heading, *(row[place] for row in table.rows))))
        for place, column in enumerate(table.columns)
        if column.field not in groups
    ]
    count = _leading(placed, width)
    if not any(column.is_number for column, _, _ in placed[:count]):
        placed = [(column, place, w if column.is_number else min(w, _SHORT)) for column, place, w in placed]
        count = _leading(placed, width)
    return placed[:count], [column.heading for column, _, _ in placed[count:]]


def _leading(placed: list[_Placed], width: int) -> int:
    """How many columns fit."""
    count = len(placed)
    while count > 1 and sum(w + len(GAP) for _, _, w in placed[:count]) > width:
        count -= 1
    return count


def _line(columns: list[_Placed], cells: list[str]) -> str:
    parts = [
        cell.rjust(width) if column.is_number else _cut(cell, width).ljust(width)
        for (column, _, width), cell in zip(columns, cells, strict=True)
    ]
    return (GAP + GAP.join(parts)).rstrip()


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
