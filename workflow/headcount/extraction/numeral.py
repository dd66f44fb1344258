r"""Numerals and their exact values.

A value is kept as a decimal, or as a reduced fraction where no decimal is exact, never as a float:
"5.0" is "5", "3.2e6" is "3200000", "1/3" is "1/3". Not read: number words ("twelve"), scale words
("1.5 million" is 1.5 of a unit that the question names), unevaluated sums ("16 - 3").
"""

import re
from decimal import Decimal
from fractions import Fraction

# Longer numbers and larger exponents are no answers: "1e999999999" has no writable value. 400
# digits hold every double.
MAX_DIGITS = 400

# Thousands are set off by , {,} \, {,\!} ' _ or a no-break space, always in groups of three.
_SEPARATOR = r"(?:,\\!|\{,(?:\\!)?\}|\\,|[,'_\u00a0\u2009\u202f])"
_DIGITS = rf"(?:[0-9]{{1,3}}(?:{_SEPARATOR}[0-9]{{3}}(?![0-9]))++|[0-9]++)"
NUMERAL = re.compile(
    rf"""(?<![A-Za-z0-9_.])
    (?P<sign>(?<![\w.)\]}}%])[-–+])?+ (?:\\?[$€£¥]\s?)?+ (?P<inner_sign>(?<=[$€£¥])-)?+
    (?: \\[dt]?frac\{{(?P<top>[0-9]{{1,40}})\}}\{{(?P<bottom>[0-9]{{1,40}})\}}
      | (?P<whole>(?:{_DIGITS}(?:\.[0-9]++)?+|\.[0-9]++))
        (?: [eE](?P<exponent>[-+]?[0-9]++)(?!\w)
          | \s?(?:×|x|\*|·|\\times|\\cdot)\s?10\s?\^\s?
            (?P<brace>\{{)?(?P<power>[-+]?[0-9]++)(?(brace)\}})
          | \s?/\s?(?P<over>{_DIGITS})(?![\w/]|\.[0-9])
          | \s(?P<mixed_top>[0-9]{{1,40}})/(?P<mixed_bottom>[0-9]{{1,40}})(?![\w/]|\.[0-9])
        )?+
    )""",
    re.VERBOSE,
)
_SEPARATORS = re.compile(r"[^0-9.]")


def value_of(numeral: re.Match[str]) -> str | None:
    """The canonical form of a match of `NUMERAL`; None if it is too large or a division by zero."""
    if not has_value(numeral):
        return None
    top, bottom = (
        numeral["top"] or numeral["mixed_top"],
        numeral["bottom"] or numeral["mixed_bottom"],
    )
    if top is None and numeral["over"] is None:
        return canonical(decimal_of(numeral))
    whole = Fraction(_digits(numeral["whole"] or "0"))
    below = Fraction(_digits(bottom or numeral["over"]))
    part = (whole if top is None else Fraction(top)) / below
    total = part if top is None else whole + part
    return canonical(-total if _is_negative(numeral) else total)


def canonical(value: Decimal | Fraction) -> str:
    """One text per value: "-0.75", "1200", or "1/3" where no decimal is exact.

    >>> canonical(Decimal("5.0")), canonical(Fraction(3, 4)), canonical(Fraction(-2, 6))
    ('5', '0.75', '-1/3')
    """
    if isinstance(value, Fraction):
        places = _decimal_places(value.denominator)
        if places is None:
            return str(value)
        value = Decimal(f"{value.numerator * 10**places // value.denominator}e-{places}")
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def _decimal_places(denominator: int) -> int | None:
    """How many decimals 1/denominator needs; None if no number of them is enough."""
    places = denominator.bit_length()
    if 10**places % denominator:
        return None
    return next(n for n in range(places + 1) if 10**n % denominator == 0)


def has_value(numeral: re.Match[str]) -> bool:
    """Whether the number has a value, of at most MAX_DIGITS digits on either side of the point."""
    if numeral.end() - numeral.start() > MAX_DIGITS:
        return False
    divisor = numeral["over"] or numeral["bottom"] or numeral["mixed_bottom"] or "1"
    exponent = numeral["exponent"] or numeral["power"] or "0"
    return divisor.strip("0") != "" and abs(int(exponent)) <= MAX_DIGITS


def decimal_of(numeral: re.Match[str]) -> Decimal:
    """Sign, digits and exponent of the match, exactly: arithmetic would round to 28 digits."""
    sign = "-" if _is_negative(numeral) else ""
    exponent = numeral["exponent"] or numeral["power"] or "0"
    return Decimal(f"{sign}{_digits(numeral['whole'])}e{exponent}")


def _is_negative(numeral: re.Match[str]) -> bool:
    return numeral["sign"] in ("-", "–") or numeral["inner_sign"] is not None


def _digits(written: str) -> str:
    return _SEPARATORS.sub("", written)
