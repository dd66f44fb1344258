"""What a table says about its columns: where values come from, how exact they are, how people read them."""

import dataclasses
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from headcount.publish.words import EMPTY, SIMULATED

Show = Literal["always", "varying", "present"]


@dataclass(frozen=True)
class Column:
    """A column: where its values come from, and how people read them.

    Attributes:
        field: column of the frame, and its name in CSV.
        meaning: what the heading cannot say: unit, reading, exceptions.
        decimals: of a number, in CSV; None for text and lists.
        shown_decimals: those that people read; by default the same.
        interval: columns of the frame with the estimate's lower and upper end, shown in brackets behind it.
        percent: people read a share as per cent (CSV keeps the share).
        words: what people read in place of a machine name.
        notes: meanings of machine names; people read a letter, and its meaning below the table.
        show: `varying` is said once below the table where it is equal in all rows; `present` is left out
            where no row has it.
    """

    field: str
    heading: str
    meaning: str
    decimals: int | None = None
    shown_decimals: int | None = None
    interval: tuple[str, str] | None = None
    percent: bool = False
    words: Mapping[str, str] = dataclasses.field(default_factory=dict)
    notes: Mapping[str, str] = dataclasses.field(default_factory=dict)
    show: Show = "always"

    @property
    def fields(self) -> list[str]:
        return [self.field, *(self.interval or ())]

    @property
    def is_number(self) -> bool:
        return self.decimals is not None

    def exact(self, value: Any) -> str:
        """A cell of the CSV; "" where there is no value."""
        return ";".join(_parts(value, self.decimals))

    def human(self, row: Mapping[Hashable, Any]) -> str:
        """A cell for people: estimate [low, high]."""
        shown = self._readable(row[self.field])
        ends = [self._readable(row[name]) for name in self.interval or ()]
        return f"{shown} [{', '.join(ends)}]" if any(end != EMPTY for end in ends) else shown

    def _readable(self, value: Any) -> str:
        decimals = self.decimals if self.shown_decimals is None else self.shown_decimals
        if self.percent and isinstance(value, float):
            value = 100 * value
        if isinstance(value, float) and abs(value) >= _HUGE:
            return f"{value:.0e}".replace("-", "−") + " %" * self.percent
        parts = [self.words.get(part, part) for part in _parts(value, decimals)]
        if self.is_number:
            parts = [part.replace("-", "−") + " %" * self.percent for part in parts]
        return ", ".join(parts) or EMPTY


_HUGE = 1e7  # people read 3e+29; CSV keeps every digit


def _parts(value: Any, decimals: int | None) -> list[str]:
    if isinstance(value, list | tuple | np.ndarray):
        return [str(part) for part in value]
    if _is_empty(value):
        return []
    return [str(value) if decimals is None else f"{value:z.{decimals}f}"]  # z: -0.0004 is 0.000, not -0.000


def _is_empty(value: Any) -> bool:
    """Whether a cell has no value; pandas is slow to say so of what Python knows."""
    if isinstance(value, str):
        return not value
    return math.isnan(value) if isinstance(value, float) else bool(pd.isna(value))


@dataclass(frozen=True)
class Printed(Column):
    """A number of the paper's beside ours: as printed, ours minus it, and a mark where it lies outside our interval.

    Its two further columns are made by `published.compare`.

    Attributes:
        of: the column of ours that it stands beside; "" for text, which is not compared.
    """

    of: str = ""
    show: Show = "present"

    @property
    def fields(self) -> list[str]:
        compared = [f"{self.of}_minus_published", f"{self.of}_outside"] if self.of else []
        return [*super().fields, *compared]

    def human(self, row: Mapping[Hashable, Any]) -> str:
        """As printed (ours minus printed) mark."""
        text = super().human(row)
        if not self.of or not row[f"{self.of}_minus_published"]:
            return text
        difference = str(row[f"{self.of}_minus_published"]).replace("-", "−")
        return f"{text} ({difference}){OUTSIDE if row[f'{self.of}_outside'] else ''}"


OUTSIDE = " ‡"

SIMULATED_COLUMN = Column(
    "simulated",
    "data",
    f"{SIMULATED}: from a statistical model of agents, not from a language model",
    words={"True": SIMULATED, "False": EMPTY},
)


@dataclass(frozen=True)
class TableSpec:
    """What a table is called, what it says, and its columns, the most telling first.

    Narrow terminals show the first columns only, and print `groups` as headings between rows. Whether a row
    is simulated is not among `columns`: it stands in every table, and none can leave it out.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    groups: tuple[str, ...] = ()

    @property
    def fields(self) -> list[str]:
        """The columns of the frame that this describes."""
        return [*(name for column in self.columns for name in column.fields), SIMULATED_COLUMN.field]
