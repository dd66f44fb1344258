"""What reading a reply gives: the words that the other modules of extraction share."""

from typing import Literal, NamedTuple

Dialect = Literal["ringelmann", "ledger"]
Status = Literal["parsed", "fallback", "missing", "truncated", "ambiguous"]


class Reading(NamedTuple):
    """A value, and where in the reply it stands.

    `value` is None where the place names two different answers: that is a reading (the agent
    spoke), but not an answer.
    """

    value: str | None
    start: int
    end: int


class Found(NamedTuple):
    """What a dialect found in the visible text of a reply, before the reply's end is judged."""

    reading: Reading | None
    rule: str
    confidence: float | None
    n_tags: int
    tags_disagree: bool
    last_line: str | None


class Extraction(NamedTuple):
    """The answer of one reply, and enough about it to redo every audit without the text.

    value: option letter A..J, exact decimal ("42", "-0.75"), reduced fraction ("1/3") or source of a
        program; None if there is none.
    status: `parsed` a field, tag, box or block states it; `fallback` it is the last letter or number of a
        reply that states none, or a program that cannot be what was asked for; `missing` no answer;
        `truncated` no answer and the reply was cut; `ambiguous` the deciding field names two answers.
    rule: which rule decided, "" if none (see `ringelmann_dialect`, `ledger_dialect` and `program`).
    confidence: the CONF field, clamped to 0..100; None if the reply has none.
    n_tags: how many answer tags the reply holds, readable or not.
    tags_disagree: two of them state different answers.
    truncated: the engine stopped at its length limit, or a think block never closes.
    start, end: the span of the value in the original text; -1 if there is no value.
    last_line: the option letter if the last line with text is nothing but a letter (for the ledger
        audit `tag_only`); None otherwise.
    """

    value: str | None
    status: Status
    rule: str
    confidence: float | None
    n_tags: int
    tags_disagree: bool
    truncated: bool
    start: int
    end: int
    last_line: str | None = None
