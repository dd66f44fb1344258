"""The ledger's dialect: what the experts of a panel are told, and how they are read."""

import pyarrow.compute as pc
import pytest
from small_runs import ask_all, block, run, small_config, small_items, write_run

from headcount.answers.team import team_answers
from headcount.debate import panel
from headcount.debate.prompts import Peer
from headcount.engines.questions import Question, questions
from headcount.errors import UserError

ITEM = questions(small_items(1, options=5))["q0"]
EXPERTS = (Peer(1, "It is so.\nFinal Answer: B"), Peer(3, "I cannot tell."))
OWN = Peer(2, "Thus.\nFinal Answer: D")
SLOTS = {"sampling": {"slot_temperatures": [0.5, 0.7, 1.0]}}


def panels(conditions=("debate",), updates=3, **model):
    """Three experts of a simulated model on a task of choices."""
    config = small_config(
        models={"m": SLOTS | model},
        experiments={"e": block(conditions=list(conditions), sizes=[3], updates=updates)},
        tasks={"a": {"format": "mmlu_hard"}},
        protocol={"dialect": "ledger"},
    )
    return config, small_items(4, options=4)


def test_round_one_asks_an_expert_to_think_and_to_end_with_a_letter():
    ((role, text),) = panel.first(ITEM)
    assert role == "user"
    assert text.startswith("You are an expert")
    assert all(f"{letter}) option 0-{index}\n" in text for index, letter in enumerate("ABCDE"))
    assert text.index("step by step") < text.index("Final Answer: <one letter, A to E>")


def test_a_revision_shows_all_then_names_the_reader_then_asks_again():
    (system, _), (_, text) = panel.revision(ITEM, OWN, EXPERTS)
    assert system == "system"
    told = [
        "[Expert 1] answered: B\nIt is so.\nFinal Answer: B\n",
        "[Expert 2] answered: D\nThus.\nFinal Answer: D\n",
        "[Expert 3] answered: unclear\nI cannot tell.\n",
        "You are Expert 2.",
        "genuine logical error",
        f"Question: {ITEM.question}",
        "Final Answer: <one letter, A to E>",
    ]
    places = [text.index(part) for part in told]
    assert places == sorted(places)
    assert all(text.count(part) == 1 for part in told)


def test_experts_of_a_panel_read_the_same_text_up_to_who_they_are():
    (_, one), (_, other) = (
        panel.revision(ITEM, Peer(a, "x"), tuple(Peer(p, "x") for p in {1, 2, 3} - {a}))[1] for a in (1, 3)
    )
    assert one.partition("You are")[0] == other.partition("You are")[0]


def test_no_expert_is_told_the_gold():
    other = Question(ITEM.id, ITEM.question, ITEM.choices, "E")
    assert panel.first(ITEM) == panel.first(other)
    assert panel.revision(ITEM, OWN, EXPERTS) == panel.revision(other, OWN, EXPERTS)


def test_a_question_without_options_is_refused_by_name():
    with pytest.raises(UserError, match="item q0: asks for no option"):
        panel.first(questions(small_items(1))["q0"])


def test_each_round_shows_the_whole_replies_of_the_round_before_and_none_older():
    asked = ask_all(*panels(sampling=SLOTS["sampling"] | {"max_tokens": 9}))
    for request in asked["debate"].requests:
        place, text = request.place, request.messages[-1][1]
        before = asked["draws" if place.round == 2 else "debate"]
        last = [before.text(item=place.item, agent=agent, round=place.round - 1) for agent in (1, 2, 3)]
        said = text.partition("You are Expert")[0]
        assert all(f"[Expert {agent}] answered: " in said and last[agent - 1] in said for agent in (1, 2, 3))
        assert said.count("Final Answer: ") == sum("Final Answer: " in reply for reply in last)


def test_self_correction_shows_an_expert_itself_alone():
    asked = ask_all(*panels(["self_correction"], updates=1))
    text = asked["self_correction"].prompt(item="q1", agent=2)
    assert text.count("[Expert ") == text.count("[Expert 2] answered: ") == 1


def test_noise_shows_other_questions_answers_whole_and_the_experts_own_in_truth():
    asked = ask_all(*panels(["noise"], updates=1))
    draws = asked["draws"]
    text = asked["noise"].prompt(item="q1", agent=2)
    assert f"[Expert 2] answered: {draws.text(item='q1', agent=2)[-1]}\n{draws.text(item='q1', agent=2)}\n" in text
    for peer in (1, 3):
        assert any(f"{draws.text(item=item, agent=peer)}\n" in text for item in ("q0", "q2", "q3"))


def test_temperatures_are_those_of_the_slots_in_every_round():
    asked = ask_all(*panels())
    for part in asked.values():
        assert {(r.place.agent, r.temperature) for r in part.requests} == {(1, 0.5), (2, 0.7), (3, 1.0)}


def test_panels_are_read_by_the_ledgers_rules(tmp_path):
    config, items = panels(population={"missing": 0.2})
    write_run(run(config, items, tmp_path / "cache"), items, tmp_path / "results")
    answers = team_answers(config, "t", tmp_path / "results")
    assert answers.num_rows == 4 * 3 * 4
    rules = dict(zip(answers["rule"].to_pylist(), answers["status"].to_pylist(), strict=True))
    assert rules == {"p1_tag": "parsed", "": "missing"}
    assert set(answers.filter(pc.equal(answers["rule"], "p1_tag"))["n_tags"].to_pylist()) == {1}
