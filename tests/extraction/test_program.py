"""The program that a reply states, in all the ways in which models state one."""

import ast
from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.answers.code_axes import canonical_code
from headcount.extraction.extract import extract
from headcount.extraction.program import Stub

STUB = Stub(
    'import math\nfrom typing import List\n\n\ndef area(r: float) -> float:\n    """ Area of a circle.\n    """\n',
    "area",
)
BODY = "    return math.pi * r * r\n"
WHOLE = f"{STUB.source}{BODY}"
OTHER = "def area(r):\n    return 0\n"
AFTER = "\nCONF: 80\nRATIONALE: a formula"


def read(text: str, finish: str = "stop"):
    return extract(text, "code", None, finish_reason=finish, stub=STUB)


def block(program: str, language: str = "python") -> str:
    return f"```{language}\n{program}```"


def same(program: str | None, wanted: str) -> bool:
    return program is not None and ast.dump(ast.parse(program)) == ast.dump(ast.parse(wanted))


@pytest.mark.parametrize(
    ("text", "program", "rule"),
    [
        (f"FINAL:\n{block(WHOLE)}{AFTER}", WHOLE, "final"),
        (f"FINAL: {block(WHOLE)}{AFTER}", WHOLE, "final"),
        (f"**FINAL:**\n\n{block(WHOLE, 'python3')}{AFTER}", WHOLE, "final"),
        (f"FINAL:\n{block(WHOLE, '')}{AFTER}", WHOLE, "final"),
        (f"FINAL:\n{block(WHOLE, 'Python 3.11')}{AFTER}", WHOLE, "final"),
        (f"FINAL:\n~~~python\n{WHOLE}~~~{AFTER}", WHOLE, "final"),
        (f"Sure! Here it is.\nFINAL:\nThe program:\n{block(WHOLE)}\nIt is short.{AFTER}", WHOLE, "final"),
        (f"A first try:\n{block(OTHER)}\nBetter:\nFINAL:\n{block(WHOLE)}{AFTER}", WHOLE, "final"),
        (f"FINAL:\n{block(OTHER)}\nor rather\n{block(WHOLE)}{AFTER}", WHOLE, "final"),
        (f"FINAL:\n{block(WHOLE)}\nTry it:\n{block('print(area(1))')}{AFTER}", WHOLE, "final"),
        (f"FINAL:\n{block(OTHER)}{AFTER}\n\nFINAL:\n{block(WHOLE)}{AFTER}", WHOLE, "final"),
        (f"FINAL:\n{block(WHOLE)}{AFTER}\n\nAs a test:\n{block(OTHER)}", WHOLE, "final"),
        (f"FINAL:\n```python\n{WHOLE}", WHOLE, "final"),
        (f"FINAL:\n```python\n{WHOLE}CONF: 80\nRATIONALE: no fence", WHOLE, "final"),
        (f"1. FINAL:\n   ```python\n{indent(WHOLE, '   ')}   ```{AFTER}", WHOLE, "final"),
        (f"<think>FINAL:\n{block(OTHER)}</think>\nFINAL:\n{block(WHOLE)}{AFTER}", WHOLE, "final"),
        (f"Here you are:\n{block(OTHER)}\nand better\n{block(WHOLE)}", WHOLE, "block"),
        (f"{block(WHOLE)}\nFINAL: see above{AFTER}", WHOLE, "block"),
        (WHOLE, WHOLE, "text"),
        (f"FINAL:\n{WHOLE}{AFTER}", WHOLE, "text"),
        ("area = lambda r: 3.14 * r * r", "area = lambda r: 3.14 * r * r", "text"),
        (BODY, WHOLE, "continued"),
        (f"FINAL:\n{block(BODY)}{AFTER}", WHOLE, "continued"),
        (f"FINAL:\n{block(BODY.lstrip())}{AFTER}", WHOLE, "continued"),
        (f"FINAL:\n{block(BODY.replace('    ', chr(9)))}{AFTER}", WHOLE, "continued"),
        (f"Given:\n{block(STUB.source)}\nFINAL:\n{block(BODY)}{AFTER}", WHOLE, "continued"),
    ],
)
def test_the_program_is_found_and_its_place_named(text, program, rule):
    found = read(text)
    assert same(found.value, program)
    assert (found.status, found.rule) == ("parsed", rule)


def test_tabs_are_kept_where_they_are_consistent():
    program = "def area(r):\n\tif r:\n\t\treturn r\n\treturn 0\n"
    assert read(f"FINAL:\n{block(program)}").value == program


def test_a_docstring_may_hold_a_fence():
    program = 'def area(r):\n    """\n    ```\n    >>> area(0)\n    ```\n    """\n    return 0\n'
    assert read(f"FINAL:\n{block(program)}{AFTER}").value == program


def test_words_of_the_format_inside_a_program_are_its_own():
    program = "def area(r):\n    # FINAL: not this\n    conf: int = 3  # answer: 4\n    return r\n"
    found = read(f"FINAL:\n{block(program)}\nCONF: 55\nRATIONALE: x")
    assert (found.value, found.rule, found.confidence, found.n_tags) == (program, "final", 55.0, 1)


def test_imports_outside_the_block_are_not_the_programs():
    """Those of the question are at hand when it runs; what else it needs, it has to say."""
    found = read(f"import numpy as np\n\nFINAL:\n{block(OTHER)}{AFTER}")
    assert found.value == OTHER
    assert STUB.before == "import math\nfrom typing import List\n\n\n"


def test_typographic_marks_are_read_as_meant_only_where_code_does_not_parse_with_them():
    told = "def area(r):\n    return “r”\n"
    assert read(f"FINAL:\n{block(told)}").value == 'def area(r):\n    return "r"\n'
    meant = "def area(r):\n    return '“'\n"
    assert read(f"FINAL:\n{block(meant)}").value == meant


@pytest.mark.parametrize(
    ("program", "rule"),
    [
        ("def area(r)\n    return r\n", "broken"),
        ("def area(r):\n    if r:\n\treturn r\n        return 0\n", "broken"),
        (STUB.source, "broken"),
        ("def circle(r):\n    return r\n", "renamed"),
        ("class Solution:\n    def area(self, r):\n        return r\n", "broken"),
        ("class Solution:\n    def circle(self, r):\n        return r\n", "renamed"),
    ],
)
def test_a_program_that_cannot_be_what_was_asked_for_is_an_answer_and_a_fallback(program, rule):
    found = read(f"FINAL:\n{block(program)}{AFTER}")
    assert found.value == program
    assert (found.status, found.rule) == ("fallback", rule)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot tell.",
        "unknown",
        f"FINAL: none{AFTER}",
        f"FINAL:\n{block('print(area(3))')}{AFTER}",
        f"FINAL:\n```python\n<the whole program: imports, and the function with its body>\n```{AFTER}",
        f"<think>\nFINAL:\n{block(WHOLE)}",
        "The function `def area(r)` should return pi r squared.",
    ],
)
def test_a_reply_without_a_program_is_missing(text):
    found = read(text)
    assert (found.value, found.status, found.rule, found.start) == (None, "missing", "", -1)


@pytest.mark.parametrize(
    "text",
    [
        f"FINAL:\n```python\n{WHOLE}",  # it parses, but nobody knows what would have followed
        f"FINAL:\n```python\n{WHOLE[:-9]}",
        f"FINAL:\n```python\n{STUB.source}",
        f"FINAL:\n{WHOLE}",
        WHOLE,
    ],
)
def test_a_program_that_goes_on_to_where_a_reply_was_cut_is_truncated(text):
    found = read(text, "length")
    assert (found.value, found.status, found.truncated) == (None, "truncated", True)


def test_a_closed_program_survives_a_cut_behind_it():
    found = read(f"FINAL:\n{block(WHOLE)}\nCONF: 80\nRATIONALE: because it", "length")
    assert same(found.value, WHOLE)
    assert (found.status, found.truncated) == ("parsed", True)


def test_tags_disagree_where_two_of_them_state_different_programs():
    twice = f"FINAL:\n{block(WHOLE)}{AFTER}\nFINAL:\n{block(OTHER)}{AFTER}"
    assert (read(twice).n_tags, read(twice).tags_disagree) == (2, True)
    assert not read(f"FINAL:\n{block(OTHER)}{AFTER}\nFINAL:\n{block(OTHER)}{AFTER}").tags_disagree


def test_the_span_is_where_the_program_stands():
    text = f"Here.\nFINAL:\n{block(WHOLE)}{AFTER}"
    found = read(text)
    assert text[found.start : found.end] == WHOLE


_WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="`~<:"), max_size=60)


@given(_WORDS, _WORDS, st.sampled_from(["python", "py", "python3", ""]), st.integers(-9, 9))
def test_what_is_written_around_a_block_does_not_change_its_program(before, after, language, number):
    program = f"def area(r):\n    return {number}\n"
    found = read(f"{before}\nFINAL:\n{block(program, language)}\n{after}")
    assert found.value == program
    assert canonical_code(found.value) == program.strip()


@given(st.text(max_size=300))
def test_any_text_has_an_answer_or_a_reason(text):
    for wrapped in (text, f"FINAL:\n```\n{text}", f"```python\ndef area(r):{text}\n```"):
        found = read(wrapped)
        assert (found.value is None) == (found.status in ("missing", "truncated"))


def test_a_reply_that_repeats_itself_for_ever_is_read_in_time():
    assert read(f"FINAL:\n{block(OTHER)}\n" * 2000).value == OTHER
