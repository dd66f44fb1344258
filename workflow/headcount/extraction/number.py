"""Reads the number that a place in a reply states."""

import re
from decimal import Decimal

from headcount.extraction.fields import Field
from headcount.extraction.numeral import NUMERAL, decimal_of, has_value, value_of
from headcount.extraction.reading import Reading

# A number that one of these follows is a part of something longer: "16 - 3", "2^5", "3 or 4".
_GOES_ON = re.compile(
    r"""(?:[\s*_$]*+(?:[-–+*/×·^÷]|\\(?:times|cdot|div|pm)|or\b|to\b)[\s*_$\\(]*+[0-9]
              |(?:[,'.:x]|\s)[0-9]|\\[dt]?frac|\^)""",
    re.VERBOSE,
)
_HEAD = re.compile(
    r"""(?:[\s*_`"'($\[{<>\#~:≈=-]|[^\x00-\x7f\w]
          |\\(?:f?box(?:ed)?|text[a-z]*+|math[a-z]*+|left|approx|[(\[,;!\ ])
          |(?i:approximately|about|around|roughly|exactly|therefore|thus|simply|just|only|the
              |answer|is|rs|usd)\b)*+""",
    re.VERBOSE,
)
# An echoed template: "<integer>", "<0-100>".
_PLACEHOLDER = re.compile(r"[\s*_`]*+[<\[](?=[^<>\[\]A-Za-z]*+[A-Za-z]|[0-9]++\s?-)[^<>\[\]]*+[>\]]")
# Where the statement of a value ends and remarks begin: "42. Since x = 7", "42 (as x = 7)".
_STATED = re.compile(r"[.;,!?]\s|(?<=[\w%$*])\s\(|\b(?:because|since|where|as|if|when)\b")


def read_head(text: str, field: Field) -> Reading | None:
    """The number a stated value begins with, alone or as the right-hand side of an equation.

    Returns:
        None if there is no number at the head; a reading without value if another number is
        joined to it, as in "10 or 12" and "16 - 3".
    """
    stated = _STATED.search(text, field.start, field.end)
    end = stated.start() if stated else field.end
    number = _at_head(text, _right_hand_side(text, field.start, end), end)
    return None if number is None else _reading(text, number, field.end)


def read_field(text: str, field: Field) -> Reading | None:
    """The number of a FINAL or ANSWER field: at its head, else the only one in it.

    Returns:
        None if there is no number, or a placeholder as in "<integer>"; a reading without value if
        the field holds several numbers, none of them at its head.
    """
    if _PLACEHOLDER.match(text, field.start, field.end):
        return None
    reading = read_head(text, field)
    if reading is not None or field.kind == "prose":
        return reading
    start = _right_hand_side(text, field.start, field.end)
    numbers = list(NUMERAL.finditer(text, start, field.end))
    if len({value_of(number) for number in numbers}) > 1:
        return Reading(None, numbers[0].start(), numbers[-1].end())
    return _reading(text, numbers[0], field.end) if numbers else None


def last_number(text: str) -> Reading | None:
    """The last number of the text."""
    last = None
    for number in NUMERAL.finditer(text):
        last = number if has_value(number) else last
    return None if last is None else Reading(value_of(last), last.start(), last.end())


def leading_number(text: str, field: Field) -> Decimal | None:
    """The number at the head of a CONF field, whatever follows it ("85%", "90/100")."""
    if _PLACEHOLDER.match(text, field.start, field.end):
        return None
    number = _at_head(text, field.start, field.end)
    if number is None or number["whole"] is None or not has_value(number):
        return None
    return decimal_of(number)


def _right_hand_side(text: str, start: int, end: int) -> int:
    """Where the last equation's right-hand side starts; `start` if there is none with a number."""
    relation = max(text.rfind("=", start, end), text.rfind("≈", start, end))
    return relation + 1 if relation >= 0 and NUMERAL.search(text, relation + 1, end) else start


def _at_head(text: str, start: int, end: int) -> re.Match[str] | None:
    """The first number, if nothing but marks and words such as "about" stands before it."""
    number, head = NUMERAL.search(text, start, end), _HEAD.match(text, start, end)
    return number if number and head and number.start() <= head.end() else None


def _reading(text: str, number: re.Match[str], end: int) -> Reading | None:
    """The number as a reading: without value if it goes on, None if it has no value."""
    if _GOES_ON.match(text, number.end(), end):
        return Reading(None, number.start(), number.end())
    value = value_of(number)
    return None if value is None else Reading(value, number.start(), number.end())
