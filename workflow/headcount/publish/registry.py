"""Which tables and figures exist, read from their sources: naming them imports none of them.

Snakemake asks at every start, and Matplotlib's import alone takes longer than that should.
"""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from headcount.errors import UserError


@dataclass(frozen=True)
class Page:
    """What a module that makes a table or figure says about it, in constants at its top.

    Attributes:
        alias: what the paper calls it; "" where it has none (PAPER, which makes the module a page).
        question: a key of `words.QUESTIONS`: where the report shows it (QUESTION).
        needs: what a run must hold for it to say anything, names of `needs.NEEDS` (NEEDS).
        reads: the run's files it is made from, names of schema tables (READS).
        published: the published tables it is made from (PUBLISHED).
    """

    alias: str
    question: str
    needs: tuple[str, ...]
    reads: tuple[str, ...]
    published: tuple[str, ...]


def pages(package_path: Iterable[str]) -> dict[str, Page]:
    """The pages of a package by the name of their module."""
    sources = sorted(path for folder in package_path for path in Path(folder).glob("*.py"))
    found = {path.stem: _constants(path) for path in sources}
    return {
        name: Page(said["PAPER"], said["QUESTION"], said["NEEDS"], said["READS"], said["PUBLISHED"])
        for name, said in found.items()
        if "PAPER" in said
    }


def load(kind: str, name: str) -> Any:
    """The module that makes a table or figure.

    Args:
        kind: "tables" or "figures".
        name: its own name or the paper's: "regimes" or "table01".
    """
    known: dict[str, Page] = import_module(f"headcount.publish.{kind}").PAGES
    own = {page.alias: name for name, page in known.items() if page.alias} | {name: name for name in known}
    if name not in own:
        near = get_close_matches(name, own, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise UserError(f"There is no '{name}' among the {kind}.{hint} ({', '.join(own)})")
    return import_module(f"headcount.publish.{kind}.{own[name]}")


def _constants(source: Path) -> dict[str, Any]:
    """The upper-case names that a module assigns literals to."""
    assigned = {}
    for line in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and line.targets[0].id in _SAID:
            assigned[line.targets[0].id] = ast.literal_eval(line.value)
    return assigned


_SAID = ("PAPER", "QUESTION", "NEEDS", "READS", "PUBLISHED")
