"""Lines in full: what stands in them, and what is said of those that cannot be read."""

import json

import pytest

from headcount.errors import UserError
from headcount.extraction.lines import extract_lines


def test_lines_of_every_kind():
    rows = [
        {"text": "FINAL: B", "kind": "choice", "options": 2, "finish_reason": None},
        {"text": "FINAL: none", "kind": "choice", "options": ["a", "b", "c"]},
        {"text": "The answer is B.\nC", "kind": "choice", "options": 3, "dialect": "ledger"},
        {"text": "FINAL: 12", "kind": "number", "finish_reason": "length"},
        {"text": "    return r", "kind": "code", "prompt": "def area(r):\n", "entry_point": "area"},
    ]
    lines = [json.loads(line) for line in extract_lines(map(json.dumps, rows))]
    given = [[line[name] for name in ("value", "status", "rule", "confidence")] for line in lines]
    assert given == [
        ["B", "parsed", "final", None],
        ["", "missing", "", None],
        ["B", "parsed", "p2_answer_is", None],
        ["", "truncated", "", None],
        ["def area(r):\n    return r\n", "parsed", "continued", None],
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([], "line 1: not an object. Give one object per line, as in {...}."),
        ({}, "line 1: kind: missing. Allowed: 'choice' or 'number' or 'code'."),
        ({"kind": "code", "text": ""}, "line 1: prompt: missing. Allowed: a string."),
        ({"kind": "code", "text": "", "prompt": ""}, "line 1: entry_point: missing. Allowed: a string."),
        (
            {"kind": "choice", "text": "", "options": 0},
            "line 1: options: '0' is not allowed. Allowed: 1 to 10, or the list of that many options.",
        ),
        (
            {"kind": "choice", "text": "", "options": "x" * 70},
            f"line 1: options: {'x' * 60!r} is not allowed. Allowed: 1 to 10, or the list of that many options.",
        ),
        (
            {"kind": "code", "text": "", "dialect": "ledger"},
            "line 1: dialect: 'ledger' is not allowed. "
            "Allowed: 'ringelmann' for numbers and code (ledger: choices only).",
        ),
        (
            {"kind": "choice", "text": "", "dialect": "x"},
            "line 1: dialect: 'x' is not allowed. Allowed: 'ringelmann' or 'ledger'.",
        ),
    ],
)
def test_a_bad_line_is_told_in_full(row, message):
    with pytest.raises(UserError) as error:
        list(extract_lines([json.dumps(row)]))
    assert str(error.value) == message


@pytest.mark.parametrize("options", [1, 10, ["a"], list("abcdefghij")])
def test_there_may_be_one_option_and_there_may_be_ten(options):
    (line,) = extract_lines([json.dumps({"text": "FINAL: A", "kind": "choice", "options": options})])
    assert json.loads(line)["value"] == "A"


def test_eleven_options_are_too_many():
    with pytest.raises(UserError, match="'11' is not allowed"):
        list(extract_lines([json.dumps({"text": "", "kind": "choice", "options": 11})]))
