"""The edges of what is read as a number: the longest, the smallest, and where it stands."""

import pytest

from headcount.extraction.extract import extract


def number(text: str):
    return extract(text, "number", None)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("\u20135", "-5"),  # an en dash is a minus
        ("+5", "5"),
        ("\\frac{6}{8}", "0.75"),
        ("-\\frac{1}{3}", "-1/3"),
        ("-1/3", "-1/3"),
        ("1,200/7", "1200/7"),
        ("7/1,200", "7/1200"),
        ("-2 1/3", "-7/3"),
        ("2 1/4", "2.25"),
        ("1/1024", "0.0009765625"),  # as many decimals as bits: ten
        ("3/1000", "0.003"),
        (".5", "0.5"),
        ("100", "100"),
        ("100.10", "100.1"),
        ("1e3", "1000"),
        ("-1e-3", "-0.001"),
        ("2 \\times 10^{-3}", "0.002"),
        ("\u20ac-7", "-7"),
    ],
)
def test_a_number_has_one_exact_text(written, value):
    assert number(f"FINAL: {written}")[:2] == (value, "parsed")


@pytest.mark.parametrize("written", ["\\frac{5}{0}", "3 1/0", "5/0", "5/00"])
def test_nothing_divided_by_zero_is_a_number(written):
    assert number(f"FINAL: {written}")[:2] == (None, "missing")


def test_the_longest_numbers_have_four_hundred_digits():
    assert number("FINAL: " + "9" * 400).value == "9" * 400
    assert number("FINAL: " + "9" * 401).value is None
    assert number("FINAL: 1e400").value == "1" + "0" * 400
    assert number("FINAL: 1e-400").value == "0." + "0" * 399 + "1"
    assert number("FINAL: 1e401").value is None
    assert number("FINAL: 1e-401").value is None


def test_the_fallback_passes_over_what_has_no_value():
    found = number("it is 7, or 5/0")
    assert (found.value, found.status, found.rule) == ("7", "fallback", "last_number")
    assert (found.start, found.end) == (6, 7)
    assert number("it is 5/0")[:3] == (None, "missing", "")


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("so 12 it is", "12"),
        ("FINAL: it costs 1,200 dollars", "1,200"),
        ("FINAL: x = 3/4 or so", "3/4"),
        ("\\boxed{-7}", "-7"),
        ("#### 18", "18"),
    ],
)
def test_the_span_of_a_number_is_where_it_stands(text, span):
    found = number(text)
    assert found.start == text.index(span)
    assert text[found.start : found.end] == span


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("#### 18", "18", "hashes"),
        ("\\boxed{18} and \\boxed{19}", "19", "boxed"),
        ("\\boxed{18}\n#### 19", "19", "hashes"),
        ("#### 19\n\\boxed{?}", "19", "hashes"),
        ("FINAL: ?\nANSWER: 4", "4", "answer"),
        ("ANSWER: 4\nFINAL: 5\nANSWER: 6", "5", "final"),
        ("The answer is 7\nthen \\boxed{8}", "7", "answer"),
        ("FINAL: 7 \u2248 22/3", "22/3", "final"),
        ("FINAL: a = b", None, ""),
        ("FINAL: 9 = x", "9", "final"),
        ("FINAL: 3 apples, 3 pears", "3", "final"),
        ("so 5\nFINAL: [the number]", "5", "last_number"),
        ("so 5\nCONF: 90", "5", "last_number"),
        ("so 5\nFINAL: unknown", None, ""),
        ("so 5\nFINAL: unknowns", "5", "last_number"),
        ("FINAL: 4y = 9\nx = 3", "9", "final"),
        ("FINAL: 4y \u2248 9\nx \u2248 3", "9", "final"),
        ("FINAL: x = 4 = 9", "9", "final"),
        ("FINAL: x \u2248 4 \u2248 9", "9", "final"),
        ("FINAL: 3=9", "9", "final"),
        ("FINAL: 4y =9", "9", "final"),
        ("FINAL: 12\n5 apples", "12", "final"),  # the next line is not part of the number
        ("FINAL: 4\nx = 3. So", "4", "final"),
        ("x = 7\nFINAL: 9", "9", "final"),
        ("x \u2248 7\nFINAL: 9", "9", "final"),
        ("FINAL: heads 3, tails 5", None, "final"),
        ("FINAL: heads 3, tails 3", "3", "final"),
        ("The answer is that 5 remain", "5", "last_number"),
    ],
)
def test_where_a_number_is_looked_for(text, value, rule):
    found = number(text)
    assert (found.value, found.rule) == (value, rule)


def test_a_number_that_the_cut_took_has_no_rule():
    found = extract("FINAL: 12", "number", None, finish_reason="length")
    assert found[:4] == (None, "truncated", "", None)
    assert (found.n_tags, found.start, found.end, found.truncated) == (1, -1, -1, True)
    assert extract("FINAL: 12 apples", "number", None, finish_reason="length").value == "12"


def test_the_ledgers_dialect_reads_choices_alone():
    with pytest.raises(ValueError, match=r"^dialect 'ledger' reads choices only, not kind 'number'$"):
        extract("5", "number", None, "ledger")
    with pytest.raises(ValueError, match=r"^a choice has 1 to 10 options, not 11$"):
        extract("A", "choice", 11)


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("ANSWER: the total 12 CONF: 80\nDone", "12", "answer"),  # a value ends before the next key
        ("ANSWER: the sum\nof 3 and 4 is 7\nDone", "7", "last_number"),  # and with its line
        ("ANSWER: [12\nand 3]", "12", "answer"),  # a placeholder is on one line
        ("ANSWER: 12 =\nso 5", "12", "answer"),  # as is an equation
        ("ANSWER: 5=\nPage 3", "5", "answer"),
    ],
)
def test_a_value_ends_where_its_field_does(text, value, rule):
    found = number(text)
    assert (found.value, found.rule) == (value, rule)
