"""Simulated agents are the population that their parameters say."""

import asyncio
from collections import Counter

import numpy as np
import pytest
from small_runs import run, small_config, small_items

from headcount.config import Population
from headcount.debate.prompts import Peer, first, revision
from headcount.engines.questions import questions
from headcount.engines.request import Identity, Place, Request
from headcount.engines.simulated import Simulated

IDENTITY = Identity("m", "w", "simulated", "auto", 0.95, 9, False, None)
ASKED = 2000


def said(answer):
    return f"FINAL: {answer}\nCONF: 50\nRATIONALE: simulated"


def answers(population, item, messages):
    """What many agents answer, alike but for their seeds; None where no answer is given."""
    engine = Simulated(population, {item.id: item})

    async def ask(seed):
        place = Place("t", "a", "debate", item.id, 1, 9, 8, 2, 1)
        reply = await engine.complete(Request(IDENTITY, messages, 0.4, seed, place))
        return reply.text.split()[1] if reply.text.startswith("FINAL: ") else None

    async def all_of_them():
        return [await ask(seed) for seed in range(ASKED)]

    return asyncio.run(all_of_them())


def surest(population, item):
    """The log-probability that stands on each answer's token, by answer."""
    engine = Simulated(population, {item.id: item})

    async def ask(seed):
        place = Place("t", "a", "debate", item.id, 1, 9, 8, 2, 1)
        return await engine.complete(Request(IDENTITY, first(item), 0.4, seed, place))

    async def all_of_them():
        return [await ask(seed) for seed in range(ASKED)]

    replies = asyncio.run(all_of_them())
    return {reply.text.split()[1]: reply.token_logprobs for reply in replies}


def near(share, expected):
    """Within five standard errors of a share of all that were asked."""
    return abs(share - expected) <= 5 * np.sqrt(max(expected * (1 - expected), 1e-4) / ASKED)


@pytest.fixture
def choice():
    return questions(small_items(1, options=4))["q0"]


@pytest.fixture
def number():
    return questions(small_items(1))["q0"]


def test_the_same_request_has_the_same_reply(choice):
    population = Population(missing=0.1)
    assert answers(population, choice, first(choice)) == answers(population, choice, first(choice))


@pytest.mark.parametrize("accuracy", [0.0, 0.3, 0.9, 1.0])
def test_without_spread_every_item_is_answered_right_as_often_as_the_accuracy_says(choice, accuracy):
    given = answers(Population(accuracy=accuracy, spread=0), choice, first(choice))
    assert near(np.mean([answer == choice.gold for answer in given]), accuracy)


def test_wrong_answers_are_the_other_options_each_less_likely_than_the_last(choice):
    given = answers(Population(accuracy=0.0, spread=0), choice, first(choice))
    counts = Counter(given)
    assert set(counts) == {"B", "C", "D"}
    shares = [count / ASKED for _, count in counts.most_common()]
    expected = np.array([1, 0.6, 0.36]) / 1.96
    assert all(near(share, value) for share, value in zip(shares, expected, strict=True))


def test_free_form_items_have_as_many_wrong_answers_as_asked_and_none_is_the_gold(number):
    given = answers(Population(accuracy=0.0, spread=0, distinct_wrong=5), number, first(number))
    assert len(set(given)) == 5
    assert number.gold not in given


def test_difficulties_have_the_mean_and_the_variance_of_the_population():
    """Shares right by item: Beta variance spread p (1 - p), and binomial variance p (1 - p) / agents beside it."""
    items, agents = questions(small_items(400, options=4)), 40
    engine = Simulated(Population(accuracy=0.6, spread=0.25), items)

    async def right(item):
        place = Place("t", "a", "draws", item.id, 1, 0, 0, 1, 1)
        replies = [await engine.complete(Request(IDENTITY, first(item), 0.4, s, place)) for s in range(agents)]
        return np.mean([reply.text.startswith(f"FINAL: {item.gold}\n") for reply in replies])

    async def all_of_them():
        return [await right(item) for item in items.values()]

    shares = asyncio.run(all_of_them())
    variance = 0.24 * 0.25 + 0.24 * 0.75 / agents  # law of total variance
    assert abs(np.mean(shares) - 0.6) < 5 * np.sqrt(variance / 400)
    assert abs(np.var(shares) / variance - 1) < 5 * np.sqrt(2 / 400)


def test_a_share_of_replies_has_no_answer(choice):
    given = answers(Population(missing=0.2), choice, first(choice))
    assert near(np.mean([answer is None for answer in given]), 0.2)


@pytest.mark.parametrize("holders", [0, 1, 2, 5])
def test_the_mode_is_adopted_with_one_chance_a_peer_that_holds_it(choice, holders):
    """1 - (1 - adoption)^m, whatever the minority says."""
    peers = tuple(Peer(i + 2, said("B")) for i in range(holders)) + ((Peer(9, said("C")),) if holders > 1 else ())
    given = answers(Population(adoption=0.3, redraw=0), choice, revision(choice, said("D"), peers))
    assert set(given) <= {"B", "D"}
    assert near(np.mean([answer == "B" for answer in given]), 1 - 0.7**holders)


def test_who_follows_nobody_thinks_again_with_the_chance_of_a_redraw(choice):
    population = Population(accuracy=1.0, spread=0, adoption=0, redraw=0.4)
    given = answers(population, choice, revision(choice, said("D"), (Peer(2, said("B")),)))
    assert near(np.mean([answer == choice.gold for answer in given]), 0.4)
    assert near(np.mean([answer == "D" for answer in given]), 0.6)


def test_who_had_no_answer_thinks_again(choice):
    population = Population(accuracy=1.0, spread=0, adoption=0, redraw=0)
    assert set(answers(population, choice, revision(choice, "I cannot tell.", ()))) == {choice.gold}


@pytest.mark.parametrize("condition", ["debate", "self_correction", "noise"])
def test_without_adoption_and_redraw_no_answer_ever_changes(tmp_path, condition):
    models = {"m": {"population": {"adoption": 0, "redraw": 0}}}
    made = run(small_config(sizes=(5,), conditions=(condition,), models=models), small_items(8), tmp_path)
    initial = {(row["item"], row["agent"]): row["text"].split()[1] for row in made.draws["m", "a"].to_pylist()}
    for row in made.turns["t", "a", condition].to_pylist():
        assert row["text"].split()[1] == initial[row["item"], row["agent"]]


def test_the_probability_of_the_answers_token_is_how_often_it_is_given(choice):
    population = Population(accuracy=0.5, spread=0)
    shares = Counter(answers(population, choice, first(choice)))
    for answer, logprobs in surest(population, choice).items():
        assert near(shares[answer] / ASKED, np.exp(logprobs[1]))
        assert set(logprobs[:1] + logprobs[2:]) == {0.0}
