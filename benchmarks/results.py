"""What a benchmark measured, and the lines that say so."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

Numbers = dict[str, Any]  # as JSON keeps them


class Row(NamedTuple):
    """What was measured, what came out, and the goal; empty where there is none."""

    what: str
    result: str
    goal: str = ""


def show(rows: Iterable[Row]) -> None:
    """Print them."""
    for row in rows:
        print(f"{row.what}: {row.result}{f' (goal: {row.goal})' if row.goal else ''}")


def table(head: tuple[str, ...], lines: Iterable[tuple[object, ...]]) -> Iterator[str]:
    """A table in Markdown, and an empty line."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)
    yield ""
