"""What programs in replies do: each distinct one is run once, in a sandbox, on every assertion of its item's check."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import pyarrow as pa

from headcount.answers.code_axes import pass_vector, split_assertions
from headcount.engines.questions import Question, questions
from headcount.extraction.extract import extract
from headcount.extraction.program import Stub
from headcount.extraction.reading import Extraction
from headcount.sandbox.open import open_sandbox
from headcount.sandbox.run import Outcome, Trial
from headcount.schema import VERDICTS
from headcount.store import conform

Key = tuple[str, str]  # item, and what its program hashes to


def judge(items: pa.Table, replies: Iterable[pa.Table], known: pa.Table | None, threads: int) -> pa.Table:
    """The verdicts on all programs in some replies.

    Args:
        items: rows of ITEMS that ask for programs.
        replies: rows of DRAWS and TURNS.
        known: verdicts that need not be found again, from a release.
        threads: how many programs run at once.

    Returns:
        rows of VERDICTS; of known ones those on programs in the replies.

    Raises:
        UserError: there is something to run, and no sandbox on this machine.
    """
    asked, released = questions(items), by_program(known)
    stated = dict(_stated(asked, replies))
    trials = {key: _trial(asked[key[0]], program) for key, program in stated.items() if key not in released}
    rows = [released[key] for key in stated if key in released]
    if trials:
        with open_sandbox() as sandbox:
            found = sandbox.all_outcomes(list(trials.values()), threads)
        rows += [_row(key, outcomes) for key, outcomes in zip(trials, found, strict=True)]
    return conform(pa.Table.from_pylist(rows, schema=VERDICTS.schema), VERDICTS, "verdicts")


def read_program(item: Question, reply: Mapping[Any, Any]) -> Extraction:
    """The program that a reply to an item states, with where and how."""
    return extract(str(reply["text"]), "code", None, finish_reason=str(reply["finish_reason"]), stub=_stub(item))


def key_of(item: str, program: str) -> Key:
    """Where the verdict on a program stands."""
    return item, hashlib.sha256(program.encode("utf-8", "surrogatepass")).hexdigest()


def by_program(verdicts: pa.Table | None) -> dict[Key, dict[str, Any]]:
    """Rows of VERDICTS by what they are on."""
    return {(row["item"], row["program"]): row for row in (verdicts.to_pylist() if verdicts else ())}


def _stated(asked: Mapping[str, Question], replies: Iterable[pa.Table]) -> Iterator[tuple[Key, str]]:
    """Every program that a reply states."""
    for table in replies:
        for reply in table.select(["item", "text", "finish_reason"]).to_pylist():
            program = read_program(asked[reply["item"]], reply).value
            if program is not None:
                yield key_of(reply["item"], program), program


def _trial(item: Question, program: str) -> Trial:
    assert item.code
    return Trial(_stub(item).before, program, _assertions(item.code.check), item.code.entry_point)


@cache
def _assertions(check: str) -> tuple[str, ...]:
    return tuple(split_assertions(check))


def _stub(item: Question) -> Stub:
    assert item.code
    return Stub(item.question, item.code.entry_point)


def _row(key: Key, outcomes: list[Outcome]) -> dict[str, Any]:
    passed = pass_vector([outcome == "passed" for outcome in outcomes])
    return {"item": key[0], "program": key[1], "passed": passed, "outcomes": outcomes}
