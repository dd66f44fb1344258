"""Noise: for each peer that is heard, its round-1 answer to another item."""

from dataclasses import dataclass

import numpy as np

from headcount.errors import UserError
from headcount.populations.answers import IntArray
from headcount.populations.words import Words, joined, uniform


@dataclass(frozen=True)
class Noise:
    """What each agent said about other items, to be heard in place of what it said about this one.

    Where the peer answered, its answer to one of the other items that it answered, all equally likely: the protocol
    takes a reply that is as long. Where it did not, a reply to any other item, cut as short.

    Attributes:
        first: (items, agents), ids of round 1.
        order: (agents, items), places of items, those first that an agent answered.
        place: (items, agents), where an item stands in that order.
        answered: (agents,), how many an agent answered.
        cut_tells: whether a reply that is cut as short as a silent one still tells its answer.
        known: (items,), ids from here on are no answer to an item; none: all are.
    """

    first: IntArray
    order: IntArray
    place: IntArray
    answered: IntArray
    cut_tells: bool
    known: IntArray | None

    @classmethod
    def of(cls, first: IntArray, *, cut_tells: bool = True, known: IntArray | None = None) -> "Noise":
        if len(first) < 2:
            raise UserError("noise: there is only one item; noise takes other items' answers. Ask at least two.")
        order = np.argsort(first < 0, axis=0, kind="stable")
        place = np.empty_like(order)
        np.put_along_axis(place, order, np.arange(len(first))[:, None], axis=0)
        return cls(first, order.T, place, (first >= 0).sum(axis=0), cut_tells, known)

    def __call__(self, items: IntArray, places: Words, heard: IntArray) -> IntArray:
        """Ids that are heard, (items, agents, k).

        Args:
            items: places of items.
            places: (items, agents), words of the turns.
            heard: (items, agents, k), who is heard.
        """
        drawn, own = uniform(joined(places[:, :, None], heard + 1), 0), items[:, None, None]
        spoke = self.first[own, heard] >= 0
        others = np.where(spoke, self.answered[heard], len(self.first)) - 1
        rank = (drawn * others).astype(np.int64)
        rank += rank >= np.where(spoke, self.place[own, heard], own)
        donor = np.where(spoke, self.order[heard, np.minimum(rank, len(self.first) - 1)], rank)
        said = self.first[donor, heard]
        told = (others > 0) & (spoke | self.cut_tells)
        if self.known is not None:
            told &= said < self.known[own]
        return np.where(told, said, -1)
