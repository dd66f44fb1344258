"""Any table that a user hands to the command line: everything is text, and only an empty cell is missing."""

from pathlib import Path
from typing import TextIO

import pandas as pd

from headcount.errors import UserError

_FORMATS = "CSV, JSONL or Parquet, by its ending"


def read_loose(source: Path | TextIO) -> pd.DataFrame:
    """A table from a file, or CSV from an open stream. An answer "NA" or "None" stays text."""
    if not isinstance(source, Path):
        return _csv(source, "standard input")
    if not source.exists():
        raise UserError(f"{source}: no such file.")
    match source.suffix:
        case ".csv":
            return _csv(source, str(source))
        case ".jsonl":
            return _jsonl(source)
        case ".parquet":
            return pd.read_parquet(source)
        case _:
            raise UserError(f"{source}: not a known format. Give it as {_FORMATS}.")


def _csv(source: Path | TextIO, where: str) -> pd.DataFrame:
    try:
        return pd.read_csv(source, dtype=str, keep_default_na=False, na_values=[""])
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as problem:
        raise UserError(f"{where}: not a CSV table: {problem}".strip()) from None


def _jsonl(source: Path) -> pd.DataFrame:
    try:
        return pd.read_json(source, lines=True, dtype=False, convert_dates=False)
    except ValueError as problem:
        raise UserError(f"{source}: not JSON lines: {problem}.") from None
