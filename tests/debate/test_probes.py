"""Screens: who is asked what, what is argued for, and what happens where nothing can be read."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_runs import block, keys_in, small_config, small_items

from headcount.debate.costs import screen_calls
from headcount.debate.generate import generate_probes
from headcount.debate.planner import plan
from headcount.debate.probe_prompts import BATTERY, SOLO
from headcount.debate.probes import Screening, alternative, chosen
from headcount.debate.protocol import Setting
from headcount.engines.questions import questions
from headcount.engines.request import Request, Response
from headcount.engines.simulated import Simulated

TEMPERATURES = [0.5, 0.7, 1.0]


def screened(population=None, options=4, items=3, **probing):
    """A simulated model that is probed on a task of choices, and the questions."""
    model = {"sampling": {"slot_temperatures": TEMPERATURES, "max_tokens": 900}, "population": population or {}}
    config = small_config(
        models={"m": model},
        experiments={"e": block(sizes=[3], tasks=["a", "b"])},
        tasks={
            "a": {"format": "mmlu_hard"},
            "b": {"format": "high_flip", "of": "a", "model": "m", "items": 2},
        },
        probing={"models": ["m"], "tasks": ["a"], **probing},
    )
    return config, small_items(items, options=options)


@dataclass
class Recorder:
    """An engine that keeps what it was asked; an agent's first `silent` replies state no answer."""

    engine: Simulated
    silent: int = 0
    requests: list[Request] = field(default_factory=list)

    async def ask(self, _: str, request: Request) -> Response:
        self.requests.append(request)
        place = request.place
        before = [r for r in self.requests if (r.place.item, r.place.agent) == (place.item, place.agent)]
        if len(before) <= self.silent:
            return Response("I would rather not say.", "stop", 1, 1)
        return await self.engine.complete(request)


def screen_all(config, items, purpose="probe", silent=0):
    """All replies and requests of a screen with nothing shared."""
    setting = Setting(config, questions(items))
    engine = Recorder(Simulated(config.models["m"].population, setting.items), silent)
    screening = Screening(setting, plan(config).screen(purpose, "m", "a"), engine.ask)

    async def work():
        return [reply for item in setting.items.values() for reply in await screening.item(item)]

    return asyncio.run(work()), engine.requests


def test_every_agent_answers_first_and_meets_eight_probes_under_each_system_prompt():
    config, items = screened()
    replies, requests = screen_all(config, items)
    names = Counter((reply.condition, reply.probe) for reply in replies)
    conditions = ("default", "anti_social", "anti_argument")
    assert names == {(c, name): 9 for c in conditions for name in ("initial", *(probe.name for probe in BATTERY))}
    assert len({request.key for request in requests}) == len(requests) == 3 * screen_calls(plan(config).screens[-1])
    assert len({request.messages[0] for request in requests}) == 3
    assert all(request.messages[0][0] == "system" for request in requests)


def test_first_answers_have_the_slots_temperature_and_probes_none():
    _, requests = screen_all(*screened())
    for request in requests:
        first = request.place.condition.endswith("initial")
        assert request.temperature == (TEMPERATURES[request.place.agent - 1] if first else 0)
        assert request.identity.max_tokens == (900 if first else 512)


def test_a_probe_carries_the_letter_of_the_first_answer_and_nothing_of_its_text():
    replies, requests = screen_all(*screened())
    first = {
        (r.condition, r.reply.place.item, r.reply.place.agent): r.reply.response.text[-1]
        for r in replies
        if r.probe == "initial"
    }
    told = {request.key: request.messages[-1][1] for request in requests}
    for condition, place, key, other in ((r.condition, r.reply.place, r.reply.key, r.alternative) for r in replies):
        if other is not None:
            own = first[condition, place.item, place.agent]
            assert f"Your answer to this question was: {own}\n" in told[key]
            assert "simulated" not in told[key]
            assert other not in (own, "A")  # A is right
            assert other in told[key].partition("Another agent says:")[2]


def test_social_probes_are_the_solo_ones_with_two_more_agents():
    replies, requests = screen_all(*screened(items=1))
    told = {request.key: request.messages[-1][1] for request in requests}
    texts = {(r.condition, r.reply.place.agent, r.probe): told[r.reply.key] for r in replies}
    for (condition, agent, probe), text in texts.items():
        if probe.endswith("_solo"):
            social = texts[condition, agent, probe.replace("_solo", "_social")]
            assert social != text
            assert text.splitlines() == [line.partition(" Two of the three")[0] for line in social.splitlines()]


@given(st.integers(3, 10), st.data())
def test_the_alternative_is_neither_right_nor_the_agents_own_and_any_other_may_be_it(options, data):
    items = list(questions(small_items(300, options=options)).values())
    own = data.draw(st.sampled_from(items[0].letters))
    drawn = Counter(alternative(1, item, agent, own) for item in items for agent in (1, 2, 3))
    others = set(items[0].letters) - {own, "A"}
    assert set(drawn) == others
    assert max(drawn.values()) / 900 < 1 / len(others) + 5 * (0.25 / 900) ** 0.5


def test_with_two_options_a_wrong_agent_cannot_be_argued_with():
    (item,) = questions(small_items(1, options=2)).values()
    assert alternative(1, item, 1, "B") is None
    assert alternative(1, item, 1, "A") == "B"


@pytest.mark.parametrize(("silent", "asked"), [(1, ["initial", "repair_1"]), (2, ["initial", "repair_1", "repair_2"])])
def test_a_first_reply_without_an_answer_is_asked_again_twice_at_most(silent, asked):
    replies, requests = screen_all(*screened(items=1, conditions=["default"]), silent=silent)
    assert [r.probe for r in replies if r.reply.place.agent == 1][: len(asked) + 1] == [*asked, "weak_solo"]
    repairs = [request for request in requests if "repair" in request.place.condition]
    assert {(request.temperature, request.identity.max_tokens) for request in repairs} == {(0, 8)}
    assert all([role for role, _ in r.messages] == ["system", "user", "assistant", "user"] for r in repairs)


def test_an_agent_that_never_answers_is_asked_no_probe():
    replies, _ = screen_all(*screened(items=1, conditions=["default"]), silent=9)
    assert [r.probe for r in replies] == ["initial", "repair_1", "repair_2"] * 3


def test_the_pass_that_chooses_questions_shares_no_request_with_the_one_that_is_reported():
    config, items = screened(conditions=["default"])
    replies, choosing = screen_all(config, items, "flip_pool")
    assert {reply.probe for reply in replies} == {"initial", *(probe.name for probe in SOLO)}
    _, reported = screen_all(config, items)
    assert not {request.key for request in choosing} & {request.key for request in reported}


def test_fewer_questions_are_some_of_more():
    items = small_items(20, options=4)
    few, more = (set(chosen(items, count)["item"].to_pylist()) for count in (5, 9))
    assert len(few) == 5
    assert few < more
    assert chosen(items, None) == items


def test_a_screen_is_asked_once_and_read_back_from_the_journal(tmp_path):
    config, items = screened(items=2)
    screen = plan(config).screen("probe", "m", "a")
    made = generate_probes(config, screen, items, tmp_path)
    assert len(keys_in(tmp_path)) == made.num_rows == 2 * screen_calls(screen)
    assert generate_probes(config, screen, items, tmp_path) == made
    assert len(keys_in(tmp_path)) == made.num_rows
