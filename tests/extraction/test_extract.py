"""Every stated case, and the decisions that the cases leave open."""

import json
import tracemalloc
from pathlib import Path
from time import process_time

import pytest

from headcount.errors import UserError
from headcount.extraction.extract import extract
from headcount.extraction.ledger_dialect import tag_only
from headcount.extraction.lines import extract_lines

CASES_FILE = Path(__file__).parents[1] / "cases" / "extraction.jsonl"
CASES = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case):
    answer = extract(case["text"], case["kind"], case["options"], case["dialect"])
    assert (answer.value or "", answer.status) == (case["value"], case["status"])


@pytest.mark.parametrize(
    ("text", "value", "status", "rule"),
    [
        ("FINAL:\n\n**D**\nCONF: 3", "D", "parsed", "final"),
        ("FINAL ANSWER IS: B", "B", "parsed", "answer"),
        ("**Final Answer**: \\boxed{\\text{(C)}}", "C", "parsed", "final"),
        ("FINAL: heat flows to the cold side (B)", "B", "parsed", "final"),
        ("FINAL: B. Hepatitis A", "B", "parsed", "final"),
        ("FINAL: A because heat flows", "A", "parsed", "final"),
        ("FINAL: A bit unclear", None, "missing", ""),
        ("FINAL: B\nFINAL: A and C", None, "ambiguous", "final"),
        ("FINAL: B/C", None, "ambiguous", "final"),
        ("FINAL: [A/B/C/D]", None, "missing", ""),
        ("The answer is (A) or (B).", None, "ambiguous", "answer"),
        ("\\boxed{E = mc^2}", None, "missing", ""),
        ("The answer is $C(10, 3) = 120$.", None, "missing", ""),
        ("So C.\nFINAL: none of them", None, "missing", ""),
        ("So C.\nFINAL: Z", None, "missing", ""),
        ("FINAL: B\n<think>FINAL: C</think>", "B", "parsed", "final"),
        ("FINAL: C, I guess</think>\nFINAL: B", "B", "parsed", "final"),
        ("The closest option is (E), so B", "B", "fallback", "last_letter"),
        ("FINAL：Ｂ", "B", "parsed", "final"),
    ],
)
def test_a_choice_of_four(text, value, status, rule):
    assert extract(text, "choice", 4)[:3] == (value, status, rule)


@pytest.mark.parametrize(
    ("text", "value", "status"),
    [
        ("FINAL: x = 9", "9", "parsed"),
        ("FINAL: 42. Since x = 7", "42", "parsed"),
        ("FINAL: 16 - (3 + 4) = 9", "9", "parsed"),
        ("FINAL: 6 eggs * 3 = 18", "18", "parsed"),
        ("FINAL: 3 1/2", "3.5", "parsed"),
        ("FINAL: -\\frac{2}{6}", "-1/3", "parsed"),
        ("FINAL: 3.2 \\times 10^{-2}", "0.032", "parsed"),
        ("FINAL: −$3,000.50", "-3000.5", "parsed"),
        ("FINAL: $-5", "-5", "parsed"),
        ("FINAL: -0.0", "0", "parsed"),
        ("FINAL: 1\u202f200\u00a0000 km", "1200000", "parsed"),
        ("FINAL: １２", "12", "parsed"),
        ("FINAL: There are 5 apples", "5", "parsed"),
        ("FINAL: [-5]", "-5", "parsed"),
        ("\\boxed{18 \\text{ dollars}}", "18", "parsed"),
        ("the answer is: $\\boxed{1{,}200}$.", "1200", "parsed"),
        ("FINAL: 10 or 12", None, "ambiguous"),
        ("FINAL: 16 - 3", None, "ambiguous"),
        ("FINAL: 3,5", None, "ambiguous"),
        ("FINAL: 1 200", None, "ambiguous"),
        ("FINAL: 2^5", None, "ambiguous"),
        ("FINAL: <integer 0-9>\nCONF: <0-100>", None, "missing"),
        ("FINAL: 5/0", None, "missing"),
        ("FINAL: None\nRATIONALE: 4 are too few", None, "missing"),
        ("so it is 5.\nCONF: 80", "5", "fallback"),
    ],
)
def test_a_number(text, value, status):
    assert extract(text, "number", None)[:2] == (value, status)


@pytest.mark.parametrize("number", ["1e999999999", "1e-999999999", "9" * 10_000, "3 x 10^99999"])
def test_a_number_that_nobody_could_write_down_is_missing(number):
    tracemalloc.start()
    assert extract(f"FINAL: {number}", "number", None).value is None
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("conf", "confidence"),
    [
        ("85%", 85),
        ("250", 100),
        ("-3", 0),
        ("90/100", 90),
        ("0.8", 0.8),
        ("<0-100>", None),
        ("?", None),
    ],
)
def test_confidence_is_clamped_and_never_guessed(conf, confidence):
    assert extract(f"FINAL: B\nCONF: {conf}", "choice", 4).confidence == confidence


def test_a_cut_reply_is_truncated_only_if_it_states_no_answer():
    assert extract("Let me see", "choice", 4, finish_reason="length").status == "truncated"
    stated = extract("FINAL: B\nCONF: 80\nRATIONALE: be", "choice", 4, finish_reason="length")
    assert (stated.status, stated.truncated) == ("parsed", True)
    assert extract("<think>Let me", "choice", 4).truncated


def test_a_number_at_the_cut_may_lack_digits():
    assert extract("FINAL: 12", "number", None, finish_reason="length").status == "truncated"
    assert extract("FINAL: 12\n", "number", None, finish_reason="length").value == "12"
    for cut in ("FINAL: 1,", "FINAL: 12.", "FINAL: 3/", "FINAL: 2e"):
        assert extract(cut, "number", None, finish_reason="length").value is None, cut


def test_tags_are_counted_and_compared():
    twice = extract("FINAL: B\nNo.\nFINAL: D\nThe answer is C", "choice", 4)
    assert (twice.value, twice.n_tags, twice.tags_disagree) == ("D", 2, True)
    assert extract("I choose B", "choice", 4, "ledger").n_tags == 0


@pytest.mark.parametrize(
    ("text", "value", "rule", "strict"),
    [
        ("Final Answer: B\nFinal Answer: H", "H", "p1_tag", "H"),
        ("Final Answer: B\nFinal Answer: ?", "B", "p1_tag", "B"),
        ("The answer is a close call.\n(D)", "D", "p3_line", "D"),
        ("The answer is G.\n\nB", "G", "p2_answer_is", "B"),
        ("I pick option C, not d", "C", "p2_answer_is", None),
        ("B\nas said", "B", "p3_line", None),
        ("I like E most", "E", "p4_letter", None),
        ("I think I am lost", None, "", None),
    ],
)
def test_the_ledger_chain_and_its_strict_audit(text, value, rule, strict):
    answer = extract(text, "choice", 10, "ledger")
    assert (answer.value, answer.rule, tag_only(answer)) == (value, rule, strict)


@pytest.mark.parametrize("n_options", [None, 0, 11])
def test_a_choice_needs_its_number_of_options(n_options):
    with pytest.raises(ValueError, match="1 to 10"):
        extract("FINAL: A", "choice", n_options)


ADVERSARIAL = [
    " ",
    "1",
    ",",
    "1,",
    "1/",
    "A ",
    "I ",
    "**",
    "(A)",
    "\n",
    "x",
    "answer is ",
    "choose ",
]
ADVERSARIAL += ["FINAL:", "FINAL: 12\n", "FINAL: A and ", "CONF: ", "#### ", "<think>", "</think>"]
ADVERSARIAL += [
    "\\boxed{",
    "\\boxed{1}",
    "\\text",
    "\\frac{1}{2}",
    "Final Answer: ",
    "\u00a01",
    "🎉",
]


@pytest.mark.parametrize("start", ["", "FINAL: <", "\\boxed{"])
@pytest.mark.parametrize("unit", ADVERSARIAL)
@pytest.mark.parametrize("kind", ["choice", "number"])
def test_time_grows_no_faster_than_the_reply(start, unit, kind):
    def seconds(length: int) -> float:
        text = start + unit * (length // len(unit))
        begin = process_time()
        extract(text, kind, 10 if kind == "choice" else None)
        return process_time() - begin

    small = min(seconds(20_000) for _ in range(3))
    large = min(seconds(80_000) for _ in range(3))
    assert large < 10 * small + 0.1  # quadratic time would be sixteenfold


def test_a_reply_of_a_megabyte_is_no_trouble():
    for unit in ("FINAL:", "1,", "</think>"):
        begin = process_time()
        extract(unit * (1_000_000 // len(unit)), "number", None)
        assert process_time() - begin < 5


def test_lines_keep_their_other_keys():
    line = '{"id": 7, "text": "FINAL: B\\nCONF: 80", "kind": "choice", "options": ["w", "x"]}'
    (row,) = map(json.loads, extract_lines([line, "\n"]))
    assert (row["id"], row["value"], row["status"]) == (7, "B", "parsed")
    assert (row["rule"], row["confidence"]) == ("final", 80.0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON"),
        ("[" * 100_000, "line 2: not JSON"),
        ("[1]", "line 2: not an object"),
        ('{"kind": "number"}', "line 2: text: missing. Allowed: a string"),
        ('{"text": 3, "kind": "number"}', "line 2: text: '3' is not allowed"),
        (
            '{"text": "", "kind": "letter"}',
            "line 2: kind: 'letter' is not allowed. Allowed: 'choice'",
        ),
        ('{"text": "", "kind": "choice"}', "line 2: options: missing. Allowed: 1 to 10"),
        ('{"text": "", "kind": "choice", "options": true}', "line 2: options: 'True'"),
        ('{"text": "", "kind": "choice", "options": 11}', "line 2: options: '11'"),
        ('{"text": "", "kind": "number", "dialect": "ledger"}', "line 2: dialect: 'ledger'"),
        ('{"text": "", "kind": "number", "dialect": []}', "line 2: dialect: '[]'"),
        ('{"text": "", "kind": "number", "finish_reason": 1}', "line 2: finish_reason: '1'"),
    ],
)
def test_a_bad_line_is_named(line, message):
    good = '{"text": "5", "kind": "number"}'
    with pytest.raises(UserError) as error:
        list(extract_lines([good, line]))
    assert str(error.value).startswith(message)
