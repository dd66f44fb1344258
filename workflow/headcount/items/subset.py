"""A seeded sample of items that barely moves when the set does."""

import hashlib
from collections.abc import Sequence

from headcount.items.item import Item


def rank(seed: int, item: str) -> bytes:
    """An item's place in the draw: SHA-256 of the seed and its name."""
    return hashlib.sha256(f"{seed}:{item}".encode()).digest()


def subset(items: Sequence[Item], size: int | None, seed: int) -> list[Item]:
    """The `size` items of smallest rank, all of them if there are fewer or `size` is None.

    Ranks depend on nothing but seed and name. So the order of rows does not matter, a smaller subset lies
    within a larger one, and a new row displaces at most one member. (It must be able to displace one: a
    sample that a new row never enters would not be uniform over the new set.)
    """
    return sorted(items, key=lambda item: (rank(seed, item.id), item.id))[:size]
