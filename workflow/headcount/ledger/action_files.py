"""Files of a controller's actions: CSV with a header, or JSON lines; three texts a row, and nothing else."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from headcount.errors import UserError

COLUMNS = ["source", "question_id", "action"]

Record = tuple[int, dict[str, str]]


def records(path: Path) -> Iterator[Record]:
    """Rows of a file with their numbers; the header of a CSV file is row 1, the first of JSON lines (`.jsonl`) too.

    Raises:
        UserError: names the file, and the row that is not one.
    """
    read: Callable[[Path], Iterator[Record]] = _json_lines if path.suffix == ".jsonl" else _csv
    try:
        yield from read(path)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text. Save it in UTF-8.") from error


def _csv(path: Path) -> Iterator[Record]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        if sorted(header) != sorted(COLUMNS):
            raise UserError(f"{path}: row 1: the columns are {', '.join(header) or 'none'}. Give {', '.join(COLUMNS)}.")
        for row, values in enumerate(reader, 2):
            if len(values) != len(COLUMNS):
                raise UserError(f"{path}: row {row}: {len(values)} values for {len(COLUMNS)} columns. Is it cut short?")
            yield row, dict(zip(header, values, strict=True))


def _json_lines(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8-sig") as file:
        for row, line in enumerate(file, 1):
            where = f"{path}: row {row}: "
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise UserError(f"{where}is not JSON ({error.msg}). Is it cut short?") from None
            if not isinstance(record, dict) or sorted(record) != sorted(COLUMNS):
                raise UserError(f"{where}is not an object of {', '.join(COLUMNS)}. Give these, and no more.")
            wrong = [name for name in COLUMNS if not isinstance(record[name], str)]
            if wrong:
                raise UserError(f"{where}{wrong[0]} is {json.dumps(record[wrong[0]])}. Give text, in quotes.")
            yield row, record
