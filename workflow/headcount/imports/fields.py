"""The cells of one row by their types. What is wrong is noted and reading goes on, so that all of a row is told."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from math import isinf

from headcount.imports.notes import Where
from headcount.items.item import LETTERS
from headcount.items.rows import text_of

LARGEST = 1000  # agents of a team, rounds, replicates
MISSING = "null where there is no answer"


class Fields:
    """A row, or an object in it, as it is read.

    Attributes:
        bad: something was wrong with what was asked of it so far.
    """

    def __init__(
        self, cells: Mapping[str, object], where: Where, within: "Fields | None" = None, path: str = ""
    ) -> None:
        self.cells, self.where, self._within, self._path = cells, where, within, path
        self.bad = False

    def wrong(self, what: str, remedy: str) -> None:
        """Note a problem; the row is bad from here on."""
        self.where.wrong(what, remedy)
        self.spoil()

    def spoil(self) -> None:
        """The row is bad, and why is told already."""
        self.bad = True
        if self._within:
            self._within.spoil()

    def has(self, key: str) -> bool:
        """Whether a cell is there and not empty."""
        return self.cells.get(key) not in (None, "")

    def name(self, key: str) -> str:
        """A key as an error names it: `round_traces[0].answers`."""
        return f"'{self._path}{key}'"

    def text(self, key: str) -> str:
        """A text that must be there; a number counts as its digits."""
        value = self.optional(key)
        if value is None:
            self._missing(key, "a text")
        return value or ""

    def optional(self, key: str) -> str | None:
        """A text without the blanks around it, or None where there is none; NaN, a list or an object is no text."""
        value = self.cells.get(key)
        if value is not None and (text_of(value) is None or value != value):
            self._mistyped(key, "a text or a number")
            return ""  # the row is bad; what is there is not missing
        return (text_of(value) or "").strip() or None

    def letter(self, key: str, *, there: bool = False) -> str | None:
        """An option letter, or None where there is none; `there`: the row must say so by a null."""
        if there and key not in self.cells:
            self._missing(key, f"a letter, or {MISSING},")
        return self._letter(self.cells.get(key), self.name(key))

    def gold(self, key: str) -> str:
        """The right option, which must be there."""
        if not self.has(key):
            self._missing(key, "the letter of the right option")
            return ""
        return self._letter(self.cells[key], self.name(key), "") or ""

    def letters(self, key: str) -> tuple[str | None, ...]:
        """A list of option letters and nulls."""
        values = self.list(key)
        return tuple(self._letter(value, f"'{self._path}{key}[{place}]'") for place, value in enumerate(values))

    def integer(self, key: str, least: int, default: int | None = None, most: int = LARGEST) -> int:
        """A whole number, also as a text of digits; 0 if it is wrong."""
        if not self.has(key) and default is not None:
            return default
        whole = f"a whole number from {least} to {most:,}"
        if not self.has(key):
            self._missing(key, whole)
            return 0
        number = number_of(self.cells.get(key))
        # The range first: to make an int of 1e9999999 takes all memory.
        if number is None or not least <= number <= most or number != int(number):
            self._mistyped(key, whole)
            return 0
        return int(number)

    def count(self, key: str) -> int:
        """A number of tokens; 0 where it is not known."""
        return self.integer(key, 0, 0, most=2**31 - 1)

    def number(self, key: str) -> float | None:
        """A number, or None where there is none."""
        return self._real(self.cells.get(key), self.name(key)) if self.has(key) else None

    def numbers(self, key: str, count: int) -> tuple[float | None, ...]:
        """A list of as many numbers; nulls where there is none."""
        if not self.has(key):
            return (None,) * count
        values = [self._real(value, self.name(key)) for value in self.list(key)]
        if len(values) != count:
            self.wrong(f"{self.name(key)} has {len(values)} values for {count} agents", "Give one for each agent")
        return tuple(values)

    def flag(self, key: str) -> bool | None:
        """True, false, or None where neither is said."""
        value = self.cells.get(key)
        if value is not None and not isinstance(value, bool):
            self._mistyped(key, "true or false")
        return value if isinstance(value, bool) else None

    def list(self, key: str) -> Sequence[object]:
        """A list that must be there."""
        value = self.cells.get(key)
        if not isinstance(value, list):
            self._missing(key, "a list") if value is None else self._mistyped(key, "a list")
            return ()
        return value

    def objects(self, key: str, value: Sequence[object] | None = None) -> Iterator["Fields"]:
        """The objects of a list."""
        for place, cells in enumerate(self.list(key) if value is None else value):
            if isinstance(cells, dict):
                yield Fields(cells, self.where, self, f"{self._path}{key}[{place}].")
            else:
                self.wrong(f"'{self._path}{key}[{place}]' is {_shown(cells)}, not an object", "Write it as {...}")

    def tokens(self) -> tuple[int, int]:
        """Prompt and completion tokens of the object's `usage`, 0 where it does not say."""
        usage = self.cells.get("usage")
        counts = Fields(usage if isinstance(usage, dict) else {}, self.where, self, f"{self._path}usage.")
        return counts.count("prompt_tokens"), counts.count("completion_tokens")

    def _letter(self, value: object, name: str, otherwise: str = f", or {MISSING}") -> str | None:
        if value is None or value == "":
            return None
        if not isinstance(value, str) or len(value) != 1 or value not in LETTERS:
            options = f"{LETTERS[0]} to {LETTERS[-1]}"
            self.wrong(f"{name} is {_shown(value)}, no option's letter", f"Write one of {options}{otherwise}")
            return None
        return value

    def _real(self, value: object, name: str) -> float | None:
        number = number_of(value)
        real = None if number is None else float(number)
        if value is not None and (real is None or isinf(real)):
            self.wrong(f"{name} has {_shown(value)}, not a number", "Write a number, or null where it is not known")
        return real

    def _missing(self, key: str, what: str) -> None:
        self.wrong(f"{self.name(key)} is missing", f"Give the row {what} there")

    def _mistyped(self, key: str, what: str) -> None:
        self.wrong(f"{self.name(key)} is {_shown(self.cells.get(key))}, not {what}", f"Write {what}")


def number_of(value: object) -> Decimal | None:
    """A number, also as a text of digits; None for what is none."""
    if value is None or isinstance(value, bool | list | dict):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _shown(value: object) -> str:
    """A value as an error quotes it: never a whole text."""
    text = repr(value) if not isinstance(value, Decimal) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."
