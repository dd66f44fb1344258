"""A share of a task's items: what one of several jobs asks of a cell, so that no job is too long or too large."""

from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True)
class Shard:
    """Number `index` of `count` shares, counted from 1. The shares are disjoint, and together they are all items.

    It is in no request, and its journal is read by all others: another count asks nothing again.
    """

    index: int = 1
    count: int = 1

    def of(self, items: pa.Table) -> pa.Table:
        """Its rows of an items table: every count-th, so that the subjects of a sorted table are spread."""
        return items.take(pa.array(range(self.index - 1, items.num_rows, self.count), pa.int64()))

    def named(self, name: str) -> str:
        """A name that no other shard has; that of a whole is left as it is."""
        return name if self.count == 1 else f"{name}-{self.index}-of-{self.count}"
