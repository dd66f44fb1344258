"""JSON lines in, JSON lines with answers out."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, get_args

from headcount.engines.questions import Kind
from headcount.errors import UserError
from headcount.extraction.choice import MAX_OPTIONS
from headcount.extraction.extract import extract
from headcount.extraction.program import Stub
from headcount.extraction.reading import Dialect


def extract_lines(lines: Iterable[str]) -> Iterator[str]:
    """Add the extracted answer to each JSON object.

    Args:
        lines: objects with `text`, `kind` ("choice", "number" or "code"), for choices `options` (how
            many, or the list of them), for code `prompt` and `entry_point` (the function to complete,
            and its name), and if wanted `dialect` ("ringelmann" or "ledger") and `finish_reason`.
            Blank lines are left out.

    Returns:
        The same objects with `value` ("" if there is none), `status`, `rule` and `confidence`.

    Raises:
        UserError: names the line, the key and what is allowed.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            row = _row(line, number)
            yield json.dumps(row | _answer(row, number))


def _answer(row: dict[str, Any], line: int) -> dict[str, Any]:
    kind = _one_of(row, "kind", get_args(Kind), line)
    dialect = _one_of({"dialect": "ringelmann"} | row, "dialect", get_args(Dialect), line)
    if kind != "choice" and dialect == "ledger":
        raise _mistake(line, "dialect", dialect, "'ringelmann' for numbers and code (ledger: choices only)")
    answer = extract(
        _text(row, "text", line),
        kind,
        _options(row, line) if kind == "choice" else None,
        dialect,
        None if row.get("finish_reason") is None else _text(row, "finish_reason", line),
        Stub(_text(row, "prompt", line), _text(row, "entry_point", line)) if kind == "code" else None,
    )
    return {
        "value": answer.value or "",
        "status": answer.status,
        "rule": answer.rule,
        "confidence": answer.confidence,
    }


def _row(line: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UserError(f"line {number}: not JSON ({error}). Give one object per line.") from None
    if not isinstance(row, dict):
        raise UserError(f"line {number}: not an object. Give one object per line, as in {{...}}.")
    return row


def _one_of(row: dict[str, Any], key: str, allowed: tuple[str, ...], line: int) -> Any:
    if row.get(key) not in allowed:
        raise _mistake(line, key, row.get(key), " or ".join(map(repr, allowed)))
    return row[key]


def _text(row: dict[str, Any], key: str, line: int) -> str:
    if not isinstance(row.get(key), str):
        raise _mistake(line, key, row.get(key), "a string")
    return str(row[key])


def _options(row: dict[str, Any], line: int) -> int:
    options = row.get("options")
    count = len(options) if isinstance(options, list) else options
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_OPTIONS:
        allowed = f"1 to {MAX_OPTIONS}, or the list of that many options"
        raise _mistake(line, "options", options, allowed)
    return count


def _mistake(line: int, key: str, value: object, allowed: str) -> UserError:
    found = "missing" if value is None else f"{str(value)[:60]!r} is not allowed"
    return UserError(f"line {line}: {key}: {found}. Allowed: {allowed}.")
