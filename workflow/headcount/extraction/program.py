"""The program that a reply states, when it was asked to complete a function.

The last place that defines the function counts: a fenced block behind FINAL (`final`), else any fenced block (`block`),
else bare text (`text`), else what completes the function if it is put behind the question (`continued`). A program that
cannot be what was asked for is an answer too, and fails: one that does not parse or does nothing (`broken`), one that
defines other functions alone (`renamed`). Where a reply was cut, what goes on to its end is no program.
"""

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from textwrap import dedent, indent
from typing import NamedTuple

from headcount.extraction.blocks import Block, find_blocks
from headcount.extraction.fields import Section, find_fields, find_sections
from headcount.extraction.reading import Found, Reading
from headcount.extraction.ringelmann_dialect import confidence
from headcount.extraction.visible import blanked

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)  # what ast raises on what is no program
MAX_PLACES = 50  # a reply with more runs in a loop: only the last of them are read

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Stub(NamedTuple):
    """The function to complete: source up to its docstring, and its name."""

    source: str
    entry_point: str

    @property
    def before(self) -> str:
        """What the question has before the function: imports, and other functions."""
        tree = parsed(self.source)
        line = next((node.lineno for node in tree.body if _defines(node, self.entry_point)), 1) if tree else 1
        return "".join(self.source.splitlines(keepends=True)[: line - 1])


class _Place(NamedTuple):
    start: int
    end: int


def find_program(text: str, visible: str, stub: Stub, *, cut: bool) -> Found:
    """The program that a reply states.

    Args:
        text: the reply as the engine gave it.
        visible: what of it counts, character for character where it stood.
        cut: whether the reply ended at its length limit.
    """
    blocks = find_blocks(visible)
    prose = blanked(visible, ((block.outer_start, block.outer_end) for block in blocks))
    finals = [section for section in find_sections(prose) if section.kind == "final"]
    places = _Places.of(prose, blocks, finals, len(text) if cut else None)
    stated = {_first(text, visible, [place], _defining(stub)) for place in places.final} - {None}
    reading, rule = _decide(text, visible, places, stub)
    return Found(
        reading,
        rule,
        confidence=confidence(prose, find_fields(prose)),
        n_tags=len(finals),
        tags_disagree=len({found.value for found in stated if found}) > 1,
        last_line=None,
    )


class _Places(NamedTuple):
    """Where a program may stand, the likeliest first."""

    final: list[_Place]
    blocks: list[_Place]
    bare: list[_Place]

    @classmethod
    def of(cls, prose: str, blocks: Sequence[Block], finals: Sequence[Section], limit: int | None) -> "_Places":
        """Args: limit: where a reply was cut; a place that goes on to it does not count."""
        closed = [block for block in blocks if limit is None or block.outer_end < limit][-MAX_PLACES:]
        inner = [_Place(block.start, block.end) for block in reversed(closed)]
        final = [place for field in reversed(finals) for place in inner if field.start <= place.start < field.end]
        bare = [_Place(field.start, field.end) for field in reversed(finals[-MAX_PLACES:])]
        first = next((section.key for section in find_sections(prose)), len(prose))
        bare.append(_Place(0, first))
        return cls(final, inner, [place for place in bare if limit is None or place.end < limit])


def _decide(text: str, visible: str, places: _Places, stub: Stub) -> tuple[Reading | None, str]:
    defining, fenced = _defining(stub), [*places.final, *places.blocks]
    rules: tuple[tuple[str, list[_Place], Callable[[str], str | None]], ...] = (
        ("final", places.final, defining),
        ("block", places.blocks, defining),
        ("text", places.bare, defining),
        ("continued", [*fenced, *places.bare], _continuing(stub)),
        ("broken", fenced, _attempting(stub)),
        ("renamed", fenced, _renaming),
    )
    for rule, where, read in rules:
        if reading := _first(text, visible, where, read):
            return reading, rule
    return None, ""


def _first(text: str, visible: str, places: Sequence[_Place], read: Callable[[str], str | None]) -> Reading | None:
    """The first place that can be read, as it was written or else in plain characters."""
    for place in places:
        for written in (text, visible):
            program = read(written[place.start : place.end])
            if program is not None:
                return Reading(program, place.start, place.end)
    return None


def _defining(stub: Stub) -> Callable[[str], str | None]:
    """Reads a program that defines the function and does something in it."""

    def read(written: str) -> str | None:
        program = dedent(written).strip() + "\n"
        tree = parsed(program)
        written_out = tree and any(_defines(node, stub.entry_point) and _does(node) for node in tree.body)
        return program if written_out else None

    return read


def _continuing(stub: Stub) -> Callable[[str], str | None]:
    """Reads the rest of the function: put behind the question, it makes a function that returns something."""

    def read(written: str) -> str | None:
        for body in _bodies(written):
            program = stub.source + body + "\n"
            tree = parsed(program)
            if tree and any(_defines(node, stub.entry_point) and _returns(node) for node in tree.body):
                return program
        return None

    return read


def _bodies(written: str) -> Iterator[str]:
    """A function's body as it was written, and as it may have been meant: tabs and lost indentation made good."""
    if written.strip():
        spaced = written.strip("\n").rstrip().expandtabs(4)
        yield from (written.rstrip(), spaced, indent(dedent(spaced), "    "), "    " + spaced.lstrip())


def _attempting(stub: Stub) -> Callable[[str], str | None]:
    head = re.compile(rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(stub.entry_point)}\b", re.MULTILINE)
    return lambda written: dedent(written).strip() + "\n" if head.search(written) else None


def _renaming(written: str) -> str | None:
    program = dedent(written).strip() + "\n"
    tree = parsed(program)
    return program if tree and any(isinstance(node, _SCOPES) for node in tree.body) else None


def parsed(source: str) -> ast.Module | None:
    """The tree of a program; none where it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a reply is no concern of who reads our log
            return ast.parse(source)
    except UNREADABLE:
        return None


def _defines(node: ast.stmt, name: str) -> bool:
    """Whether a statement gives a function its name."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name == name
    return isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets)


def _does(node: ast.stmt) -> bool:
    """Whether a function has more than a docstring, `...` or `pass`."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    idle = (
        isinstance(s, ast.Pass) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) for s in node.body
    )
    return not all(idle)


def _returns(node: ast.AST) -> bool:
    """Whether a function returns or yields, itself and not in a function inside it."""
    return any(
        isinstance(child, ast.Return | ast.Yield | ast.YieldFrom)
        or (not isinstance(child, _SCOPES) and _returns(child))
        for child in ast.iter_child_nodes(node)
    )
