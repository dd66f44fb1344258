"""Rows of a JSONL, CSV, Parquet or Arrow file, with the numbers a reader of the file would give them.

Nothing is guessed: "None", "NA", "null" and "007" in a file of text are these texts, and a decimal in JSON
keeps its digits. A row that cannot be read carries the reason, so that one error can name all of them.
"""

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from headcount.errors import UserError


@dataclass(frozen=True)
class Row:
    """A row's cells by column.

    `number` is the line in JSONL, the row of a spreadsheet in CSV (the header is row 1), and counts from 1
    in Parquet and Arrow.
    """

    number: int
    cells: dict[str, object] = field(default_factory=dict)
    problem: str = ""


def read_rows(path: Path) -> list[Row]:
    """All rows of a file; its name says what it is (.jsonl, .csv, .parquet, .arrow; text also with .gz)."""
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if suffix not in _READERS:
        raise UserError(f"{path}: '{suffix}' is not a kind of file that items are read from ({', '.join(_READERS)}).")
    try:
        return list(_READERS[suffix](path))
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text. Save it as UTF-8.") from None
    except (csv.Error, pa.ArrowException, zlib.error, OSError, EOFError) as problem:
        raise UserError(f"{path}: not a readable {suffix} file ({problem}).") from None


def text_of(value: object) -> str | None:
    """A cell as text, exactly; None for an empty cell, and for one that holds no single value."""
    match value:
        case str():
            return value
        case bool():
            return str(value).lower()
        case int() | float() | Decimal():
            return str(value)
        case _:
            return None


def load_json(text: str) -> object:
    """JSON with decimals kept exactly; ValueError for what is not JSON, NaN and Infinity included."""
    return json.loads(text, parse_float=Decimal, parse_constant=_refuse)


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")


def _open_text(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _jsonl(path: Path) -> Iterator[Row]:
    with _open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _json_row(number, line)


def _json_row(number: int, line: str) -> Row:
    try:
        cells = load_json(line)
        json.dumps(cells, ensure_ascii=False, default=str).encode()  # refuses half a surrogate pair
    except (ValueError, RecursionError) as problem:
        return Row(number, problem=f"not valid JSON ({problem}). Fix the line.")
    if not isinstance(cells, dict):
        return Row(number, problem="not a JSON object. Write one object a line, as {'id': ...}.")
    return Row(number, cells)


def _csv(path: Path) -> Iterator[Row]:
    with _open_text(path) as lines:
        reader = csv.reader(lines, strict=True)
        header = [name.strip() for name in next(reader, [])]
        if len(set(header)) < len(header):
            raise csv.Error("two columns of its header have one name")
        for number, cells in enumerate(reader, 2):
            if cells:
                yield _csv_row(number, header, cells)


def _csv_row(number: int, header: list[str], cells: list[str]) -> Row:
    if len(cells) != len(header):
        found = f"{len(cells)} cells, and the header {len(header)}"
        return Row(number, problem=f"has {found}. Quote a text that holds a comma or a line break.")
    return Row(number, dict(zip(header, cells, strict=True)))


def _parquet(path: Path) -> Iterator[Row]:
    return _table_rows(pq.ParquetFile(path).read())


def _arrow(path: Path) -> Iterator[Row]:
    """An Arrow IPC stream, as Hugging Face datasets keep them."""
    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as stream:
        return _table_rows(stream.read_all())


def _table_rows(table: pa.Table) -> Iterator[Row]:
    return (Row(number, cells) for number, cells in enumerate(table.to_pylist(), 1))


_READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".parquet": _parquet,
    ".arrow": _arrow,
}
