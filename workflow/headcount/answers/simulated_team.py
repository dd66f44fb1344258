"""A configured team of simulated agents before a task's items: all answers that it can give, and its rounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from headcount.config import Config
from headcount.debate.planner import NESTED, Cell, Shape
from headcount.engines.questions import Question
from headcount.engines.simulated import LEAST_SHARE, LEAST_SURE, MOST_SURE
from headcount.engines.simulated_answers import Known, know, known_answers
from headcount.populations.answers import FloatArray, IntArray
from headcount.populations.debates import Talk, play
from headcount.populations.noise import Noise
from headcount.populations.simulate import chunks
from headcount.populations.teams import CONFIDENCE, Members, Round, Team
from headcount.populations.words import named, uniform

NOWHERE = -2  # the id of a rank that an item does not have


@dataclass(frozen=True)
class Block:
    """Turns of one shape in one repetition, (items, rounds * agents).

    Attributes:
        shape: of the team.
        ids: of answers; -1 for none.
        confidence: as agents state it.
    """

    shape: Shape
    replicate: int
    ids: IntArray
    confidence: IntArray


@dataclass(frozen=True)
class Sitting:
    """A team of a configuration, and a task.

    Attributes:
        items: the questions, in the order of their names.
        texts: the answers that anybody can give, by id.
        team: of the largest size.
    """

    config: Config
    name: str
    items: tuple[Question, ...]
    texts: tuple[str, ...]
    team: Team

    @classmethod
    def of(cls, config: Config, name: str, items: Mapping[str, Question], agents: int) -> "Sitting":
        ordered = tuple(items[item] for item in sorted(items))
        models = sorted(set(config.teams[name].members))
        known = {model: [_know(config, model, item) for item in ordered] for model in models}
        texts = _texts(ordered, known)
        ids = {text: place for place, text in enumerate(texts)}
        members = tuple(_members(config, model, ordered, known[model], ids) for model in models)
        seats = range(1, agents + 1)
        team = Team(
            members,
            np.array([models.index(config.teams[name].member(agent)) for agent in seats]),
            np.array([config.teams[name].slot(agent) for agent in seats]),
            np.array([named("item", item.id) for item in ordered], dtype=np.uint64),
            np.array([ids[item.gold] for item in ordered]),
        )
        return cls(config, name, ordered, tuple(texts), team)

    def blocks(self, cell: Cell, at: IntArray) -> Iterator[Block]:
        """All turns on some items, in the order of their keys."""
        most = max(shape.replicates for shape in cell.shapes)
        for replicate, shape in product(range(1, most + 1), sorted(cell.shapes)):
            if replicate <= shape.replicates:
                yield self._block(cell, shape, replicate, at)

    def logprobs(self, ids: IntArray, agents: IntArray, at: IntArray) -> FloatArray:
        """Log-probability of fresh answers, (items, turns); of no answer any number.

        Args:
            agents: (turns,), places of agents.
        """
        found = np.empty(ids.shape)
        for place, member in enumerate(self.team.members):
            seats = np.flatnonzero(self.team.model[agents] == place)
            ranks = member.ranks(at, ids[:, seats])
            shares = np.where(ranks >= 0, member.answers.shares[at[:, None], np.maximum(ranks, 0)], 0.0)
            found[:, seats] = np.round(np.log(np.maximum(shares, LEAST_SHARE)), 4)
        return found

    def _block(self, cell: Cell, shape: Shape, replicate: int, at: IntArray) -> Block:
        team, talk = self.team.of(slice(shape.n)), self._talk(cell, shape, replicate)
        label = self._label(shape)
        parts = []
        for part in np.split(at, range(_step(shape.n), len(at), _step(shape.n))):
            first = team.first(Round(part, replicate, 1, label))
            parts.append(play(team, talk, part, replicate, first))
        spoken = [Round(at, replicate, 1, label)]
        for number in range(2, shape.updates + 2):
            spoken.append(Round(at, replicate, number, talk.team) if talk.speaks else spoken[0])
        sure = [uniform(team.places(turn), CONFIDENCE) for turn in spoken]
        confidence = LEAST_SURE + np.floor(np.stack(sure, axis=1) * (MOST_SURE - LEAST_SURE))
        return Block(shape, replicate, np.concatenate(parts).reshape(len(at), -1), confidence.reshape(len(at), -1))

    def _label(self, shape: Shape) -> int:
        return NESTED if self.config.protocol.nesting == "nested" else shape.n

    def _talk(self, cell: Cell, shape: Shape, replicate: int) -> Talk:
        """What an agent that corrects itself says is the same on all teams, as its prompts are."""
        own = self._label(shape)
        if cell.condition != "self_correction":
            own = int(named("team", self.name, cell.condition, shape.n, shape.k))
        cut = self.config.protocol.dialect == "ringelmann"
        strange = self._noise[replicate, self._label(shape)] if cell.condition == "noise" and shape.speaks else None
        return Talk(cell.condition, shape.k, shape.updates, own, alone=cut, strange=strange)

    @cached_property
    def _noise(self) -> "Strangers":
        return Strangers(self)


class Strangers(dict[tuple[int, int], Noise]):
    """What agents said about other items, by repetition and label; made when it is first asked for."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self._sitting = sitting

    def __missing__(self, key: tuple[int, int]) -> Noise:
        replicate, label = key
        sitting, every = self._sitting, np.arange(len(self._sitting.items))
        first = sitting.team.first(Round(every, replicate, 1, label))
        options = [len(item.choices or ()) for item in sitting.items]
        known = np.array(options) if any(options) else None
        self[key] = Noise.of(first, cut_tells=sitting.config.protocol.dialect == "ringelmann", known=known)
        return self[key]


def _step(n: int) -> int:
    return len(next(chunks(2**31, n)))


def _know(config: Config, model: str, item: Question) -> Known:
    return know(config.models[model].population, config.models[model].family, item)


def _texts(items: tuple[Question, ...], known: Mapping[str, list[Known]]) -> list[str]:
    """Every answer once; letters of options in their order, so that an option's id is its place."""
    letters = max((item.letters for item in items), key=len)
    wrong = (text for of_model in known.values() for one in of_model for text in one.wrong)
    return list(dict.fromkeys([*letters, *(item.gold for item in items), *wrong]))


def _members(
    config: Config, model: str, items: tuple[Question, ...], known: list[Known], ids: Mapping[str, int]
) -> Members:
    answers = known_answers(known)
    table = np.full(answers.shares.shape, NOWHERE)
    for row, (item, one) in enumerate(zip(items, known, strict=True)):
        table[row, : len(one.wrong) + 1] = [ids[text] for text in (item.gold, *one.wrong)]
    word = named("simulated", config.seed, model)
    return Members(config.models[model].population, word, answers, table)
