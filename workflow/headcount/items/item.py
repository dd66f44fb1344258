"""An item, the table of items, and the collecting of everything that is wrong with a file of them."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from headcount.errors import UserError
from headcount.items.rows import Row
from headcount.schema import ITEMS
from headcount.store import conform

LETTERS = "ABCDEFGHIJ"
SHOWN = 20


@dataclass(frozen=True)
class Item:
    """A question and its known answer."""

    id: str
    question: str
    choices: list[str] | None  # option texts, A first; None if the answer is free
    gold: str  # a letter, an exact decimal (`numbers.exact`), or a function's name
    metadata: dict[str, object] = field(default_factory=dict)


class BadRow(Exception):
    """What is wrong with a row: a sentence or several that say what to do."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems = problems


def parse_rows(path: Path, rows: Iterable[Row], parse: Callable[[Row], Item]) -> list[Item]:
    """The items of a file's rows; one error for all that is wrong with any of them.

    Args:
        path: the file, named in errors.
        parse: makes an item of a row, or raises BadRow.
    """
    items: list[Item] = []
    problems: list[str] = []
    first_row: dict[str, int] = {}
    for row in rows:
        try:
            item = _parsed(row, parse)
            if item.id in first_row:
                raise BadRow(f"id '{item.id}' stands in row {first_row[item.id]} too. Give each row its own.")
        except BadRow as bad:
            problems += [f"{path}: row {row.number}: {problem}" for problem in bad.problems]
        else:
            first_row[item.id] = row.number
            items.append(item)
    if problems:
        raise UserError(_first_of(problems))
    return items


def require_columns(path: Path, rows: Sequence[Row], *names: str, quote: bool = True) -> None:
    """Refuse a file without rows, or with a column that no row has; without quoting it, where it is private."""
    columns = {name for row in rows for name in row.cells}
    if not rows:
        raise UserError(f"{path}: holds no items.")
    if columns and (missing := [name for name in names if name not in columns]):
        has = f" Its columns: {', '.join(sorted(columns))}." if quote else ""
        raise UserError(f"{path}: has no column {' and no column '.join(map(repr, missing))}.{has}")


def to_table(items: Sequence[Item], where: str) -> pa.Table:
    """Items in the columns and order of `schema.ITEMS`."""
    rows = [
        {
            "item": item.id,
            "question": item.question,
            "choices": item.choices,
            "gold": item.gold,
            "metadata": _json(item.metadata),
        }
        for item in items
    ]
    return conform(pa.Table.from_pylist(rows, schema=ITEMS.schema), ITEMS, where)


def _json(metadata: dict[str, object]) -> str:
    """Metadata as strict JSON: NaN, which a Parquet column may hold, becomes null."""
    plain = json.loads(json.dumps(metadata, default=str), parse_constant=lambda _: None)
    return json.dumps(plain, sort_keys=True, ensure_ascii=False)


def _parsed(row: Row, parse: Callable[[Row], Item]) -> Item:
    if row.problem:
        raise BadRow(row.problem)
    return parse(row)


def _first_of(problems: Sequence[str]) -> str:
    rest = len(problems) - SHOWN
    return "\n".join([*problems[:SHOWN], *([f"... and {rest} more"] if rest > 0 else [])])
