"""The transition ledger's extraction chain (arXiv 2609.35279, spec/ledger.md section 2).

P1 the last `Final Answer: X`; P2 "answer is X", "choose X", "answer: X", in this order, each at
its first upper-case option; P3 from the end, a line that is only a letter; P4 the last stand-alone
letter. The first rule that yields one of the question's letters wins. Ours, against the reference:
the last tag counts (D4), "a" and "I" in prose are words (D5), a tag that names two options is
ambiguous.

The audit parsers need no text: `no_fallback` drops status `fallback`, and `tag_only` is below.
"""

import re

from headcount.extraction.choice import (
    closing_letter,
    last_letter,
    letter_line,
    read_field,
    read_head,
)
from headcount.extraction.fields import MAX_TAGS, Field
from headcount.extraction.reading import Extraction, Found, Reading

_TAG = re.compile(r"final\s{1,3}answer[\s*_`]{0,8}+:[\s*_`]*+", re.IGNORECASE)
_SAYS = (
    re.compile(r"\banswer\s{1,3}is[\s*_`]{0,8}+:?", re.IGNORECASE),
    re.compile(r"\b(?:choose|select|pick)\b", re.IGNORECASE),
    re.compile(r"\banswer[\s*_`]{0,8}+:", re.IGNORECASE),
)


def find_ledger_choice(text: str, n_options: int) -> Found:
    """The option that a visible text states."""
    n_tags, tags = _tags(text, n_options)
    stated = [tag for tag in tags if tag]
    reading, rule = (stated[-1], "p1_tag") if stated else _untagged(text, n_options)
    return Found(
        reading,
        rule if reading else "",
        confidence=None,
        n_tags=n_tags,
        tags_disagree=len({tag.value for tag in stated}) > 1,
        last_line=closing_letter(text, n_options),
    )


def tag_only(extraction: Extraction) -> str | None:
    """What the strict audit parser reads: the last tag, else a last line that is one letter."""
    tagged = extraction.rule == "p1_tag"
    return extraction.value if tagged else extraction.last_line


def _tags(text: str, n_options: int) -> tuple[int, list[Reading | None]]:
    """How many `Final Answer:` there are, and what the last of them state, each on its line."""
    tags = list(_TAG.finditer(text))
    ends = [tag.start() for tag in tags[1:]] + [len(text)]
    fields = [_line(text, tag.end(), end) for tag, end in zip(tags, ends, strict=False)]
    return len(tags), [read_field(text, field, n_options) for field in fields[-MAX_TAGS:]]


def _line(text: str, start: int, limit: int) -> Field:
    end = text.find("\n", start, limit)
    return Field("final", start, limit if end < 0 else end)


def _untagged(text: str, n_options: int) -> tuple[Reading | None, str]:
    if reading := _said(text, n_options):
        return reading, "p2_answer_is"
    if reading := letter_line(text, n_options):
        return reading, "p3_line"
    return last_letter(text, n_options), "p4_letter"


def _said(text: str, n_options: int) -> Reading | None:
    """The first upper-case option that follows a phrase, phrase by phrase."""
    for phrase in _SAYS:
        for said in phrase.finditer(text):
            # An option follows at once or not at all: a bounded look keeps the time linear.
            field = Field("prose", said.end(), min(said.end() + 80, len(text)))
            reading = read_head(text, field, n_options)
            if reading and text[reading.start].isupper():
                return reading
    return None
