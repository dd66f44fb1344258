"""What a team really said: from a number back to the replies that made it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.compute as pc

from headcount.errors import UserError
from headcount.schema import ANSWERS, DRAWS, ITEMS, TURNS, Table
from headcount.store import read


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
    item = _one(read(results / "items" / f"{wanted.task}.parquet", ITEMS), item=wanted.item)
    yield item["question"]
    yield from (f"{letter}) {text}" for letter, text in zip("ABCDEFGHIJ", item["choices"] or (), strict=False))
    yield f"Right answer: {item['gold']}"
    texts, round_ = _texts(results, wanted.task), 0
    for answer in _answers(results, wanted):
        if answer["round"] != round_:
            round_ = answer["round"]
            yield f"\n== round {round_}"
        yield f"\n[agent {answer['agent']}, {answer['model']}] {_verdict(answer)}  (request {answer['request'][:12]})"
        yield texts[answer["request"]].rstrip()


def _answers(results: Path, wanted: Team) -> list[dict[str, Any]]:
    rows = _where(read(results / "answers" / f"{wanted.team}.parquet", ANSWERS), **wanted._asdict() | {"team": None})
    if not rows:
        raise UserError(f"{results}: no team of {wanted.n} in {wanted.team} / {wanted.task} / {wanted.condition}.")
    k = max(row["k"] for row in rows)  # the best connected, where peers were varied
    return [row for row in rows if row["k"] == k and row["replicate"] == 1]


def _verdict(answer: dict[str, Any]) -> str:
    if answer["answer"] is None:
        return f"no answer: {answer['status']}"
    return (
        f"{answer['answer']}, {'right' if answer['correct'] else 'wrong'} ({answer['status']} by rule {answer['rule']})"
    )


def _texts(results: Path, task: str) -> dict[str, str]:
    """Every reply of a task, by its request."""
    files: list[tuple[Path, Table]] = [(path, DRAWS) for path in results.glob(f"draws/*/{task}.parquet")]
    files += [(path, TURNS) for path in results.glob(f"turns/*/{task}/*.parquet")]
    return {row["request"]: row["text"] for path, table in files for row in read(path, table).to_pylist()}


def _one(rows: Any, **wanted: object) -> dict[str, Any]:
    found = _where(rows, **wanted)
    if not found:
        raise UserError(f"There is no item '{wanted['item']}'. Some that there are: {rows['item'][:5].to_pylist()}.")
    return found[0]


def _where(rows: Any, **wanted: object) -> list[dict[str, Any]]:
    for column, value in wanted.items():
        if value is not None:
            rows = rows.filter(pc.equal(rows[column], value))
    return list(rows.to_pylist())
