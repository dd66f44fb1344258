"""What a cell's agents said, for its page: a few items, chosen by rule and hash and not by anybody's taste."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pandas as pd
import pyarrow as pa

from headcount.items.item import LETTERS
from headcount.publish.transcript import Answer, Reply, named, printable, where
from headcount.publish.words import EMPTY

READABLE = 5  # agents: the largest team not above this is shown
HEAD, TAIL = 700, 200  # characters of a long reply
Row = Mapping[Any, Any]
COLUMNS = 3  # rounds beside each other
_OF_ITEM = ["item", "n", "k", "replicate", "n_distinct", "team_answer", "team_correct", "unanimous"]


@dataclass(frozen=True)
class Kind:
    """A sort of item that a reader may want to see.

    Attributes:
        fits: rows of MEASURES of an item's team in the first and last round -> whether it is one.
        nobody: what no item did, where there is none.
    """

    name: str
    fits: Callable[[Row, Row], bool]
    nobody: str


def _mended(first: Row, last: Row) -> bool:
    return bool(last["team_correct"] and not first["team_correct"])


def _broken(first: Row, last: Row) -> bool:
    return _mended(last, first)


def _agreed(_: Row, last: Row) -> bool:
    return bool(last["unanimous"])


def _divided(_: Row, last: Row) -> bool:
    return bool(last["n_distinct"] > 1)


TALKED = (
    Kind("From wrong to right", _mended, "went from wrong to right"),
    Kind("From right to wrong", _broken, "went from right to wrong"),
    Kind("All of one mind", _agreed, "ended unanimous"),
)
SILENT = (
    Kind("All of one mind", _agreed, "is unanimous"),
    Kind("Divided", _divided, "is divided"),
)


@dataclass(frozen=True)
class Talk:
    """The talk that a page shows.

    Attributes:
        n: size of the team shown.
        items_asked: how many items were put to it.
        rounds: those shown, first to last.
        skipped: rounds between them that are not.
        turns: how many items were right or wrong before and after: (first right, last right) -> items.
        samples: an entry a kind, with `item` None where there is none.
    """

    n: int
    items_asked: int
    rounds: list[int]
    skipped: int
    turns: Mapping[tuple[bool, bool], int]
    samples: list[dict[str, Any]]


@dataclass(frozen=True)
class Words:
    """What was asked and said in a cell.

    Attributes:
        answers: its rows of ANSWERS.
        items: rows of ITEMS; none where no text may be shown.
        said: replies by request; empty where no text may be shown.
    """

    answers: pa.Table
    items: pa.Table | None
    said: Mapping[str, Reply]


def talk(words: Words, measures: pd.DataFrame, last: int) -> Talk | None:
    """What a team of readable size said.

    Args:
        measures: rows of MEASURES of the cell, of one k at each n.
        last: the round to look at beside the first.
    """
    sizes = [n for n in measures["n"].unique() if 1 < n <= READABLE] or [n for n in measures["n"].unique() if n > 1]
    if not sizes:
        return None
    n = max(sizes) if max(sizes) <= READABLE else min(sizes)
    rows = measures[(measures["n"] == n) & (measures["replicate"] == 1)]
    first, end = (_by_item(rows[rows["round"] == number]) for number in (1, last))
    both = {item: (first[item], end[item]) for item in first if item in end}
    seen = Counter((bool(before["team_correct"]), bool(after["team_correct"])) for before, after in both.values())
    turns = {pair: seen[pair] for pair in product((True, False), (True, False))}
    shown = list(range(1, last + 1)) if last <= COLUMNS else [1, 2, last]
    samples = list(_samples(words, both, shown))
    return Talk(int(n), len(both), shown, last - len(shown), turns, samples)


def _by_item(rows: pd.DataFrame) -> dict[str, Row]:
    return {row["item"]: row for row in rows[_OF_ITEM].to_dict("records")}


def chosen(items: Sequence[str]) -> list[str]:
    """Items in an order that nobody chose: by a hash of their name."""
    return sorted(items, key=lambda item: hashlib.sha256(item.encode()).digest())


def _samples(words: Words, both: Mapping[str, tuple[Row, Row]], rounds: list[int]) -> Iterator[dict[str, Any]]:
    """An item of each kind, none twice, with all that its team said."""
    order, taken = chosen(list(both)), set[str]()
    for kind in TALKED if rounds[-1] > 1 else SILENT:
        item = next((item for item in order if item not in taken and kind.fits(*both[item])), None)
        sample: dict[str, Any] = {"kind": kind.name, "nobody": kind.nobody, "item": item}
        if item:
            taken.add(item)
            last = both[item][1]
            answers = where(words.answers, item=item, **{name: last[name] for name in ("n", "k", "replicate")})
            sample |= {"agents": _agents(answers, rounds, words.said), "team": _team(both[item])}
            sample |= _question(where(words.items, item=item)[0]) if words.items else {"question": None}
        yield sample


def _team(both: tuple[Row, Row]) -> list[tuple[str, bool]]:
    """The team's answer, and whether it is right, in the first and the last round."""
    return [(named(row["team_answer"] or EMPTY), bool(row["team_correct"])) for row in both]


def _question(row: Mapping[str, Any]) -> dict[str, Any]:
    choices = [(letter, printable(text)) for letter, text in zip(LETTERS, row["choices"] or (), strict=False)]
    return {"question": printable(row["question"]), "choices": choices, "gold": row["gold"]}


def _agents(answers: Sequence[Answer], rounds: list[int], said: Mapping[str, Reply]) -> list[dict[str, Any]]:
    """A row an agent: its model, and what it said in each round."""
    seats: dict[int, dict[str, Any]] = {}
    for row in answers:
        if row["round"] in rounds:
            seat = seats.setdefault(row["agent"], {"agent": row["agent"], "model": row["model"], "turns": []})
            seat["turns"].append(_turn(row, said))
    return [seats[agent] for agent in sorted(seats)]


def _turn(answer: Answer, said: Mapping[str, Reply]) -> dict[str, Any]:
    text = printable(said[answer["request"]].text).strip() if said else None
    return {
        "answer": named(answer["answer"]) if answer["answer"] is not None else EMPTY,
        "mark": {True: "right", False: "wrong", None: "missing"}[answer["correct"]],
        "status": answer["status"],
        "parts": _clipped(text) if text is not None else None,
    }


def _clipped(text: str) -> list[str]:
    """A reply, or its head and tail and how much lies between."""
    left_out = len(text) - HEAD - TAIL
    if left_out < 100:
        return [text]
    return [text[:HEAD], f"{left_out:,} characters left out", text[-TAIL:]]
