"""Which tables and figures exist, read from their sources: naming them imports none of them.

Snakemake asks at every start, and Matplotlib's import alone takes longer than that should.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
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


class Pages(Mapping[str, Page]):
    """The pages of a package by the name of their module; a source is read when its page is first asked for.

    A job makes one page, and reading the sources of all takes as long as a small table.
    """

    def __init__(self, package_path: Iterable[str]):
        """Args: package_path: the folders of the package."""
        self._folders = [Path(folder) for folder in package_path]
        self._known: dict[str, Page | None] = {}

    def __getitem__(self, name: str) -> Page:
        if name not in self._known:
            self._known[name] = self._read(name)
        page = self._known[name]
        if page is None:
            raise KeyError(name)
        return page

    def __iter__(self) -> Iterator[str]:
        names = sorted(path.stem for folder in self._folders for path in folder.glob("*.py"))
        return (name for name in names if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _read(self, name: str) -> Page | None:
        """None where a module is no page, or there is none."""
        source = next((path for folder in self._folders if (path := folder / f"{name}.py").is_file()), None)
        said = _constants(source) if source else {}
        return Page(*(said[constant] for constant in _SAID)) if "PAPER" in said else None


def load(kind: str, name: str) -> Any:
    """The module that makes a table or figure.

    Args:
        kind: "tables" or "figures".
        name: its own name or the paper's: "regimes" or "table01".
    """
    known: Pages = import_module(f"headcount.publish.{kind}").PAGES
    return import_module(f"headcount.publish.{kind}.{name if name in known else _own_name(kind, name, known)}")


def _own_name(kind: str, name: str, known: Pages) -> str:
    """Of a page that is called as the paper calls it."""
    aliases = {page.alias: own for own, page in known.items() if page.alias}
    if name not in aliases:
        names = [*aliases, *known]
        near = get_close_matches(name, names, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise UserError(f"There is no '{name}' among the {kind}.{hint} ({', '.join(names)})")
    return aliases[name]


def _constants(source: Path) -> dict[str, Any]:
    """The upper-case names that a module assigns literals to."""
    assigned = {}
    for line in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and line.targets[0].id in _SAID:
            assigned[line.targets[0].id] = ast.literal_eval(line.value)
    return assigned


_SAID = ("PAPER", "QUESTION", "NEEDS", "READS", "PUBLISHED")
