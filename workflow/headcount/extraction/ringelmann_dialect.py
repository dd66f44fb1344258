"""The Ringelmann protocol's extraction chain (arXiv 2606.02646, spec/ringelmann.md section 1).

FINAL field, else ANSWER field ("ANSWER: X", "the answer is X"), else box (and `####` for numbers),
else the last stand-alone letter or number. Ours: the last field that states an answer wins; one
that states two is ambiguous; a FINAL field that declines ("None") or names a letter that is no
option forbids the fallback; the fallback never reads CONF or an echoed template.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from headcount.extraction import choice, number
from headcount.extraction.fields import MAX_TAGS, Field, find_boxes, find_fields
from headcount.extraction.reading import Found, Reading
from headcount.extraction.visible import blanked

_TAGS = ("final", "answer")
_NO_ANSWER = re.compile(
    r"""[\s*_`"'($<\[]*+(?:
        (?:none|null|nan|n/a|unknown|unclear|unsure|undefined|undetermined|cannot
           |not\ (?:sure|enough|given|determin[a-z]*))(?![a-z])
      | (?-i:[B-HJ-Z])(?:[\s*_`"')$>\].:,]*+\Z|[).:])
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TEMPLATE = re.compile(r"[\s*_`]*+[<\[]")

_ORDER = (("final", ("final",)), ("answer", ("answer", "prose")))


class _Readers(NamedTuple):
    """How one kind of answer is read at each kind of place."""

    field: Callable[[str, Field], Reading | None]
    box: Callable[[str, Field], Reading | None]
    boxes: tuple[str, ...]
    last: Callable[[str], Reading | None]
    fallback: str


_NUMBER = _Readers(
    field=number.read_field,
    box=number.read_head,
    boxes=("boxed", "hashes"),
    last=number.last_number,
    fallback="last_number",
)


@cache
def _choice(n_options: int) -> _Readers:
    return _Readers(
        field=partial(choice.read_field, n_options=n_options),
        box=partial(choice.read_head, n_options=n_options),
        boxes=("boxed",),
        last=partial(choice.last_letter, n_options=n_options),
        fallback="last_letter",
    )


def find_choice(text: str, n_options: int) -> Found:
    """The option that a visible text states."""
    found = _find(text, _choice(n_options))
    return found._replace(last_line=choice.closing_letter(text, n_options))


def find_number(text: str) -> Found:
    """The number that a visible text states."""
    return _find(text, _NUMBER)


def _find(text: str, readers: _Readers) -> Found:
    fields = find_fields(text)
    places = [field for field in fields if field.kind in (*_TAGS, "prose")][-MAX_TAGS:]
    stated = [(place, readers.field(text, place)) for place in places]
    reading, rule = _decide(text, fields, stated, readers)
    tagged = {said.value for place, said in stated if said and place.kind in _TAGS}
    return Found(
        reading,
        rule,
        confidence=confidence(text, fields),
        n_tags=sum(field.kind in _TAGS for field in fields),
        tags_disagree=len(tagged) > 1,
        last_line=None,
    )


def _decide(
    text: str, fields: list[Field], stated: list[tuple[Field, Reading | None]], readers: _Readers
) -> tuple[Reading | None, str]:
    """The chain itself. An ambiguous reading decides too: the agent spoke last there."""
    for rule, kinds in _ORDER:
        for place, reading in reversed(stated):
            if reading and place.kind in kinds:
                return reading, rule
    boxes = [box for box in find_boxes(text) if box.kind in readers.boxes]
    for box in reversed(boxes[-MAX_TAGS:]):
        if reading := readers.box(text, box):
            return reading, box.kind
    if any(place.kind == "final" and _states_none(text, place) for place, _ in stated):
        return None, ""
    reading = readers.last(_without_templates(text, fields))
    return reading, readers.fallback if reading else ""


def _states_none(text: str, field: Field) -> bool:
    """Whether the field declines to answer, or names a letter that is no option."""
    return _NO_ANSWER.match(text, field.start, field.end) is not None


def confidence(text: str, fields: list[Field]) -> float | None:
    """The last CONF field that holds a number, clamped to 0..100 (not rescaled: 0.8 is 0.8)."""
    confs = [field for field in fields if field.kind == "conf"]
    for conf in reversed(confs[-MAX_TAGS:]):
        if (value := number.leading_number(text, conf)) is not None:
            return min(max(float(value), 0.0), 100.0)
    return None


def _without_templates(text: str, fields: list[Field]) -> str:
    """The text with CONF fields and echoed templates ("FINAL: <A, B, C, or D>") blanked out."""
    return blanked(
        text,
        (
            (field.start, field.end)
            for field in fields
            if field.kind == "conf" or _TEMPLATE.match(text, field.start, field.end)
        ),
    )
