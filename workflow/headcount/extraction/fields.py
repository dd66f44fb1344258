"""Where a reply states something: `FINAL:`, `ANSWER:`, "the answer is", `CONF:`, a box, `####`."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, cast

FieldKind = Literal["final", "answer", "prose", "conf", "rationale", "boxed", "hashes"]

# Every quantifier is bounded or possessive: the time is linear in the reply's length.
_KEY = re.compile(
    r"""(?<![\w-])(?:
        (?P<final>     final(?:[\s_]{1,3}answer)? )[\s*_`"]{0,8}+:
      | (?P<conf>      conf(?:idence)?           )[\s*_`"]{0,8}+:
      | (?P<rationale> rationale                 )[\s*_`"]{0,8}+:
      | answer(?:\s{1,3}(?:choice|option))?
        (?: (?P<answer>)[\s*_`"]{0,8}+:
          | (?P<prose>)\s{1,3}(?:is|would\ be|should\ be|must\ be)\b[\s*_`"]{0,8}+:? )
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_MARKUP = re.compile(r"[\s*_`]*+")

# A box may hold two levels of braces: \boxed{\text{1{,}200}}.
_BOX = re.compile(r"\\f?box(?:ed)?\s{0,3}\{((?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+)\}|####([^\n#]++)")

# A reply with more tags than this runs in a loop: only the last of them are read.
MAX_TAGS = 1000


class Field(NamedTuple):
    """A stated value: text[start:end], without the key."""

    kind: FieldKind
    start: int
    end: int


def find_fields(text: str) -> list[Field]:
    """All keyed fields, in order.

    A value ends with its line or before the next key. It may begin on a later line than its key,
    as in "Final Answer:", blank line, "B".
    """
    keys = list(_KEY.finditer(text))
    ends = [key.start() for key in keys[1:]] + [len(text)]
    return [_field(text, key, end) for key, end in zip(keys, ends, strict=False)]


class Section(NamedTuple):
    """A key and all that follows it before the next: the key at text[key:start], what it heads at text[start:end]."""

    kind: FieldKind
    key: int
    start: int
    end: int


def find_sections(text: str) -> list[Section]:
    """All keys with what they head, over as many lines as it is, in order."""
    keys = list(_KEY.finditer(text))
    ends = [key.start() for key in keys[1:]] + [len(text)]
    return [
        Section(cast(FieldKind, key.lastgroup), key.start(), key.end(), end)
        for key, end in zip(keys, ends, strict=False)
    ]


def _field(text: str, key: re.Match[str], limit: int) -> Field:
    markup = _MARKUP.match(text, key.end(), limit)
    start = markup.end() if markup else key.end()
    line_end = text.find("\n", start, limit)
    return Field(cast(FieldKind, key.lastgroup), start, limit if line_end < 0 else line_end)


def find_boxes(text: str) -> Iterator[Field]:
    r"""All `\boxed{...}` and `#### ...`, in order. An unclosed box holds nothing."""
    if "\\" not in text and "####" not in text:
        return
    for box in _BOX.finditer(text):
        group = 1 if box[1] is not None else 2
        yield Field("boxed" if group == 1 else "hashes", box.start(group), box.end(group))
