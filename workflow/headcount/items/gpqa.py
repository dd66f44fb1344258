"""GPQA Diamond (arXiv 2311.12022): 198 graduate-level questions of four options, which are not public.

Its authors ask that no item be published, so there is no default source, and no error here quotes a cell.
The CSV is the published one (`gpqa_diamond.csv` of the gated data set `Idavidrein/gpqa`); an item is named
after its Record ID. The right answer comes first in the file, so each item's options are put into an order
of its own: by SHA-256 of (Record ID, place in the file), the same in every run and on every machine.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from headcount.items.item import LETTERS, BadRow, Item, parse_rows, require_columns
from headcount.items.rows import Row, read_rows, text_of

COUNT = 198
OPTIONS = ("Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3")
_NEEDED = ("Record ID", "Question", *OPTIONS)
_KEPT = {"domain": "High-level domain", "subdomain": "Subdomain"}


def read(paths: Sequence[Path]) -> list[Item]:
    """All items of the published CSV."""
    (path,) = paths
    rows = read_rows(path)
    require_columns(path, rows, *_NEEDED)
    return parse_rows(path, rows, _item)


def order(record: str) -> list[int]:
    """Which of a record's options stands first, second, ...; 0 is the right one."""
    return sorted(range(4), key=lambda place: hashlib.sha256(f"{record}:{place}".encode()).digest())


def _item(row: Row) -> Item:
    record, question, *options = ((text_of(row.cells.get(name)) or "").strip() for name in _NEEDED)
    if empty := [name for name in _NEEDED if not (text_of(row.cells.get(name)) or "").strip()]:
        raise BadRow(*(f"'{name}' is empty. Compare with the published file." for name in empty))
    if len(set(options)) < 4:
        raise BadRow("two of its four options are the same. Compare with the published file.")
    places = order(record)
    metadata = {key: row.cells[name] for key, name in _KEPT.items() if name in row.cells}
    return Item(record, question, [options[i] for i in places], LETTERS[places.index(0)], metadata)
