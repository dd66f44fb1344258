"""The edges of what is read as a choice: the last option, the last tag, the last line, and what is thought."""

import pytest

from headcount.extraction.extract import extract


def number(text: str):
    return extract(text, "number", None)


def choice(text: str, n_options: int = 4, dialect: str = "ringelmann"):
    return extract(text, "choice", n_options, dialect)


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("FINAL: J", "J", "final"),
        ("the last is \\boxed{(c)}", "C", "boxed"),
        ("#### B\nor C, so C", "C", "last_letter"),  # hashes state numbers alone
        ("FINAL: that one **D** or that one **D**", "D", "final"),
        ("The answer is (c).", "C", "answer"),
        ("The answer is c.", None, ""),
        ("The answer is [c].", "C", "answer"),
        ("The answer is D, D.", "D", "answer"),
        ("So D", "D", "last_letter"),
        ("The answer is that one (B)", "B", "last_letter"),  # prose has to begin with its option
        ("FINAL: A\nand C is wrong", "A", "final"),  # a value ends with its line
        ("FINAL: A, A\nor C is wrong", "A", "final"),
        ("FINAL: A, A and C", None, "final"),
        ("FINAL: A, A, A", "A", "final"),
    ],
)
def test_where_a_letter_is_looked_for(text, value, rule):
    found = choice(text, 10)
    assert (found.value, found.rule) == (value, rule)


@pytest.mark.parametrize("n_options", range(1, 11))
def test_the_last_option_is_one_and_the_next_letter_is_none(n_options):
    last, beyond = "ABCDEFGHIJK"[n_options - 1 : n_options + 1]
    for dialect, text in (("ringelmann", "FINAL: {}"), ("ledger", "Final Answer: {}"), ("ledger", "{}")):
        for case in (str.upper, str.lower):
            assert choice(text.format(case(last)), n_options, dialect).value == last, (dialect, case)
            assert choice(text.format(case(beyond)), n_options, dialect).value is None, (dialect, case)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("FINAL: heat flows (B) here", "B"),
        ("FINAL: heat flows **B** here", "B"),
        ("so C it is", "C"),
        ("FINAL: option C", "C"),
        ("I think\n(C)\nas said", "C"),
    ],
)
def test_the_span_of_a_letter_is_where_it_stands(text, span):
    for dialect in ("ringelmann", "ledger"):
        found = choice(text, 4, dialect)
        assert (found.value, found.start, found.end) == (span, text.index(span), text.index(span) + 1)


def test_what_is_ambiguous_has_no_span():
    for found in (choice("FINAL: A and C"), choice("FINAL: first (A), then (B)"), number("FINAL: 3 or 4")):
        assert (found.value, found.status, found.start, found.end) == (None, "ambiguous", -1, -1)


@pytest.mark.parametrize(
    ("text", "last_line"),
    [("I say\nB", "B"), ("I say\n(b)\n\n", "B"), ("I say\nB\nindeed", None), ("B", "B"), ("", None)],
)
@pytest.mark.parametrize("dialect", ["ringelmann", "ledger"])
def test_the_last_line_is_noted_where_it_is_a_letter(text, last_line, dialect):
    assert choice(text, 4, dialect).last_line == last_line


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ("The answer is B.\nI choose C.", "B", "p2_answer_is"),
        ("I choose C.\nAnswer: D", "C", "p2_answer_is"),
        ("I select it, and pick D", "D", "p2_answer_is"),
        ("answer: b\nC", "C", "p3_line"),
        ("B\nC\nlast", "C", "p3_line"),
        ("c\nthe end", "C", "p3_line"),
        ("Final Answer: A or B\nthe answer is C", None, "p1_tag"),
    ],
)
def test_the_order_of_the_ledgers_rules(text, value, rule):
    found = choice(text, 4, "ledger")
    assert (found.value, found.rule, found.confidence) == (value, rule, None)


def test_the_ledgers_option_stands_within_eighty_characters():
    assert choice("I choose" + " " * 79 + "B and not the other", 4, "ledger").rule == "p2_answer_is"
    assert choice("I choose" + " " * 80 + "B and not the other", 4, "ledger").rule == "p4_letter"


def test_the_ledgers_tags_are_counted_and_compared():
    found = choice("Final Answer: B\nFinal Answer: C\nFinal Answer: ?", 4, "ledger")
    assert (found.value, found.n_tags, found.tags_disagree) == ("C", 3, True)
    assert not choice("Final Answer: B\nFinal Answer: (B)", 4, "ledger").tags_disagree


def test_tags_that_say_the_same_do_not_disagree():
    assert choice("FINAL: B").tags_disagree is False
    assert choice("FINAL: B\nFINAL: (B)\nThe answer is C.").tags_disagree is False
    assert choice("FINAL: B\nANSWER: C").tags_disagree is True


def test_a_tag_of_the_ledger_ends_with_its_line_or_at_the_next():
    found = choice("Final Answer: ?\nthat is (B)\nthe end", 4, "ledger")
    assert (found.value, found.rule) == ("B", "p4_letter")
    found = choice("Final Answer: ? Final Answer: C, not (B)\nthe end", 4, "ledger")
    assert (found.value, found.n_tags, found.tags_disagree) == ("C", 2, False)


def test_only_the_last_thousand_tags_are_read():
    for tail, value in ((999, "A"), (1000, None)):
        assert choice("FINAL: A\n" + "FINAL: ?\n" * tail).value == value
        ledger = choice("Final Answer: A\n" + "Final Answer: ?\n" * tail, 4, "ledger")
        assert ledger.rule == ("p1_tag" if value else "p2_answer_is")
        assert number("\\boxed{1}" + "\\boxed{?}" * tail + " 2").value == ("1" if value else "2")
        assert choice("CONF: 70\n" + "CONF: ?\n" * tail).confidence == (70 if value else None)


@pytest.mark.parametrize(
    ("thought", "visible"),
    [
        ("<think>FINAL: B</think>so C", "C"),
        ("<thinking>FINAL: B</thinking>so C", "C"),
        ("<think>a<think>FINAL: B</think>so C", "C"),
        ("<THINK>FINAL: B</THINK>so C", "C"),
        ("FINAL: B</think>so <think>FINAL: A</think>C", "C"),
    ],
)
def test_thoughts_are_blanked_out_and_places_kept(thought, visible):
    found = choice(thought)
    assert (found.value, found.rule, found.truncated) == (visible, "last_letter", False)
    assert found.start == thought.rindex(visible)


@pytest.mark.parametrize(
    ("conf", "confidence"),
    [("<80\nso>", 80), ("\\frac{1}{2}", None), ("1e999", None), ("about 60", 60), ("high, 60", None), ("60 = 70", 60)],
)
def test_a_confidence_stands_at_the_head_of_its_line(conf, confidence):
    assert choice(f"FINAL: B\nCONF: {conf}").confidence == confidence


def test_what_stands_before_a_closing_mark_is_thought_from_its_first_letter_on():
    assert choice("B</think> hm").value is None
    assert choice("<think>B</think> hm").value is None


def test_a_thought_without_an_end_hides_all():
    found = choice("FINAL: B\n<think>well")
    assert found == (None, "missing", "", None, 0, False, True, -1, -1, None)
    assert found.tags_disagree is False


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("FINAL\uff1a\uff22", "B"),
        ("FINAL: \u201cB\u201d", "B"),
        ("FINAL: \u2018B\u2019", "B"),
        ("FINAL:\u3000B", "B"),
        ("FINAL: 1\u2028B", None),
        ("so\x85B", "B"),
    ],
)
def test_lookalikes_are_read_in_their_ascii_sense(written, read):
    assert choice(written).value == read


def test_a_letter_that_is_no_option_on_the_line_of_final_forbids_to_look_further():
    assert choice("FINAL: X\nSo it is (B)").value is None


@pytest.mark.parametrize("before", ["", "Well. "])
def test_a_thought_begins_where_the_first_of_its_marks_is(before):
    assert choice(f"{before}<think>FINAL: A <think> or not</think>").value is None
