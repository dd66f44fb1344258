"""One file of an import: what it is, what it holds, and what is to be said of it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from headcount.errors import UserError
from headcount.imports.fields import Fields
from headcount.imports.formats import Format, Found, read, recognise
from headcount.imports.notes import Notes, Where
from headcount.imports.records import Battery, Debate
from headcount.imports.told import Told
from headcount.items.rows import Row, read_rows


@dataclass(frozen=True)
class Source:
    """A file that was read.

    Attributes:
        kind: of its rows; None where that is not known.
        rows: how many it has, bad ones too.
        seen: how many debates or batteries they make up.
        records: those that nothing is wrong with by themselves.
        notes: what is wrong with the others, and remarks.
        sha256: of the file's bytes.
    """

    path: Path
    kind: Format | None
    rows: int
    seen: int
    records: list[Debate | Battery]
    notes: Notes
    sha256: str


def read_source(path: Path, kind: Format | None, told: Told) -> Source:
    """Read a file; what is wrong with its rows is noted.

    Raises:
        UserError: where the file cannot be read at all.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such file. Name each file; folders and patterns are not looked into.")
    notes = Notes(str(path), "line" if ".jsonl" in path.name.lower() else "row")
    rows = read_rows(path)
    fields = _fields(rows, notes)
    if not rows:
        raise UserError(f"{path}: holds no rows.")
    if kind is None and fields:
        kind = recognise(fields[0])
    found = read(kind, fields, told) if kind else Found([], 0)
    seen = found.seen if kind == "plain" else len(rows)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return Source(path, kind, len(rows), seen, found.records, notes, sha256)


def _fields(rows: list[Row], notes: Notes) -> list[Fields]:
    """Rows that can be read at all; a text file that was cut off ends in one that cannot."""
    for row in rows:
        if not row.problem:
            continue
        if notes.unit == "line" and row is rows[-1] and "JSON (" in row.problem:
            torn = "the last line is not whole JSON, as in a file that was cut off"
            notes.wrong(row.number, torn, "Fetch or copy the file again, or delete the line")
        else:
            what, _, remedy = row.problem.removesuffix(".").rpartition(". ")
            notes.wrong(row.number, what, remedy)
    return [Fields(row.cells, Where(notes, row.number)) for row in rows if not row.problem]
