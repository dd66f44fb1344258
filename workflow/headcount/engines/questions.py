"""A question as agents get it."""

import json
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Literal

import pyarrow as pa

Kind = Literal["choice", "number", "code"]


@dataclass(frozen=True)
class Code:
    """What makes a question one for a program.

    Attributes:
        entry_point: name of the function to write.
        check: source of `check(candidate)`, which asserts what the function must do.
        solution: what continues the question to a right program.
    """

    entry_point: str
    check: str
    solution: str


@dataclass(frozen=True)
class Question:
    """A question. What the right answer is, only a simulated agent is told."""

    id: str
    question: str
    choices: tuple[str, ...] | None
    gold: str
    code: Code | None = None

    @property
    def letters(self) -> str:
        """The options' letters; none for a free-form item."""
        return ascii_uppercase[: len(self.choices or ())]

    @property
    def kind(self) -> Kind:
        """What is asked for: an option, a number, or a program."""
        return "choice" if self.choices else "code" if self.code else "number"


def questions(items: pa.Table) -> dict[str, Question]:
    """The rows of an items table, by id."""
    return {row["item"]: _question(row) for row in items.to_pylist()}


def _question(row: dict[str, Any]) -> Question:
    choices = tuple(row["choices"]) if row["choices"] else None
    return Question(row["item"], row["question"], choices, row["gold"], _code(row))


def _code(row: dict[str, Any]) -> Code | None:
    """What HumanEval says of a program. No other set's gold is the name of a function."""
    about = json.loads(row["metadata"])
    if row["choices"] or about.get("entry_point") != row["gold"]:
        return None
    return Code(row["gold"], about["test"], about["canonical_solution"])
