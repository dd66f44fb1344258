"""How a trace looks: headings, keys and values, grids by team size. 80 columns, and plain text where it is piped."""

from collections.abc import Hashable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

Row = Mapping[Hashable, Any]


def heading(console: Console, what: str, more: str = "") -> None:
    """What the lines below are about, mostly a file."""
    console.print()
    beside = f"  {more}" if more and len(what) + len(more) + 2 <= console.width else ""
    console.print(Text.assemble((what, "bold"), beside), soft_wrap=True)
    if more and not beside:
        line(console, more)


def line(console: Console, text: str, style: str = "") -> None:
    """A sentence, indented and wrapped."""
    for part in wrap(text, console.width - 2, break_on_hyphens=False):
        console.print(Text(f"  {part}", style), soft_wrap=True)


def pairs(console: Console, named: Mapping[str, str], indent: int = 2, style: str = "") -> None:
    """Names and values, as they are typed; lines break between them, and inside only of a list that is too long."""
    current = " " * indent
    for name, value in named.items():
        pair = f"{name}={value or '–'}  "
        if indent + len(pair.rstrip()) > console.width:
            *full, pair = wrap(pair.replace(";", "; "), console.width - indent)
            for part in ([current] if current.strip() else []) + [" " * indent + part for part in full]:
                console.print(Text(part.rstrip(), style), soft_wrap=True)
            current, pair = " " * indent, f"{pair}  "
        if current.strip() and len(current + pair.rstrip()) > console.width:
            console.print(Text(current.rstrip(), style), soft_wrap=True)
            current = " " * indent
        current += pair
    if current.strip():
        console.print(Text(current.rstrip(), style), soft_wrap=True)


def more(console: Console, count: int, what: str) -> None:
    """What a limit left out."""
    if count > 0:
        line(console, f"... and {count} more {what}; --limit shows more", "dim")


def grid_of_sizes(first: str, sizes: Sequence[int]) -> Grid:
    """A column for each team size."""
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 1))
    grid.add_column(first, overflow="fold", min_width=16)
    for size in sizes:
        grid.add_column(f"N={size}", justify="right", no_wrap=True)
    return grid
