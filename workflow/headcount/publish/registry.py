"""Which tables and figures exist, read from their sources: naming them imports none of them.

Snakemake asks at every start, and Matplotlib's import alone takes longer than that should.
"""

import ast
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from headcount.errors import UserError


def aliases(package_path: Iterable[str]) -> dict[str, str]:
    """Name of each module that makes a table or figure, and what the paper calls it ("" where it has none).

    A module makes one if it assigns PAPER at its top level.
    """
    sources = sorted(path for folder in package_path for path in Path(folder).glob("*.py"))
    found = {path.stem: _paper(path) for path in sources}
    return {name: alias for name, alias in found.items() if alias is not None}


def load(kind: str, name: str) -> Any:
    """The module that makes a table or figure.

    Args:
        kind: "tables" or "figures".
        name: its own name or the paper's: "regimes" or "table01".
    """
    known = import_module(f"headcount.publish.{kind}").ALIASES
    own = {alias: name for name, alias in known.items() if alias} | {name: name for name in known}
    if name not in own:
        near = get_close_matches(name, own, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise UserError(f"There is no '{name}' among the {kind}.{hint} ({', '.join(own)})")
    return import_module(f"headcount.publish.{kind}.{own[name]}")


def _paper(source: Path) -> str | None:
    for line in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "PAPER":
            return str(ast.literal_eval(line.value))
    return None
