"""Whom an agent hears: all the others, k of them drawn anew each round, or strangers to the question."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.errors import UserError
from headcount.seeds import digest, mix, seed64


def hear(seed: int, item: str, replicate: int, n: int, k: int, round_: int, agent: int) -> tuple[int, ...]:
    """The k agents of a team of n that an agent hears in a round, in ascending order.

    Drawn without replacement by hash rank, so that no choice depends on another agent, round or item.
    """
    others = [other for other in range(1, n + 1) if other != agent]
    if k == len(others):
        return tuple(others)
    ranked = sorted(others, key=lambda other: digest("peers", seed, item, replicate, n, k, round_, agent, other))
    return tuple(sorted(ranked[:k]))


@dataclass(frozen=True)
class Strangers:
    """One peer's round-1 answers to all items, from which its noise is taken."""

    items: tuple[str, ...]
    places: Mapping[str, int]  # of the items
    ranks: NDArray[np.uint64]  # (items,), a hash of each item's id
    lengths: NDArray[np.int64]  # (items,), tokens of the answer

    @classmethod
    def of(cls, lengths: Mapping[str, int]) -> "Strangers":
        items = tuple(lengths)
        ranks = np.array([seed64("stranger", item) for item in items], dtype=np.uint64)
        places = {item: place for place, item in enumerate(items)}
        return cls(items, places, ranks, np.array(list(lengths.values()), dtype=np.int64))

    def donor(self, key: int, item: str, length: int) -> str:
        """The item whose answer stands in for the peer's answer of a given length to `item`.

        The first in the hash order of `key` that is long enough to be cut to the length; if none is, the longest.
        An unchosen item that comes or goes changes nothing.
        """
        order = mix(self.ranks ^ np.uint64(key))
        strange = np.arange(len(self.items)) != self.places.get(item, -1)
        if not strange.any():
            raise UserError(f"noise: {item} is the only item; noise takes other items' answers. Ask at least two.")
        enough = strange & (self.lengths >= length)
        if not enough.any():
            enough = strange & (self.lengths == self.lengths[strange].max())
        return self.items[int(np.argmin(np.where(enough, order, np.iinfo(np.uint64).max)))]
