"""GSM-Hard (arXiv 2211.10435): grade-school problems with large numbers, those with an integer answer.

1,017 of the 1,319 targets lie within 1e-9 of an integer; these are the items, and the integer is the gold
answer. Targets are read as decimals and never become floats. An item is named after its row in the
published file, the skipped ones counted: `gsm_hard-0`.
"""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from headcount.config_sources import UrlSource
from headcount.items.item import BadRow, Item, parse_rows, require_columns
from headcount.items.numbers import exact
from headcount.items.rows import Row, read_rows, text_of

SOURCES = (
    UrlSource(
        url="https://raw.githubusercontent.com/reasoning-machines/pal/"
        "f81ca2a9777f002f98a6b4d0f10b61bd5c8feb02/datasets/gsmhardv2.jsonl",
        sha256="2032b0188a49ac0ec38cbe1e695e7d62d6dddc44bbb64f920728aca710e9ddef",
    ),
)
COUNT = 1017
_CLOSE = Fraction(1, 10**9)


def read(paths: Sequence[Path]) -> list[Item]:
    """The items whose target is an integer."""
    (path,) = paths
    rows = read_rows(path)
    require_columns(path, rows, "input", "target")
    items = parse_rows(path, rows, _item)
    return [item for item in items if "." not in item.gold]


def _item(row: Row) -> Item:
    question, target = (text_of(row.cells.get(name)) for name in ("input", "target"))
    decimal = None if target is None else exact(target)
    if decimal is None:
        raise BadRow("'target' is not a number.")
    if not question or not question.strip():
        raise BadRow("'input' is empty.")
    place = row.number - 1
    return Item(f"gsm_hard-{place}", question, None, nearest(decimal), {"row": place, "target": target})


def nearest(decimal: str) -> str:
    """The integer within 1e-9 of a decimal, or the decimal itself where there is none."""
    value = Fraction(decimal)
    integer = round(value)
    return str(integer) if abs(value - integer) <= _CLOSE else decimal
