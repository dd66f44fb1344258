"""A team's replies as answers: every turn in its place, round 1 included, each reply read once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.answers.code_axes import canonical_code
from headcount.answers.verdicts import Key, by_program, key_of, read_program
from headcount.axes import code_task
from headcount.config import Config, Team
from headcount.debate.planner import NESTED, Cell, Shape
from headcount.engines.questions import Question, questions
from headcount.errors import UserError
from headcount.extraction.extract import extract
from headcount.extraction.reading import Dialect, Extraction
from headcount.store import plain

_KEYS = ["task", "condition", "item", "replicate", "n", "k", "round", "agent"]
_TOKENS = ["prompt_tokens", "completion_tokens"]
_REPLY = ["model", "request", *_TOKENS]


@dataclass(frozen=True)
class Replies:
    """The stored replies that a cell is made of."""

    draws: Mapping[str, pa.Table]  # by model
    turns: pa.Table | None  # none for self_consistency
    verdicts: pa.Table | None = None  # on the programs in them, where programs were asked for


def answer_cell(config: Config, cell: Cell, items: pa.Table, replies: Replies) -> pd.DataFrame:
    """The answers of a cell: columns of ANSWERS, a row for every agent of every team in every round.

    Where programs were asked for, twice that: what each passes under the task's name, and how it is written under the
    name of its code axis.

    Round 1 stands with every team that starts from it. Where nobody is heard (a team of one in debate and noise)
    later rounds repeat it, at no tokens.
    """
    known = questions(items)
    draws = pd.concat([plain(table).assign(model=model) for model, table in sorted(replies.draws.items())])
    turns = plain(replies.turns) if replies.turns is not None else draws.head(0)
    dialect = config.protocol.dialect
    read = _read_all(known, pd.concat([draws, turns]), by_program(replies.verdicts), dialect)
    rows = pd.concat([*_rounds(config, cell, draws), turns.reindex(columns=[*_KEYS[2:], *_REPLY])])
    check_complete(
        cell, Counter(zip(rows["n"], rows["k"], strict=True)), len(known), "Delete the cell's turns and run again"
    )
    rows = rows.assign(task=cell.task, condition=cell.condition).merge(read, on="request", validate="many_to_one")
    rows["temperature"] = _temperatures(config, cell, rows)
    return _both_axes(rows, cell.task) if "code" in rows else rows


def _rounds(config: Config, cell: Cell, draws: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Round 1 of every team, and its repetitions where nobody is heard."""
    team = config.teams[cell.team]
    for shape in cell.shapes:
        label = NESTED if config.protocol.nesting == "nested" else shape.n
        first = _seated(draws[(draws["n"] == label) & (draws["replicate"] <= shape.replicates)], team, shape)
        yield first
        if cell.condition != "self_correction" and not shape.speaks:
            for round_ in range(2, shape.updates + 2):
                yield first.assign(round=round_, prompt_tokens=0, completion_tokens=0)


def _seated(draws: pd.DataFrame, team: Team, shape: Shape) -> pd.DataFrame:
    """A model's draws in the seats of a team."""
    agents = range(1, shape.n + 1)
    seats = pd.DataFrame({"seat": agents, "model": map(team.member, agents), "agent": map(team.slot, agents)})
    rows = draws.merge(seats, on=["model", "agent"]).drop(columns="agent").rename(columns={"seat": "agent"})
    return rows.assign(n=shape.n, k=shape.k, round=1)[[*_KEYS[2:], *_REPLY]]


def _both_axes(rows: pd.DataFrame, task: str) -> pd.DataFrame:
    """Rows with programs' pass vectors as answers, and again with their canonical code.

    A program that does not parse fails everything, but has no code to agree on.
    """
    unwritten = rows["answer"].notna() & rows["code"].isna()
    coded = rows.assign(task=code_task(task), answer=rows["code"], status=rows["status"].mask(unwritten, "missing"))
    coded["correct"] = rows["correct"].mask(unwritten, None)
    return pd.concat([rows, coded]).drop(columns="code")


def _read_all(
    items: Mapping[str, Question],
    replies: pd.DataFrame,
    verdicts: Mapping[Key, Mapping[str, Any]],
    dialect: Dialect,
) -> pd.DataFrame:
    """Each distinct reply, read: the columns that extraction gives, by request; of programs `code` beside them."""
    distinct = replies.drop_duplicates("request")
    return pd.DataFrame.from_records(
        [
            _read_code(item, row, verdicts) if item.code else reading(item, row, dialect)
            for row in distinct.to_dict("records")
            for item in [items[row["item"]]]
        ]
    )


def reading(item: Question, reply: Mapping[Any, Any], dialect: Dialect) -> dict[str, Any]:
    """A reply, read: the columns of a schema's EXTRACTED, and `request`.

    Args:
        reply: columns of a schema's RESPONSE.
    """
    text, finish = str(reply["text"]), str(reply["finish_reason"])
    found = extract(text, item.kind, len(item.letters) or None, dialect, finish_reason=finish)
    return _answer(reply, found) | {"correct": None if found.value is None else is_correct(found.value, item)}


def _read_code(
    item: Question, reply: Mapping[Any, Any], verdicts: Mapping[Key, Mapping[str, Any]]
) -> dict[str, object]:
    found = read_program(item, reply)
    if found.value is None:
        return _answer(reply, found) | {"code": None, "correct": None}
    verdict = verdicts.get(key_of(item.id, found.value))
    if verdict is None:
        raise UserError(f"No verdict on the program of request {reply['request']}. Delete the verdicts and run again.")
    passed = str(verdict["passed"])
    return _answer(reply, found) | {"answer": passed, "code": canonical_code(found.value), "correct": "0" not in passed}


def _answer(reply: Mapping[Any, Any], found: Extraction) -> dict[str, object]:
    return {
        "request": reply["request"],
        "answer": found.value,
        "status": found.status,
        "rule": found.rule,
        "confidence": found.confidence,
        "n_tags": found.n_tags,
        "tags_disagree": found.tags_disagree,
        "truncated": found.truncated,
        "logprob": _logprob(reply, found.start, found.end),
    }


def is_correct(value: str, item: Question) -> bool:
    """Whether an extracted value is an item's answer: the letter, or a number that equals it exactly."""
    return value == item.gold if item.choices else Fraction(value) == Fraction(item.gold)


def _logprob(reply: Mapping[Any, Any], start: int, end: int) -> float | None:
    """Summed log-probability of the tokens that spell the characters from start to end."""
    ends, logprobs = reply["token_ends"], reply["token_logprobs"]
    if start < 0 or ends is None or logprobs is None:
        return None
    ends, starts = np.asarray(ends), np.concatenate([[0], np.asarray(ends)[:-1]])
    return float(np.asarray(logprobs)[(ends > start) & (starts < end)].sum())


def _temperatures(config: Config, cell: Cell, rows: pd.DataFrame) -> pd.Series:
    team = config.teams[cell.team]
    agents = rows["agent"].unique()
    return rows["agent"].map({a: config.models[team.member(a)].sampling.of_agent(team.slot(a)) for a in agents})


def check_complete(cell: Cell, have: Mapping[tuple[int, int], int], items: int, remedy: str) -> None:
    """Every agent of every team answers every item in every round, or a stage before this one is at fault.

    Args:
        have: how many answers there are, by n and k.
        items: how many items the cell has.
        remedy: what to do, named in errors.
    """
    for shape in cell.shapes:
        want = items * shape.n * (shape.updates + 1) * shape.replicates
        if have.get((shape.n, shape.k), 0) != want:
            raise UserError(
                f"{cell.team} / {cell.task} / {cell.condition}: teams of {shape.n} hearing {shape.k} have "
                f"{have.get((shape.n, shape.k), 0)} turns, and need {want}. {remedy}."
            )
