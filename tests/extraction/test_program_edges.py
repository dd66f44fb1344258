"""The edges of what is read as a program: fences, functions that do nothing, and bodies without their head."""

import ast

import pytest

from headcount.extraction.blocks import find_blocks
from headcount.extraction.extract import extract
from headcount.extraction.program import Stub

AREA = Stub("def area(r):\n", "area")


def program(text: str, stub: Stub = AREA):
    return extract(text, "code", None, stub=stub)


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("    pass\n", "broken"),
        ("    ...\n", "broken"),
        ("    'words'\n", "broken"),
        ("    'words'\n    pass\n", "broken"),
        ("    'words'\n    print(r)\n", "final"),
        ("    return r\n", "final"),
        ("    yield r\n", "final"),
    ],
)
def test_a_program_has_to_do_something(body, rule):
    written = f"def area(r):\n{body}"
    found = program(f"FINAL:\n```python\n{written}```\n")
    assert (found.value, found.rule) == (written, rule)
    waiting = program(f"FINAL:\n```python\nasync {written}```\n")
    assert (waiting.value, waiting.rule) == (f"async {written}", rule)


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("    return 1\n", "continued"),
        ("    yield 1\n", "continued"),
        ("    yield from r\n", "continued"),
        ("    if r:\n        return 1\n", "continued"),
        ("    print(r)\n", ""),  # returns nothing
        ("    f = lambda: (yield)\n", ""),  # what it yields is another function's
        ("    def other():\n        return 1\n", ""),
        ("    class Other:\n        def f(self):\n            return 1\n", ""),
    ],
)
def test_what_completes_a_function_returns_something(body, rule):
    assert program(body).rule == rule


def test_a_name_is_a_function_s_by_assignment_too():
    assert program("```\narea = lambda r: r\n```").rule == "block"
    assert program("```\nareas = lambda r: r\n```").rule == ""
    assert program("```\nother = area = max\n```").rule == "block"
    assert program("```\nx.area = max\n```").rule == ""


def test_what_stands_before_a_function_is_what_the_question_has_there():
    assert Stub("import math\n\n\ndef area(r):\n", "area").before == ""  # it does not parse without a body
    whole = "import math\n\n\ndef other():\n    pass\n\n\ndef area(r):\n    'Area.'\n"
    assert Stub(whole, "area").before == whole[: whole.index("def area")]
    assert Stub(whole, "other").before == "import math\n\n\n"
    assert Stub(whole, "third").before == ""


def test_only_the_last_fifty_places_are_read():
    good, other = "```\ndef area(r):\n    return 1\n```\n", "```\nprint(1)\n```\n"
    assert program(good + other * 49).rule == "block"
    assert program(good + other * 50).rule == ""
    bare = "FINAL:\ndef area(r):\n    return 1\n"
    assert program(bare + "FINAL: no\n" * 49).rule == "text"
    assert program(bare + "FINAL: no\n" * 50).rule == ""


@pytest.mark.parametrize(
    ("before", "indent", "closes"),
    [
        ("", 3, True),
        ("", 4, False),
        ("  ", 5, True),
        ("  ", 6, False),
        ("FINAL: ", 3, True),  # words before a fence say nothing about where it stands
        ("FINAL: ", 4, False),
    ],
)
def test_a_fence_closes_up_to_three_blanks_deeper_than_it_opens(before, indent, closes):
    text = f"{before}```python\nx\n{' ' * indent}``` end\nlast"
    (block,) = find_blocks(text)
    assert block.outer_start == len(before)
    assert block.start == text.index("x\n")
    assert block.end == (text.index("x\n") + 2 if closes else len(text))
    assert block.outer_end == (text.index("\nlast") if closes else len(text))


def test_blocks_follow_each_other_and_one_left_open_ends_at_the_next_field():
    text = "```\na\n```\n~~~\nb\n```\n~~~\n````\nc\n```\nCONF: 3\n"
    blocks = find_blocks(text)
    assert [text[block.start : block.end] for block in blocks] == ["a\n", "b\n```\n", "c\n```\n"]
    assert blocks[-1].outer_end == text.index("CONF")


@pytest.mark.parametrize(
    "body",
    [
        "    x = 1\n    return x",
        "x = 1\nreturn x",  # its indentation is lost
        "\tx = 1\n\treturn x",
        "        x = 1\n        return x",
        "x = 1\n    return x",  # that of its first line
        "\n\n    x = 1\n    return x  \n\n",
    ],
)
def test_a_body_is_put_behind_the_question_as_it_may_have_been_meant(body):
    found = program(f"```python\n{body}\n```")
    assert found.rule == "continued"
    assert ast.dump(ast.parse(found.value)) == ast.dump(ast.parse("def area(r):\n    x = 1\n    return x"))


def test_a_program_without_a_fence_begins_with_the_reply():
    found = program("def area(r):\n    return r\n\nCONF: 80")
    assert (found.rule, found.start, found.end) == ("text", 0, 27)
