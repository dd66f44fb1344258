"""What must hold for every reply: no exception, spans at values, decorations without effect."""

import random
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.extraction.extract import extract

LETTERS = "ABCDEFGHIJ"
KEYS = [
    "FINAL:",
    "final: ",
    "**FINAL:** ",
    "Final Answer: ",
    "FINAL：",
    "ANSWER: ",
    "The answer is ",
    "FINAL:\n",
]
LETTER_MARKS = [
    "{}",
    "({})",
    "**{}**",
    "${}$",
    "\\boxed{{{}}}",
    "\\text{{({})}}",
    '"{}"',
    "`{}`",
    "{}.",
    "[{}]",
]
AFTER = [
    "",
    "\nCONF: 80",
    "\nCONF: 70\nRATIONALE: option A is a trap, so is B.",
    " 🎉\n",
    ", a safe choice",
]

# Words that a fuzzed reply is made of: the grammar's own pieces, and plain noise.
PIECES = [
    *KEYS,
    "CONF:",
    "<think>",
    "</think>",
    "\\boxed{",
    "}",
    "#### ",
    "A",
    "I",
    "(B)",
    " and ",
    "/",
    "1,200",
]
PIECES += [
    "-5",
    "3/4",
    "1e9",
    "1e999999999",
    "=",
    "\n",
    " ",
    "None",
    "<A, B>",
    "−",
    "\\frac{1}{3}",
    "10^{",
    "$",
]
replies = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=30).map("".join)

letters = st.integers(2, 10).flatmap(lambda n: st.tuples(st.just(n), st.sampled_from(LETTERS[:n])))
decimals = st.decimals(-(10**12), 10**12, places=4, allow_nan=False, allow_infinity=False)


def check_coherence(text: str, kind: str, dialect: str) -> None:
    answer = extract(text, kind, 4 if kind == "choice" else None, dialect)
    assert (answer.value is not None) == (answer.status in ("parsed", "fallback"))
    assert (answer.rule == "") == (answer.status in ("missing", "truncated"))
    assert answer.confidence is None or 0 <= answer.confidence <= 100
    if answer.value is None:
        assert (answer.start, answer.end) == (-1, -1)
    elif kind == "choice":
        assert answer.value in "ABCD"
        assert len(text[answer.start : answer.end]) == 1
    else:
        assert any(sign.isdigit() for sign in text[answer.start : answer.end])
        Fraction(answer.value)


CHAINS = [("choice", "ringelmann"), ("number", "ringelmann"), ("choice", "ledger")]


@settings(max_examples=500, deadline=None)
@given(replies, st.sampled_from(CHAINS))
def test_every_reply_gives_a_coherent_extraction(text, chain):
    check_coherence(text, *chain)


def test_ten_thousand_scrambled_replies_give_coherent_extractions():
    rng = random.Random(20260602)
    for _ in range(10_000):
        pieces = rng.choices(PIECES, k=rng.randrange(20))
        noise = [chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x11000)))) for _ in range(3)]
        mixed = rng.sample(pieces + noise, k=len(pieces) + 3)
        check_coherence("".join(mixed), *rng.choice(CHAINS))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("mark", LETTER_MARKS)
@given(letters, st.sampled_from(AFTER), st.booleans())
@settings(max_examples=10, deadline=None)
def test_a_stated_letter_is_found_in_any_decoration(key, mark, letter, after, bold):
    n_options, option = letter
    stated = mark.format(option)
    text = f"Let us see; B looks wrong.\n{key}{'**' + stated + '**' if bold else stated}{after}"
    answer = extract(text, "choice", n_options)
    assert (answer.value, answer.status) == (option, "parsed")
    assert text[answer.start : answer.end] == option


@given(letters, st.data())
def test_relabelling_the_options_relabels_the_answer(letter, data):
    n_options, option = letter
    other = data.draw(st.sampled_from(LETTERS[:n_options]))
    answers = [extract(f"FINAL: {name}\nCONF: 50", "choice", n_options).value for name in (option, other)]
    assert answers == [option, other]


@given(letters, replies)
def test_what_is_thought_does_not_count(letter, thought):
    n_options, option = letter
    hidden = thought.replace("<think>", "").replace("</think>", "")
    text = f"<think>{hidden}</think>\nFINAL: {option}"
    assert extract(text, "choice", n_options)[:2] == (option, "parsed")


@pytest.mark.parametrize(
    "form",
    ["{}", "{:,}", "{:.6f}", "{:E}", "${:,}$", "\\boxed{{{}}}", "{} dollars", "{}%", "**{}**"],
)
@given(number=decimals)
def test_a_number_survives_its_formatting(form, number):
    text = f"FINAL: {form.format(number)}\nCONF: 80"
    answer = extract(text, "number", None)
    assert answer.status == "parsed"
    assert Decimal(answer.value) == number
    assert extract(f"FINAL: {answer.value}", "number", None).value == answer.value


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**30))
def test_a_fraction_is_exact(top, bottom):
    answer = extract(f"FINAL: {top}/{bottom}", "number", None)
    assert Fraction(answer.value) == Fraction(top, bottom)


@given(decimals)
def test_equal_numbers_have_one_text(number):
    same = (f"{number}", f"{number:.5f}", f"{number:,}", f"{number:E}")
    assert len({extract(f"FINAL: {text}", "number", None).value for text in same}) == 1
