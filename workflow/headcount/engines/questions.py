"""A question as agents get it."""

from dataclasses import dataclass
from string import ascii_uppercase

import pyarrow as pa


@dataclass(frozen=True)
class Question:
    """A question. What the right answer is, only a simulated agent is told."""

    id: str
    question: str
    choices: tuple[str, ...] | None
    gold: str

    @property
    def letters(self) -> str:
        """The options' letters; none for a free-form item."""
        return ascii_uppercase[: len(self.choices or ())]


def questions(items: pa.Table) -> dict[str, Question]:
    """The rows of an items table, by id."""
    return {
        row["item"]: Question(
            row["item"], row["question"], tuple(row["choices"]) if row["choices"] else None, row["gold"]
        )
        for row in items.to_pylist()
    }
