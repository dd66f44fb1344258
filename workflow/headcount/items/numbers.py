"""Exact decimals in one spelling, so that equal numbers are equal texts."""

import re
from decimal import Decimal

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_LONGEST = 400


def exact(text: str) -> str | None:
    """A number's plain digits: "5.0", "+5" and "5e0" are "5", "-0" is "0"; None for anything else.

    No float on the way: "0.10000000000000000001" keeps its digits.
    """
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        return None
    plain = format(Decimal(text), "f")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if plain == "-0" else plain
