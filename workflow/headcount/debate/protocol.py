"""Teams at work: each waits for its members' last round, shows each what its condition says, and asks again.

A team is a coroutine. Nothing waits for another item, so that a server's batch stays full.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from headcount.config import Config, Team
from headcount.debate.dialects import DIALECTS, Dialect
from headcount.debate.peers import Strangers, hear
from headcount.debate.planner import NESTED, Cell, Pool, Shape
from headcount.debate.prompts import Messages, Peer
from headcount.debate.snippets import cut, length
from headcount.engines.questions import Question
from headcount.engines.request import Identity, Place, Request, Response, identify
from headcount.seeds import seed31, seed64


class Reply(NamedTuple):
    """A response in its place: what was asked, under which key, and what came back."""

    place: Place
    model: str
    key: str
    response: Response


class DrawKey(NamedTuple):
    """Where a round-1 response is kept: its model's agent, whatever teams that agent is on."""

    model: str
    item: str
    replicate: int
    n: int
    agent: int


T = TypeVar("T")
Ask = Callable[[str, Request], Awaitable[Response]]  # (model, request) -> response
Draws = Mapping[DrawKey, Reply]


@dataclass(frozen=True)
class Setting:
    """What all requests of a run share."""

    config: Config
    items: Mapping[str, Question]

    @property
    def dialect(self) -> Dialect:
        return DIALECTS[self.config.protocol.dialect]

    @property
    def longest_snippet(self) -> int:
        """Tokens of a reply that others are shown."""
        return self.config.protocol.snippet_tokens if self.dialect.cuts else sys.maxsize

    def request(self, model: str, place: Place, slot: int, messages: Messages) -> Request:
        """The request of a model's agent; `slot` is its number among its model's agents on the team."""
        settings = self.config.models[model]
        n = NESTED if self.config.protocol.nesting == "nested" else place.n
        seed = seed31("agent", self.config.seed, place.item, place.replicate, slot, place.round, n)
        return Request(self._identity(model, place.item), messages, settings.sampling.of_agent(slot), seed, place)

    def _identity(self, model: str, item: str) -> Identity:
        settings = self.config.models[model]
        held = self.dialect.grammar(self.items[item], settings.rationale_characters) if settings.grammar else None
        return identify(model, settings, held)

    def draw_key(self, team: Team, item: str, replicate: int, n: int, agent: int) -> DrawKey:
        """Where the round-1 response of a team's agent is kept."""
        label = NESTED if self.config.protocol.nesting == "nested" else n
        return DrawKey(team.member(agent), item, replicate, label, team.slot(agent))


async def draw(setting: Setting, pool: Pool, item: Question, ask: Ask) -> list[Reply]:
    """Round 1 of every agent that a model lends to any team, on one item."""

    async def one(n: int, agent: int, replicate: int) -> Reply:
        place = Place(pool.model, pool.task, "draws", item.id, replicate, n, 0, 1, agent)
        request = setting.request(pool.model, place, agent, setting.dialect.first(item))
        return Reply(place, pool.model, request.key, await ask(pool.model, request))

    return await together(
        one(n, agent, replicate) for n, replicate, agents in pool.sizes for agent in range(1, agents + 1)
    )


@dataclass(frozen=True)
class Debate:
    """The revision rounds of a cell: who hears what is all that the conditions differ in."""

    setting: Setting
    cell: Cell
    draws: Draws
    ask: Ask
    strangers: Mapping[tuple[str, int, int, int], Strangers]

    async def item(self, item: Question) -> list[Reply]:
        """All revisions of all the cell's teams on one item."""
        teams = (self._team(item, shape, replicate) for shape, replicate in self._teams())
        return [reply for team in await together(teams) for reply in team]

    def _teams(self) -> Iterator[tuple[Shape, int]]:
        for shape in self.cell.shapes:
            if shape.speaks or self.cell.condition == "self_correction":
                yield from ((shape, replicate) for replicate in range(1, shape.replicates + 1))

    async def _team(self, item: Question, shape: Shape, replicate: int) -> list[Reply]:
        last = [self._draw(item, replicate, shape.n, agent) for agent in range(1, shape.n + 1)]
        replies: list[Reply] = []
        for round_ in range(2, shape.updates + 2):
            places = [self._place(item, replicate, shape, round_, agent) for agent in range(1, shape.n + 1)]
            last = await together(self._revise(item, place, last) for place in places)
            replies += last
        return replies

    async def _revise(self, item: Question, place: Place, last: list[Reply]) -> Reply:
        team = self.setting.config.teams[self.cell.team]
        model = team.member(place.agent)
        own = Peer(place.agent, self._snippet(last[place.agent - 1]))
        messages = self.setting.dialect.revision(item, own, self._peers(place, last))
        request = self.setting.request(model, place, team.slot(place.agent), messages)
        return Reply(place, model, request.key, await self.ask(model, request))

    def _peers(self, place: Place, last: list[Reply]) -> tuple[Peer, ...]:
        if self.cell.condition == "self_correction":
            return (Peer(place.agent, self._snippet(last[place.agent - 1])),)
        seed = self.setting.config.seed
        heard = hear(seed, place.item, place.replicate, place.n, place.k, place.round, place.agent)
        if self.cell.condition == "noise":
            return tuple(Peer(peer, self._noise(place, peer)) for peer in heard)
        return tuple(Peer(peer, self._snippet(last[peer - 1])) for peer in heard)

    def _noise(self, place: Place, peer: int) -> str:
        """The peer's round-1 answer to another item, as long as its round-1 answer to this one."""
        own = self._key(place.item, place.replicate, place.n, peer)
        limit = min(length(self.draws[own].response), self.setting.longest_snippet)
        rank = seed64("noise", self.setting.config.seed, place.item, place.replicate, place.agent, place.round, peer)
        pool = self.strangers[own.model, own.replicate, own.n, own.agent]
        donor = own._replace(item=pool.donor(rank, place.item, limit))
        return cut(self.draws[donor].response, limit)

    def _snippet(self, reply: Reply) -> str:
        return cut(reply.response, self.setting.longest_snippet)

    def _draw(self, item: Question, replicate: int, n: int, agent: int) -> Reply:
        return self.draws[self._key(item.id, replicate, n, agent)]

    def _key(self, item: str, replicate: int, n: int, agent: int) -> DrawKey:
        return self.setting.draw_key(self.setting.config.teams[self.cell.team], item, replicate, n, agent)

    def _place(self, item: Question, replicate: int, shape: Shape, round_: int, agent: int) -> Place:
        cell = self.cell
        return Place(cell.team, cell.task, cell.condition, item.id, replicate, shape.n, shape.k, round_, agent)


def strangers(draws: Draws) -> dict[tuple[str, int, int, int], Strangers]:
    """For each agent of each model, the lengths of its round-1 answers to all items."""
    lengths: dict[tuple[str, int, int, int], dict[str, int]] = {}
    for key, reply in draws.items():
        lengths.setdefault((key.model, key.replicate, key.n, key.agent), {})[key.item] = length(reply.response)
    return {agent: Strangers.of(of_items) for agent, of_items in lengths.items()}


async def in_turn(items: Iterable[Question], work: Callable[[Question], Awaitable[list[T]]], in_flight: int) -> list[T]:
    """Work on a bounded number of items at once, and give back all replies."""
    gate = asyncio.Semaphore(in_flight)

    async def one(item: Question) -> list[T]:
        async with gate:
            return await work(item)

    return [reply for replies in await together(one(item) for item in items) for reply in replies]


async def together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of concurrent work, in its order; where one fails, the others are stopped."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one) for one in work]
    return [task.result() for task in tasks]
