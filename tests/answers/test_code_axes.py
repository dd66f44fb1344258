"""What a program does and how it is written, as answers."""

import ast
import json
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.answers.code_axes import canonical_code, pass_vector, split_assertions
from headcount.axes import code_task
from headcount.errors import UserError

STANDARD = Path(json.__file__).parents[1]  # the standard library: thousands of lines that nobody wrote for this test
FILES = [STANDARD / name for name in ("dataclasses.py", "heapq.py", "textwrap.py", "json/decoder.py", "typing.py")]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def test_the_two_axes_are_two_tasks():
    assert code_task("humaneval") == "humaneval.code"


@pytest.mark.parametrize(
    ("results", "vector"),
    [
        ([True, True, False, True], "1101"),
        ([False, False], "00"),  # wrong everywhere is an answer
        ([True], "1"),
        ([None, None], None),  # could not be run
        ([True, None, True], None),
        ([], None),
    ],
)
def test_pass_vectors(results, vector):
    assert pass_vector(results) == vector


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.lists(st.booleans(), min_size=1, max_size=12))
def test_vectors_are_equal_where_results_are(one, other):
    assert (pass_vector(one) == pass_vector(other)) == (one == other)


SAME = [
    "def f(x):\n    return x + 1",
    "def f( x ):\n\n    return (x+1)   # one more",
    'def f(x):\n    """Add one.\n\n    >>> f(1)\n    2\n    """\n    return x + 1',
    "def f(x):\n\t'add one'\n\treturn x + 1\n",
    '"""A module."""\ndef f(x):\n    "add"; return x+1',
]
OTHERS = [
    "def f(y):\n    return y + 1",
    "def f(x):\n    return 1 + x",
    "def f(x):\n    y = x + 1\n    return y",
    "def f(x: int):\n    return x + 1",
    "import math\ndef f(x):\n    return x + 1",
]


def test_spacing_comments_and_docstrings_are_nothing_and_names_are_something():
    assert {canonical_code(source) for source in SAME} == {"def f(x):\n    return x + 1"}
    assert len({canonical_code(source) for source in [SAME[0], *OTHERS]}) == 1 + len(OTHERS)


def test_docstrings_of_classes_methods_and_coroutines_go_and_other_texts_stay():
    source = '''class A:
    """Doc."""
    name = """kept"""
    def m(self):
        """Doc."""
        def inner():
            """Doc."""
            return "kept"
        return inner
    async def c(self):
        """Doc."""
        "kept" if self else f"{self}"
'''
    code = canonical_code(source)
    assert "Doc" not in code
    assert code.count("kept") == 3


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('def f():\n    """Only this."""', "def f():\n    pass"),
        ('class A:\n    """Only this."""', "class A:\n    pass"),
        ('"""Only this."""', "pass"),
        ('def f():\n    "one"\n    "two"\n    return 1', "def f():\n    return 1"),
        ("", None),
        ("# nothing", None),
        ("def f(:", None),
        ("I think the answer is 4.", None),
        ("def f():\n    return 1\n  return 2", None),
        ("x = '\0'", None),
        ("(" * 10_000 + ")" * 10_000, None),
        ("x = '\ud800'", None),
    ],
)
def test_edges(source, code):
    assert canonical_code(source) == code


@pytest.mark.filterwarnings("error")
def test_an_odd_escape_warns_nobody():
    assert canonical_code("x = '\\d'") == canonical_code("x = '\\\\d'")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_canonical_code_of_real_modules(path):
    """It is its own canonical code, has the same tree but for docstrings, and no comments."""
    source = path.read_text()
    code = canonical_code(source)
    assert canonical_code(code) == code
    assert ast.dump(ast.parse(code)) == ast.dump(undocumented(source))
    tokens = tokenize.generate_tokens(iter(code.splitlines(keepends=True)).__next__)
    assert not any(token.type == tokenize.COMMENT for token in tokens)
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, DOCUMENTED)]
    assert len(nodes) > 3
    assert not any(ast.get_docstring(node) for node in nodes)


def undocumented(source: str) -> ast.Module:
    """The tree without docstrings, as Python itself finds them."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


CHECK = """
METADATA = {'author': 'nobody'}
from math import isclose

def same(a, b):
    assert isinstance(a, float), 'helpers keep their assertions'
    return isclose(a, b)

def check(candidate):
    # simple cases
    assert candidate(1) == 2, 'first'
    assert same(float(candidate(2)), 3.0)
    values = list(range(10))
    for value in values:
        if value % 2:
            assert candidate(value) == value + 1
        else:
            assert candidate(value) > value
    def inner(x):
        assert x
        return x
    assert inner(candidate(0))
"""


def passes(program: str, piece: str, entry: str = "f") -> bool:
    code = f"{program}\n{piece}\ncheck({entry})"
    return not subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, timeout=60).returncode


def test_each_assertion_has_a_check_of_its_own():
    pieces = split_assertions(CHECK)
    assert len(pieces) == 5
    for place, piece in enumerate(pieces):
        check = next(node for node in ast.parse(piece).body if getattr(node, "name", "") == "check")
        own = [node for node in ast.walk(check) if isinstance(node, ast.Assert)]
        assert len(own) == (2 if place == 4 else 1)  # inner's is set-up of the last
        assert "METADATA" in piece
    assert "values" not in pieces[1]  # nothing that comes after
    assert "candidate(1)" not in pieces[1]  # and no assertion that came before


def test_a_program_that_fails_some_fails_those_alone():
    pieces = split_assertions(CHECK)
    assert [passes("def f(x): return x + 1", piece) for piece in pieces] == [True] * 5
    never_even = "def f(x):\n    if x % 2 == 0 and x: raise ValueError\n    return x + 1"
    assert [passes(never_even, piece) for piece in pieces] == [True, False, True, False, True]
    assert [passes("def f(x): return 2", piece) for piece in pieces] == [True, False, False, False, True]


def test_the_pieces_together_ask_what_the_check_asks():
    """A program passes the check as it stands exactly if it passes every piece."""
    for body in ("x + 1", "2", "x", "abs(x) + 1", "1 / x", "x + 1.0"):
        program = f"def f(x): return {body}"
        assert passes(program, CHECK) == all(passes(program, piece) for piece in split_assertions(CHECK)), body


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def test(candidate):\n    assert candidate(1)", "no function check"),
        ("def check(candidate):\n    pass", "asserts nothing"),
        ("def check(candidate:", "not Python"),
    ],
)
def test_a_check_that_is_none(source, message):
    with pytest.raises(UserError, match=message):
        split_assertions(source)
