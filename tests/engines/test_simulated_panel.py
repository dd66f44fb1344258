"""Simulated agents read the ledger's prompts as they read the others."""

import asyncio

import numpy as np
import pytest
from small_runs import small_items

from headcount.config import Population
from headcount.debate import panel
from headcount.debate.probe_prompts import BATTERY, argue
from headcount.debate.prompts import Peer
from headcount.engines.questions import questions
from headcount.engines.request import Identity, Place, Request
from headcount.engines.simulated import Simulated

IDENTITY = Identity("m", "w", "simulated", "auto", 0.95, 9, False, None)
ITEM = questions(small_items(1, options=4))["q0"]
STRENGTH = {"weak": 0.25, "moderate": 0.5, "strong": 0.75, "very_strong": 1.0}
ASKED = 2000


def letters(population, messages):
    engine = Simulated(population, {ITEM.id: ITEM})

    async def all_of_them():
        place = Place("t", "a", "debate", ITEM.id, 1, 3, 2, 2, 1)
        replies = [await engine.complete(Request(IDENTITY, messages, 0.4, seed, place)) for seed in range(ASKED)]
        return [panel.stated(ITEM, reply.text) for reply in replies]

    return np.array(asyncio.run(all_of_them()))


def near(share, expected):
    return abs(share - expected) <= 5 * np.sqrt(max(expected * (1 - expected), 1e-4) / ASKED)


@pytest.mark.parametrize("probe", BATTERY, ids=lambda probe: probe.name)
def test_a_probe_persuades_by_its_strength_and_by_those_behind_it(probe):
    population = Population(persuasion=0.3, redraw=0)
    said = letters(population, argue(ITEM, "default", probe, "B", "D"))
    weight = STRENGTH[probe.strength] * (3 if probe.social else 1)
    assert near(np.mean(said == "D"), 1 - 0.7**weight)
    assert set(said) == {"B", "D"}


@pytest.mark.parametrize(("peers", "holders"), [("CC", 2), ("CB", 1), ("BB", 2)])
def test_an_expert_follows_the_most_frequent_answer_among_the_others(peers, holders):
    voices = tuple(Peer(number, f"So.\nFinal Answer: {letter}") for number, letter in enumerate(peers, 2))
    said = letters(Population(adoption=0.2, redraw=0), panel.revision(ITEM, Peer(1, "So.\nFinal Answer: A"), voices))
    assert near(np.mean(said == peers[0]), 1 - 0.8**holders)
    assert set(said) == {"A", peers[0]}


def test_an_expert_alone_keeps_its_answer_or_thinks_again():
    alone = panel.revision(ITEM, Peer(1, "So.\nFinal Answer: D"), ())
    assert set(letters(Population(redraw=0), alone)) == {"D"}
    assert near(np.mean(letters(Population(redraw=0.4, accuracy=1), alone) == "A"), 0.4)
