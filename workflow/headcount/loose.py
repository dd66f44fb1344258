"""Any table that a user hands to the command line: everything is text, and only an empty cell is missing."""

import json
from pathlib import Path
from typing import TextIO

import pandas as pd
import pyarrow as pa

from headcount.errors import UserError

_FORMATS = "CSV, JSONL or Parquet, by its ending"


def read_loose(source: Path | TextIO) -> pd.DataFrame:
    """A table from a file, or CSV from an open stream. An answer "NA" or "None" stays text."""
    if not isinstance(source, Path):
        return _csv(source, "standard input")
    if not source.is_file():
        raise UserError(f"{source}: no such file.")
    match source.suffix:
        case ".csv":
            return _csv(source, str(source))
        case ".jsonl":
            return _jsonl(source)
        case ".parquet":
            return _parquet(source)
        case _:
            raise UserError(f"{source}: not a known format. Give it as {_FORMATS}.")


def _csv(source: Path | TextIO, where: str) -> pd.DataFrame:
    try:
        return pd.read_csv(source, dtype=str, keep_default_na=False, na_values=[""])
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as problem:
        raise UserError(f"{where}: not a CSV table: {problem}".strip()) from None


def _jsonl(source: Path) -> pd.DataFrame:
    try:
        lines = source.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as problem:
        raise UserError(f"{source}: not UTF-8 text: {problem}.") from None
    return pd.DataFrame([_row(line, f"{source}: line {n}") for n, line in enumerate(lines, start=1) if line.strip()])


def _row(line: str, where: str) -> dict[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise UserError(f"{where}: not JSON: {problem}.") from None
    if not isinstance(row, dict):
        raise UserError(f"{where}: not an object. Give one object per line, as in {{...}}.")
    return row


def _parquet(source: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(source)
    except (pa.ArrowInvalid, OSError) as problem:
        raise UserError(f"{source}: not a readable Parquet file: {problem}.") from None
