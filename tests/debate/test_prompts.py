"""The words put to an agent."""

import re

import pytest
from code_items import DOUBLE, code_items
from hypothesis import given
from hypothesis import strategies as st
from small_runs import small_items

from headcount.debate.prompts import Peer, first, grammar, revision
from headcount.engines.questions import Question, questions
from headcount.extraction.extract import extract
from headcount.extraction.program import Stub

CHOICE = questions(small_items(1, options=5))["q0"]
NUMBER = questions(small_items(1))["q0"]
PROGRAM = questions(code_items())["q0"]
PEERS = (Peer(2, "FINAL: B\nCONF: 5"), Peer(7, "FINAL: C\nCONF: 6"))


def text(messages):
    ((role, words),) = messages
    assert role == "user"
    return words


def test_a_choice_names_every_option_and_the_letters_allowed():
    words = text(first(CHOICE))
    assert CHOICE.question in words
    assert all(f"{letter}) option 0-{index}\n" in words for index, letter in enumerate("ABCDE"))
    assert "FINAL: <one letter, A to E>" in words


def test_the_format_has_the_answer_first():
    for item in (CHOICE, NUMBER, PROGRAM):
        words = text(first(item))
        assert words.index("FINAL:") < words.index("CONF:") < words.index("RATIONALE:")


@pytest.mark.parametrize("item", [CHOICE, NUMBER])
def test_no_agent_is_told_the_gold(item):
    assert text(first(item)) == text(first(Question(item.id, item.question, item.choices, "another")))


@pytest.mark.parametrize("item", [CHOICE, NUMBER, PROGRAM])
def test_a_revision_begins_with_round_one_so_that_engines_reuse_it(item):
    assert text(revision(item, "FINAL: A", PEERS)).startswith(text(first(item)))


def test_a_program_is_asked_for_with_its_stub_alone_and_back_in_a_block():
    words = text(first(PROGRAM))
    assert f"```python\n{DOUBLE}```\n" in words
    assert "FINAL:\n```python\n<" in words
    assert PROGRAM.code.solution.strip() not in words
    assert "candidate" not in words


def test_the_prompts_own_example_is_no_program():
    stub = Stub(DOUBLE, "double")
    format_alone = text(first(PROGRAM)).partition("Reply in this format")[2]
    assert extract(format_alone, "code", None, stub=stub).value is None


def test_a_revision_shows_the_own_answer_and_the_peers_in_order_and_warns_of_them():
    words = text(revision(CHOICE, "FINAL: A\nCONF: 99", PEERS))
    assert "FINAL: A\nCONF: 99\n" in words
    assert re.findall(r"\[Agent (\d+)\]\nFINAL: (\S)\nCONF: (\d)\n", words) == [("2", "B", "5"), ("7", "C", "6")]
    assert "may be wrong" in words


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_no_text_is_changed_on_its_way(question, own, peer):
    """Neither escaped as HTML nor read as a template: `{{ x }}`, `<b>` and `&` are words like others."""
    item = Question("q", question + "{{ x }} <b> &", None, "1")
    words = text(revision(item, own + "{% if %}", (Peer(2, peer + "{# c #}"),)))
    assert item.question in words
    assert own + "{% if %}" in words
    assert peer + "{# c #}" in words


def test_a_grammar_admits_the_items_letters_or_an_integer():
    assert '"FINAL: " [ABCDE] ' in grammar(CHOICE, 60)
    assert '"FINAL: " integer ' in grammar(NUMBER, 60)
    assert '"FINAL:\\n```python\\n" [^`]+ ' in grammar(PROGRAM, 60)
    assert "60}" in grammar(CHOICE, 60)
    assert grammar(CHOICE, 61) != grammar(CHOICE, 60)
