"""Simulated agents who write programs: real ones, which pass or fail as often as their parameters say."""

import asyncio
from collections import Counter

import numpy as np
import pytest
from code_items import code_draws, code_items

from headcount.answers.verdicts import judge, read_program
from headcount.config import Population
from headcount.debate.prompts import Peer, first, revision
from headcount.debate.snippets import cut
from headcount.engines.questions import questions
from headcount.engines.request import Identity, Place, Request
from headcount.engines.simulated import Simulated

IDENTITY = Identity("m", "w", "simulated", "auto", 0.95, 9, False, None)
ITEM = questions(code_items())["q0"]
ASKED = 1000


def replies(population, messages, asked=ASKED):
    engine = Simulated(population, {ITEM.id: ITEM})
    place = Place("t", "a", "debate", ITEM.id, 1, 9, 8, 2, 1)

    async def all_of_them():
        return [await engine.complete(Request(IDENTITY, messages, 0.4, seed, place)) for seed in range(asked)]

    return asyncio.run(all_of_them())


def programs(said):
    """How often each program was stated; None where none was."""
    return Counter(
        read_program(ITEM, {"text": reply.text, "finish_reason": reply.finish_reason}).value for reply in said
    )


def near(count, share):
    return abs(count / ASKED - share) <= 5 * np.sqrt(max(share * (1 - share), 1e-4) / ASKED)


@pytest.fixture(scope="module")
def fresh():
    return programs(replies(Population(accuracy=0.6, spread=0, missing=0.1), first(ITEM)))


def passing(stated):
    """Which programs pass everything, really run."""
    texts = [f"FINAL:\n```python\n{program}```" for program in stated if program]
    verdicts = judge(code_items(), [code_draws(texts)], None, threads=2)
    assert len(verdicts) == len(texts)
    return verdicts["passed"].to_pylist()


def test_programs_are_right_missing_and_different_as_often_as_the_parameters_say(fresh):
    right = {program: count for program, count in fresh.items() if program and "raise" not in program}
    assert near(fresh[None], 0.1)
    assert near(sum(right.values()), 0.9 * 0.6)
    assert all(near(count, 0.9 * 0.6 / 3) for count in right.values())
    assert len(right) == 3
    assert len(fresh) - len(right) - 1 > 1
    passed = Counter(passing(fresh))
    assert passed == {"111": 3, "000": len(fresh) - 4}


def test_a_peer_is_read_from_what_a_snippet_leaves_of_its_program():
    said = replies(Population(accuracy=1, spread=0, missing=0), first(ITEM), asked=1)[0]
    snippet = cut(said, 6)
    assert len(snippet) < len(said.text) / 2
    messages = revision(ITEM, "I cannot tell.", (Peer(2, snippet),))
    silent = programs(replies(Population(accuracy=0, spread=0, missing=0, adoption=1), messages, asked=50))
    assert len(silent) > 1  # nothing of its own to keep, and so it thinks
    own = f"FINAL:\n```python\nwrong_1 = 0\n{ITEM.question}"
    heard = programs(
        replies(Population(accuracy=0, spread=0, missing=0, adoption=1), revision(ITEM, own, (Peer(2, snippet),)), 50)
    )
    assert heard == {read_program(ITEM, {"text": said.text, "finish_reason": "stop"}).value: 50}


def test_an_agent_keeps_its_program():
    own = f"FINAL:\n```python\nwrong_1 = 0\n{ITEM.question}"
    kept = programs(replies(Population(redraw=0, missing=0, adoption=0), revision(ITEM, own, ()), 50))
    (program,) = kept
    assert program.startswith("wrong_1 = 0\n")


def test_the_token_that_names_a_program_says_how_likely_it_is():
    population = Population(accuracy=0.6, spread=0, missing=0)
    for reply in replies(population, first(ITEM), asked=20):
        (logprob,) = [value for value in reply.token_logprobs if value]
        if "right_" in reply.text:
            assert logprob == pytest.approx(np.log(0.2), abs=1e-4)
