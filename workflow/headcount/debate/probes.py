"""A screen at work: each agent answers a question by itself, and is then argued with, once a probe.

The first answer has the temperature of the agent's slot; repairs and probes take the likeliest tokens. A probe argues
for an option that is neither the agent's own answer nor the right one, drawn by hash, so that a flip is never a
correction by the prober's knowledge. An agent whose first reply stays without an answer is asked no probe, and stays in
the tables as such.
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from headcount.config import ProbeCondition
from headcount.debate import panel, probe_prompts
from headcount.debate.planner import Screen
from headcount.debate.probe_prompts import REPAIRS, Probe, probes_of
from headcount.debate.prompts import Messages
from headcount.debate.protocol import Ask, Reply, Setting, together
from headcount.engines.questions import Question
from headcount.engines.request import Identity, Place, Request, identify
from headcount.seeds import digest, seed31

PROBE_LIMITS = LONGEST_PROBE, LONGEST_REPAIR = 512, 8  # tokens of a reply
INITIAL = "initial"


class ProbeReply(NamedTuple):
    """A reply to one question of a screen, and what that question argued for."""

    reply: Reply
    condition: ProbeCondition
    probe: str  # initial, repair_1, ..., or the name of a probe
    alternative: str | None


class Agent(NamedTuple):
    """Who is screened on what."""

    condition: ProbeCondition
    item: Question
    replicate: int
    slot: int


def chosen(items: pa.Table, count: int | None) -> pa.Table:
    """The first of some items by hash, in their order: a larger number holds a smaller one. All, for none."""
    ranks = sorted(items["item"].to_pylist(), key=lambda item: digest("probed", item))
    return items.filter(pc.is_in(items["item"], pa.array(ranks[:count], pa.string())))


def alternative(seed: int, item: Question, agent: int, own: str) -> str | None:
    """An option that is neither an agent's own answer nor the right one; None where there is none.

    Drawn by hash of question and agent, so that it is the same under all conditions where the answer is.
    """
    others = [letter for letter in item.letters if letter not in (own, item.gold)]
    return min(others, key=lambda letter: digest("alternative", seed, item.id, agent, letter), default=None)


@dataclass(frozen=True)
class Screening:
    """A screen, and whom to ask."""

    setting: Setting
    screen: Screen
    ask: Ask

    async def item(self, item: Question) -> list[ProbeReply]:
        """All replies of all agents to one item."""
        screen = self.screen
        agents = product(screen.conditions, range(1, screen.replicates + 1), range(1, screen.agents + 1))
        work = (self._agent(Agent(condition, item, replicate, slot)) for condition, replicate, slot in agents)
        return [reply for replies in await together(work) for reply in replies]

    async def _agent(self, agent: Agent) -> list[ProbeReply]:
        first = await self._first(agent)
        own = panel.stated(agent.item, first[-1].reply.response.text)
        other = alternative(self.setting.config.seed, agent.item, agent.slot, own) if own else None
        if own is None or other is None:
            return first
        return first + await together(self._probe(agent, probe, own, other) for probe in probes_of(self.screen.purpose))

    async def _first(self, agent: Agent) -> list[ProbeReply]:
        """The first reply, and those to repairs until one states an answer."""
        messages = probe_prompts.first(agent.item, agent.condition)
        replies = [await self._ask(agent, INITIAL, messages)]
        for attempt in range(1, REPAIRS + 1):
            said = replies[-1].reply.response.text
            if panel.stated(agent.item, said) is None:
                messages = probe_prompts.repair(agent.item, agent.condition, said, attempt)
                replies.append(await self._ask(agent, f"repair_{attempt}", messages))
        return replies

    async def _probe(self, agent: Agent, probe: Probe, own: str, other: str) -> ProbeReply:
        messages = probe_prompts.argue(agent.item, agent.condition, probe, own, other)
        return await self._ask(agent, probe.name, messages, other)

    async def _ask(self, agent: Agent, name: str, messages: Messages, other: str | None = None) -> ProbeReply:
        request = self._request(agent, name, messages)
        response = await self.ask(self.screen.model, request)
        return ProbeReply(Reply(request.place, self.screen.model, request.key, response), agent.condition, name, other)

    def _request(self, agent: Agent, name: str, messages: Messages) -> Request:
        screen, item = self.screen, agent.item
        place = Place(
            *(screen.model, screen.task, f"{screen.purpose} {agent.condition} {name}", item.id),
            *(agent.replicate, screen.agents, 0, 1 if name == INITIAL else 2, agent.slot),
        )
        sampling = self.setting.config.models[screen.model].sampling
        temperature = sampling.of_agent(agent.slot) if name == INITIAL else 0.0
        who = (screen.purpose, agent.condition, item.id, agent.replicate, agent.slot)
        seed = seed31("probe", self.setting.config.seed, *who, name)
        return Request(self._identity(item, name), messages, temperature, seed, place)

    def _identity(self, item: Question, name: str) -> Identity:
        model = self.setting.config.models[self.screen.model]
        repair = name.startswith("repair")
        held = None
        if model.grammar:
            held = probe_prompts.repair_grammar(item) if repair else panel.grammar(item, model.rationale_characters)
        longest = model.sampling.max_tokens
        limit = longest if name == INITIAL else min(longest, LONGEST_REPAIR if repair else LONGEST_PROBE)
        return replace(identify(self.screen.model, model, held), max_tokens=limit)
