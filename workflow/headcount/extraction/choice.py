r"""Reads option letters.

The difficulty is not to find letters but to know which are options: "A" is an article, "I" a
pronoun, "E = mc^2" a formula, "B-cell" a word, \Delta E a symbol.
"""

import re
from functools import cache
from typing import NamedTuple

from headcount.extraction.fields import Field
from headcount.extraction.reading import Reading

MAX_OPTIONS = 10
LETTERS = "ABCDEFGHIJ"

# What may stand before a letter: blanks, markdown, brackets, quotes, emoji, LaTeX wrappers.
_OPEN = r"""(?:[\s*_`"'$(\[{<>\#~:-]|[^\x00-\x7f\w]
              |\\(?:f?box(?:ed)?|mbox|text[a-z]*+|math[a-z]*+|left|bf|rm|[(\[,;!\ ]))*+"""
_LEAD = rf"""(?:(?i:therefore|thus|probably|likely|most|clearly|simply|indeed|the|correct|answer
              |option|choice|letter|both|either)\b{_OPEN})*+"""

# What may not follow a letter: more of a word, a subscript, a call, a relation, a LaTeX symbol.
_ALONE = r"""(?![^\W_]|_[^\W_]|['-][^\W_]|[(\[]|\s*(?:[=^+≤≥≈]|\\(?!text|quad|n\b)[a-zA-Z]|[<>]\s))"""
_GOES_ON_A = "is|was|and|or|because|since|as|with|but|due|for|which|has|seems|matches|gives|by|from"
_GOES_ON_I = "is|because|since|and|or|which|as|matches|gives"
# "A bit" is an article and "I am" a pronoun, whereas "A is right" and "A because" name an option.
_NO_WORD = rf"""(?:(?<![AI])|(?<=A)(?!\s+(?!(?:{_GOES_ON_A})\b)[a-z])
                           |(?<=I)(?!\s+(?!(?:{_GOES_ON_I})\b)[a-z]))"""

_CLOSE = r"""[\s*_`"'$)\]}>]*+"""
_JOIN = rf"""{_CLOSE}(?:[,/&;|]\s*+(?i:(?:and|or)\b)?|(?i:and|or|nor)\b){_OPEN}(?i:option\s)?{_OPEN}"""


class _Patterns(NamedTuple):
    """The ways to meet a letter among `n_options`."""

    head: re.Pattern[str]
    joined: re.Pattern[str]
    marked: re.Pattern[str]
    loose: re.Pattern[str]
    line: re.Pattern[str]


@cache
def _patterns(n_options: int) -> _Patterns:
    upper, lower = f"[A-{LETTERS[n_options - 1]}]", f"[a-{LETTERS[n_options - 1].lower()}]"
    option = rf"{upper}{_ALONE}{_NO_WORD}"
    # Lower case counts only where nothing but an option can stand: "c", "(c)", "c. 550 nm".
    small = rf"""{lower}(?=[\s*_`"'$.,;!]*\Z|[)\]\}}]|[.:]\s)"""
    # In prose, A and I count only with the marks of an option around them.
    marks = r"[).:*\"\]}]"
    unmarked_words = rf"(?!A\s+(?!(?:{_GOES_ON_A})\b)\w|I(?!{marks}|\s*\Z))"
    loose = rf"""(?<![^\W_])(?<!\w[_'-])(?<![°\\^.$])(?<![0-9]\s)(?<![=+]\s)(?<![=+])
                 (?:{unmarked_words}|(?<=[(*"]))({upper}){_ALONE}"""
    return _Patterns(
        head=re.compile(rf"{_OPEN}{_LEAD}({option}|{small})", re.VERBOSE),
        joined=re.compile(rf"{_JOIN}({option})", re.VERBOSE),
        marked=re.compile(rf"(?<!\w)(?:\(({upper})\)|\*\*({upper})\*\*)"),
        loose=re.compile(loose, re.VERBOSE),
        line=re.compile(rf"^[ \t*(]*+({upper}|{lower})[ \t*).]*+$", re.MULTILINE),
    )


def read_head(text: str, field: Field, n_options: int) -> Reading | None:
    """The option a stated value begins with.

    Returns:
        None if it begins with no option, or is a placeholder as in "<A, B, C, or D>"; a reading
        without value if a different option is joined to the first, as in "A and C".
    """
    patterns = _patterns(n_options)
    head = patterns.head.match(text, field.start, field.end)
    if head is None or (field.kind == "prose" and head[1].islower() and not _wrapped(text, head)):
        return None
    letter, joined = head[1].upper(), patterns.joined.match(text, head.end(), field.end)
    while joined and joined[1] == letter:
        joined = patterns.joined.match(text, joined.end(), field.end)
    if joined is None:
        return Reading(letter, head.start(1), head.end(1))
    in_template = "<" in head[0] or "[" in head[0]
    return None if in_template else Reading(None, head.start(1), joined.end(1))


def _wrapped(text: str, head: re.Match[str]) -> bool:
    """Whether a lower-case letter has a bracket or bold mark before it: "(c)" but not "c."."""
    return text[head.start(1) - 1] in "({[*"


def read_field(text: str, field: Field, n_options: int) -> Reading | None:
    """The option of a FINAL or ANSWER field: at its head, else the one marked "(B)" or "**B**"."""
    reading = read_head(text, field, n_options)
    if reading is not None or field.kind == "prose":
        return reading
    marks = list(_patterns(n_options).marked.finditer(text, field.start, field.end))
    if not marks:
        return None
    first, last = marks[0], marks[-1]
    agree = len({mark[1] or mark[2] for mark in marks}) == 1
    group = first.lastindex or 0
    if agree:
        return Reading(first[group], first.start(group), first.end(group))
    return Reading(None, first.start(), last.end())


def last_letter(text: str, n_options: int) -> Reading | None:
    """The last stand-alone option letter of the text, articles and pronouns left out."""
    last = None
    for last in _patterns(n_options).loose.finditer(text):  # noqa: B007
        pass
    return None if last is None else Reading(last[1], last.start(1), last.end(1))


def letter_line(text: str, n_options: int) -> Reading | None:
    """The last line that is nothing but an option letter: "B", "(b)", "**B**", "B."."""
    last = None
    for last in _patterns(n_options).line.finditer(text):  # noqa: B007
        pass
    return None if last is None else Reading(last[1].upper(), last.start(1), last.end(1))


def closing_letter(text: str, n_options: int) -> str | None:
    """The option letter if the last line with text is nothing but that."""
    stripped = text.rstrip()
    line = _patterns(n_options).line.match(stripped, stripped.rfind("\n") + 1)
    return None if line is None else line[1].upper()
