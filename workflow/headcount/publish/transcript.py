"""What a team really said: from a number back to the replies that made it."""

import hashlib
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from headcount.axes import asked
from headcount.errors import UserError
from headcount.items.item import LETTERS
from headcount.schema import ANSWERS, DRAWS, ITEMS, TURNS, Table
from headcount.store import read

Answer = dict[str, Any]  # a row of ANSWERS


class Team(NamedTuple):
    """Which team's discussion of which item."""

    team: str
    task: str
    condition: str
    item: str
    n: int


def transcript(results: Path, wanted: Team) -> Iterator[str]:
    """A team's discussion of an item, line by line: the question, then who answered what in each round, in its words.

    Args:
        results: folder of a finished run.
    """
    task = asked_in(results, wanted.task)
    yield from question(results, task, wanted.item)
    said, round_ = replies(results, wanted.team, task, wanted.condition), 0
    for answer in _answers(results, wanted):
        if answer["round"] != round_:
            round_ = answer["round"]
            yield f"\n== round {round_}"
        yield f"\n[agent {answer['agent']}, {answer['model']}] {verdict(answer)}  (request {answer['request'][:12]})"
        yield printable(said[answer["request"]].text).rstrip()


class Reply(NamedTuple):
    """A model's reply, and the file that holds it."""

    text: str
    path: Path


def asked_in(results: Path, task: str) -> str:
    """The task of a run whose questions and replies stand behind a task's answers."""
    return asked(task, {path.stem for path in results.glob("items/*.parquet")})


def question(results: Path, task: str, item: str) -> list[str]:
    """An item's question, its choices and the right answer, line by line."""
    rows = read(results / "items" / f"{task}.parquet", ITEMS)
    found = where(rows, item=item)
    if not found:
        raise UserError(f"There is no item '{item}'. Some that there are: {rows['item'][:5].to_pylist()}.")
    (row,) = found
    choices = zip(LETTERS, row["choices"] or (), strict=False)
    lines = [row["question"], *(f"{letter}) {text}" for letter, text in choices), f"Right answer: {row['gold']}"]
    return [printable(line) for line in lines]


def replies(results: Path, team: str, task: str, condition: str, models: Collection[str] = ("*",)) -> dict[str, Reply]:
    """Every reply of a cell, by its request; and all that some models said to its task in round 1."""
    drawn = sorted(path for model in models for path in results.glob(f"draws/{model}/{task}.parquet"))
    files: list[tuple[Path, Table]] = [(path, DRAWS) for path in drawn]
    files += [(path, TURNS) for path in results.glob(f"turns/{team}/{task}/{condition}.parquet")]
    return {
        request: Reply(text, path)
        for path, table in files
        for request, text in zip(*(read(path, table)[name].to_pylist() for name in ("request", "text")), strict=True)
    }


def cell_answers(results: Path, team: str, task: str, condition: str, item: str | None = None) -> list[Answer]:
    """Rows of ANSWERS of a cell, or of one item of it, in the order of their keys."""
    rows = read(results / "answers" / f"{team}.parquet", ANSWERS)
    return where(rows, task=task, condition=condition, item=item)


def verdict(answer: Answer) -> str:
    """An answer, whether it is right, and how it was read out of the reply."""
    if answer["answer"] is None:
        return f"no answer: {answer['status']}"
    right = "right" if answer["correct"] else "wrong"
    return f"{named(answer['answer'])}, {right} ({answer['status']} by rule {answer['rule']})"


def named(answer: str) -> str:
    """An answer that fits on a line: a program is called by its hash."""
    return f"program {hashlib.sha256(answer.encode()).hexdigest()[:8]}" if "\n" in answer else answer


def printable(text: str) -> str:
    """A model's text without characters that a terminal or browser would obey: all controls but tab and newline.

    Among them are those that reorder what follows them (bidirectional overrides).
    """
    return _OBEYED.sub("\ufffd", text.replace("\r\n", "\n"))


_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def where(rows: pa.Table, **wanted: object) -> list[dict[str, Any]]:
    """The rows of a table that have these values; None allows all."""
    for column, value in wanted.items():
        if value is not None:
            rows = rows.filter(pc.equal(rows[column], value))
    return list(rows.to_pylist())


def _answers(results: Path, wanted: Team) -> list[Answer]:
    rows = [row for row in cell_answers(results, *wanted[:4]) if row["n"] == wanted.n]
    if not rows:
        raise UserError(f"{results}: no team of {wanted.n} in {wanted.team} / {wanted.task} / {wanted.condition}.")
    k = max(row["k"] for row in rows)  # the best connected, where peers were varied
    return [row for row in rows if row["k"] == k and row["replicate"] == 1]
