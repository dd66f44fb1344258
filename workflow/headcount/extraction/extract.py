"""The answer of one reply: the library's single way from text to value.

The steps, each in its own module: what of the text counts (`visible`), where it states something
(`fields`, `blocks`), what letter (`choice`), number (`number`) or program (`program`) stands there,
and in which order the places are asked (`ringelmann_dialect`, `ledger_dialect`, `program`). No answer
is not a wrong answer: it is None, with a status that says why.
"""

import re

from headcount.engines.questions import Kind
from headcount.extraction.choice import MAX_OPTIONS
from headcount.extraction.ledger_dialect import find_ledger_choice
from headcount.extraction.program import Stub, find_program
from headcount.extraction.reading import Dialect, Extraction, Found, Status
from headcount.extraction.ringelmann_dialect import find_choice, find_number
from headcount.extraction.visible import plain, without_thinking

_UNFINISHED = re.compile(r"[.,/'_eE+-]*")  # what a number may go on with
_FALLBACKS = ("last_letter", "last_number", "p4_letter", "broken", "renamed")


def extract(
    text: str,
    kind: Kind,
    n_options: int | None,
    dialect: Dialect = "ringelmann",
    finish_reason: str | None = None,
    stub: Stub | None = None,
) -> Extraction:
    """Extract the answer of a reply.

    Args:
        text: the reply as the engine gave it.
        kind: `choice` reads an option letter, `number` an exact number, `code` a program.
        n_options: how many options the item has (1 to 10); None for other kinds.
        dialect: whose chain of rules; `ledger` knows choices only.
        finish_reason: the engine's; "length" marks a reply that was cut.
        stub: of a program: the function that was to be completed.

    Returns:
        See `Extraction`.
    """
    visible, open_thought = without_thinking(plain(text))
    cut = finish_reason == "length"
    found = Found(None, "", None, 0, False, None)
    if not open_thought and stub:
        found = find_program(text, visible, stub, cut=cut)
    elif not open_thought:
        found = _find(visible, kind, n_options, dialect)
    if cut and kind == "number" and found.reading and _UNFINISHED.fullmatch(text, found.reading.end):
        # The cut may have taken digits: "FINAL: 12" of "FINAL: 120", "FINAL: 1," of "FINAL: 1,200".
        found = found._replace(reading=None, rule="")
    return _judge(found, cut=cut, open_thought=open_thought)


def _find(text: str, kind: Kind, n_options: int | None, dialect: Dialect) -> Found:
    if kind == "number":
        if dialect != "ringelmann":
            raise ValueError(f"dialect {dialect!r} reads choices only, not kind {kind!r}")
        return find_number(text)
    if n_options is None or not 1 <= n_options <= MAX_OPTIONS:
        raise ValueError(f"a choice has 1 to {MAX_OPTIONS} options, not {n_options}")
    return (find_ledger_choice if dialect == "ledger" else find_choice)(text, n_options)


def _judge(found: Found, *, cut: bool, open_thought: bool) -> Extraction:
    status: Status
    value, start, end = found.reading or (None, -1, -1)
    if found.reading is None:
        status = "truncated" if cut else "missing"
    elif value is None:
        status, start, end = "ambiguous", -1, -1
    else:
        status = "fallback" if found.rule in _FALLBACKS else "parsed"
    return Extraction(
        value=value,
        status=status,
        rule=found.rule,
        confidence=found.confidence,
        n_tags=found.n_tags,
        tags_disagree=found.tags_disagree,
        truncated=cut or open_thought,
        start=start,
        end=end,
        last_line=found.last_line,
    )
