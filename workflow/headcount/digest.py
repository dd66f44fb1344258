"""What a rule's code is: Snakemake does not see that an imported helper changed, so each rule carries this hash."""

import hashlib
import re
from functools import cache
from pathlib import Path

GENERATION = ("headcount.debate.protocol", "debate/templates")  # all that makes a request what it is
OF_ANSWERS = (  # what one job makes of a team's answers
    *(f"headcount.measures.{name}" for name in ("table", "subsets", "moves", "aggregators", "cross_pairs")),
    "headcount.ledger.transitions",
)

_LIBRARY = Path(__file__).parent
_PACKAGE = _LIBRARY.name


def digest(*entries: str) -> str:
    """SHA-256 over the source of some modules of the library and of all that they import from it."""
    hashed = hashlib.sha256()
    for file in sorted(sources(*entries)):
        hashed.update(f"{file.relative_to(_LIBRARY)}\0".encode() + _content(file) + b"\0")
    return hashed.hexdigest()


def sources(*entries: str) -> set[Path]:
    """The files of some modules of the library and of all that they import from it.

    Args:
        entries: module names such as `headcount.measures.table`, or folders below the library such as
            `debate/templates`, whose files count as they are.
    """
    files: set[Path] = set()
    for entry in entries:
        folder = _LIBRARY / entry
        if folder.is_dir():
            files.update(path for path in folder.iterdir() if path.is_file())
        elif _file(entry):
            _reach(entry, files)
        else:
            raise ValueError(f"{entry} is neither a module of the library nor a folder in it")
    return files


def _reach(module: str, files: set[Path]) -> None:
    file = _file(module)
    if file is None or file in files:
        return
    files.add(file)
    if module.count(".") > 1:  # a module's package is imported before it
        _reach(module.rpartition(".")[0], files)
    for imported in _imports(file):
        _reach(imported, files)


@cache
def _file(module: str) -> Path | None:
    path = _LIBRARY.joinpath(*module.split(".")[1:])
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((candidate for candidate in candidates if path != _LIBRARY and candidate.is_file()), None)


@cache  # Snakemake asks for some fifty digests at every start, of its jobs too, and they share most files
def _content(file: Path) -> bytes:
    return file.read_bytes()


@cache
def _imports(file: Path) -> tuple[str, ...]:
    """Every name under the library that a file imports; `from package import name` may name a module.

    Read from its lines: Python's own parser takes longer than all else that Snakemake's start needs of us. More names
    do no harm, as those of no module are passed over; that none is missed is for the tests to see.
    """
    found = _IMPORT.findall(_content(file).decode())
    modules = [module for module, _ in found]
    return (*modules, *(f"{module}.{name}" for module, names in found for name in re.findall(r"\w+", names)))


_IMPORT = re.compile(rf"^ *(?:from|import) ({_PACKAGE}\b[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE)
