"""Teams of simulated agents, many items at once: round 1, and revisions by the one rule.

Answers are ids: numbers that are equal where the texts are, whatever item they belong to; -1 is a reply without one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headcount.config import Population
from headcount.populations import hearing
from headcount.populations.answers import Answers, FloatArray, IntArray
from headcount.populations.rule import ACTS, FOLLOW, LEAVE, THINK, THOUGHTS, BoolArray, Heard, act, think
from headcount.populations.words import Words, joined, uniform

NONE = -1
_MISSING, _THOUGHT, _ACT, _OTHER, CONFIDENCE = 0, 1, 1 + THOUGHTS, 1 + THOUGHTS + ACTS, 2 + THOUGHTS + ACTS


@dataclass(frozen=True)
class Members:
    """The agents of one model, and what they answer to some items by themselves.

    Attributes:
        word: the model's, of which its agents' uniform numbers are made.
        ids: (items, answers), the id of each answer by rank; below NONE where an item has fewer.
    """

    population: Population
    word: Words
    answers: Answers
    ids: IntArray

    def ranks(self, item: IntArray, ids: IntArray) -> IntArray:
        """The rank of each id among an item's answers; -1 where it is none of them.

        Args:
            item: (rows,) places of items.
            ids: (rows, ...).
        """
        equal = self.ids[item].reshape(len(item), *(1,) * (ids.ndim - 1), -1) == ids[..., None]
        return np.where(equal.any(axis=-1), equal.argmax(axis=-1), -1)


@dataclass(frozen=True)
class Round:
    """Which turns are taken: of which items, in which repetition, by teams of what kind, in which round.

    Attributes:
        items: places of items.
        team: what tells these turns from others of the same agents; 0 where an agent is the same in all.
    """

    items: IntArray
    replicate: int
    number: int
    team: int = 0


@dataclass(frozen=True)
class Team:
    """Who sits where, and the items that are asked.

    Attributes:
        members: the models.
        model: (agents,), place of each agent's model among them.
        slot: (agents,), its number among its model's agents.
        words: (items,), a word of each item's name.
        gold: (items,), the id of the right answer.
    """

    members: tuple[Members, ...]
    model: IntArray
    slot: IntArray
    words: Words
    gold: IntArray

    @cached_property
    def _agents(self) -> Words:
        words = np.array([member.word for member in self.members], dtype=np.uint64)
        return joined(words[self.model], self.slot)

    def of(self, agents: slice) -> "Team":
        """Some of the agents."""
        return Team(self.members, self.model[agents], self.slot[agents], self.words, self.gold)

    def places(self, turn: Round) -> Words:
        """The word of every turn, (items, agents)."""
        when = joined(joined(self.words[turn.items], np.array(turn.replicate)), np.array(turn.number))
        return joined(joined(when, np.array(turn.team, dtype=np.uint64))[:, None], self._agents[None, :])

    def first(self, turn: Round) -> IntArray:
        """Ids of independent answers, (items, agents)."""
        places, ids = self.places(turn), np.empty((len(turn.items), len(self.model)), dtype=np.int64)
        for member, seats in self._seated():
            ids[:, seats] = _spoken(member, turn.items, places[:, seats], again=False)
        return ids

    def revised(self, turn: Round, own: IntArray, heard: hearing.Mode) -> IntArray:
        """Ids after one update, (items, agents).

        Args:
            own: ids before it.
            heard: the mode and how many peers hold it.
        """
        places, ids = self.places(turn), np.empty_like(own)
        for member, seats in self._seated():
            known = own[:, seats], heard[0][:, seats], heard[1][:, seats]
            ids[:, seats] = self._revised(member, turn.items, places[:, seats], *known)
        return ids

    def _seated(self) -> list[tuple[Members, IntArray]]:
        return [
            (member, seats)
            for place, member in enumerate(self.members)
            if (seats := np.flatnonzero(self.model == place)).size
        ]

    def _revised(
        self, member: Members, items: IntArray, places: Words, own: IntArray, mode: IntArray, holders: IntArray
    ) -> IntArray:
        there = mode >= 0
        heard = Heard(own < 0, there & (own == mode), there & (mode == self.gold[items][:, None]), holders)
        acts = act(member.population, heard, _uniforms(places, _ACT, ACTS))
        ids = np.where(acts == FOLLOW, mode, own)
        _put(ids, acts == THINK, items, places, lambda at, words, _: _thought(member, at, words, again=True))
        _put(ids, acts == LEAVE, items, places, lambda at, words, held: _other(member, at, words, held))
        return np.where(uniform(places, _MISSING) < member.population.missing, NONE, ids)


def _put(
    ids: IntArray,
    chosen: BoolArray,
    items: IntArray,
    places: Words,
    made: Callable[[IntArray, Words, IntArray], IntArray],
) -> None:
    """Make new answers for chosen agents, few of all, and put them in their places."""
    row, column = np.nonzero(chosen)
    if row.size:
        ids[row, column] = made(items[row], places[row, column], ids[row, column])


def _spoken(member: Members, items: IntArray, places: Words, *, again: bool) -> IntArray:
    """Thought, and said or not."""
    ids = _thought(member, items[:, None], places, again=again)
    return np.where(uniform(places, _MISSING) < member.population.missing, NONE, ids)


def _thought(member: Members, item: IntArray, places: Words, *, again: bool) -> IntArray:
    uniforms = _uniforms(places, _THOUGHT, THOUGHTS)
    return np.asarray(member.ids[item, think(member.population, member.answers, item, uniforms, again=again)])


def _other(member: Members, item: IntArray, places: Words, own: IntArray) -> IntArray:
    rank = member.answers.other(item, member.ranks(item, own), uniform(places, _OTHER))
    return np.where(rank >= 0, member.ids[item, np.maximum(rank, 0)], own)


def _uniforms(places: Words, start: int, count: int) -> FloatArray:
    return np.stack([uniform(places, start + number) for number in range(count)])
