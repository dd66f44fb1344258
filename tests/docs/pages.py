"""Documents, what they claim, and which of their numbers nobody vouches for.

A claim is a passage of a document with a `{}` for each number, and the function that computes these numbers. A remark
says that some digits are no claim, and why. What neither a claim nor a remark covers is stray, and a test refuses it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from numbers import Integral
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
WORDS = {word: number for number, word in enumerate(_WORDS)} | {"none": 0, "twenty": 20}
NUMBER = r"([−-]?[\d.,]*\d(?:e-?\d+)?|[A-Za-z]+)"

Computed = float | str | Callable[[float], bool]


@dataclass(frozen=True)
class Claim:
    """A passage, how its numbers are computed, and the released run that must be rebuilt for it."""

    passage: str
    pattern: re.Pattern[str]
    numbers: Callable[..., Sequence[Computed]]
    run: str | None


@dataclass(frozen=True)
class Remark:
    """Digits that state nothing which could be computed, and why."""

    pattern: re.Pattern[str]
    why: str
    needed: bool = True


@dataclass
class Document:
    """A file under the root, its claims, and its remarks."""

    name: str
    claims: list[Claim] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    @property
    def text(self) -> str:
        return (ROOT / self.name).read_text(encoding="utf-8")

    def says(self, passage: str, numbers: Callable[..., Any] | None = None, run: str | None = None) -> Any:
        """The document has this passage, whose numbers a function gives; as a decorator where none is named."""

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            self.claims.append(Claim(passage, _passage(passage), function, run))
            return function

        return add if numbers is None else add(numbers)

    def shows(self, first: str, block: Callable[..., str], run: str | None = None) -> None:
        """The document has a block that begins so, up to an empty line or a fence, and is what a function gives."""
        self._block(rf"^({re.escape(first)}.*?)\n*(?=\n\n|\n```|\Z)", first, block, run)

    def fenced(self, first: str, block: Callable[..., str], run: str | None = None) -> None:
        """The same of all that stands between two fences."""
        self._block(rf"^```\n({re.escape(first)}.*?)\n```$", first, block, run)

    def _block(self, lines: str, first: str, block: Callable[..., str], run: str | None) -> None:
        pattern = re.compile(lines, re.MULTILINE | re.DOTALL)
        self.claims.append(Claim(first, pattern, lambda *runs: [block(*runs)], run))

    def leaves(self, pattern: str, why: str, needed: bool = True) -> None:
        """Digits that match are no claim. A remark that matches nothing is refused, unless all documents share it."""
        self.remarks.append(Remark(re.compile(pattern, re.MULTILINE), why, needed))

    def stray(self) -> list[str]:
        """Lines with digits that nothing covers; what is covered is blotted out."""
        text = self.text
        for start, end in self.covered():
            text = text[:start] + re.sub(r"[^\n]", "·", text[start:end]) + text[end:]
        return [f"{at}: {line}" for at, line in enumerate(text.splitlines(), 1) if re.search(r"\d", line)]

    def covered(self) -> Iterator[tuple[int, int]]:
        """Of a claim its numbers alone are covered, not the words between them."""
        text = self.text
        for claim in self.claims:
            for found in claim.pattern.finditer(text):
                yield from (found.span(place) for place in range(1, claim.pattern.groups + 1))
        for remark in self.remarks:
            yield from (found.span() for found in remark.pattern.finditer(text))


def _passage(passage: str) -> re.Pattern[str]:
    """Lines may break anywhere, and each {} is a number, in digits or as a word."""
    return re.compile(re.escape(passage).replace(r"\ ", r"\s+").replace(r"\{\}", NUMBER))


def agrees(said: str, computed: Computed) -> bool:
    """Whether a number is what was computed: to the last digit that is said, counts exactly."""
    if isinstance(computed, str):
        return computed in (said, said.replace(",", ""))
    stated = Decimal(WORDS[said.lower()] if said.lower() in WORDS else said.replace(",", "").replace("−", "-"))
    if callable(computed):
        return bool(computed(float(stated)))
    if isinstance(computed, Integral):
        return stated == int(computed)
    exponent = stated.as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(float(stated) - computed) <= 0.5 * 10.0**exponent * (1 + 1e-6)
