"""What a cell is judged against: agents who answered the same items and heard nobody.

Agents agree because they are alike and read the same item. That is no conformity, and its amount is not known from the
cell alone. Each null says what is left of a cell without something:

    A  no talk and no rethinking: round 1.
    B  rethinking without talk: self-correction after as many rounds.
    C  talk with others: a second team of other agents, who did the same and never met the first.

What A leaves over may be no more than agents who each settle on one answer when they think again. So A alone calls
silent sharpening social, and B stands beside it. B in turn has read its own answer where a debate reads those of
others, and so differs from it in more than whose answers they are. C lacks one thing alone: its two teams never heard
each other. So what it leaves over is owed to hearing each other and to nothing else. But it leaves out what talk does
to both teams alike, such as taking each to the answer that most agents give anyhow: there A and B see more. And it
needs a second team (`null_teams` in a configuration).

Shares of the cell's own last answers, as if agents drew from them, are no null: for independent agents they give a
ratio of 1.13 to 1.40 where 1 is right.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from headcount.config import CONDITIONS
from headcount.laws.picked import Picked
from headcount.laws.series import Series, TaskRows, item_means, split_series
from headcount.measures.arrays import FloatArray, IntArray

ALL, FIRST, ADJUSTED = "all", "first", "adjusted"
TALK = ("debate", "noise")  # conditions that show an agent what others wrote
RETHINKING = "self_correction"


@dataclass(frozen=True)
class Side:
    """Teams of some sizes in one condition and round, and the rows that hold their measures."""

    rows: TaskRows
    series: Series

    def means(self, parts: FloatArray, sizes: IntArray) -> FloatArray:
        """What is averaged over items, by item and size, replicates averaged first.

        Args:
            parts: (rows of the series, parts).
            sizes: (wanted sizes,), some of those of the series.

        Returns:
            (items, wanted sizes, parts); NaN where an item has no value.
        """
        return item_means(self.rows, self.series, parts)[:, np.searchsorted(self.series.sizes, sizes)]

    @property
    def columns(self) -> Picked:
        """The columns of its rows, each (rows of the series,)."""
        return Picked(self.rows.columns, self.series.rows)


def sides(tables: Collection[TaskRows]) -> list[Side]:
    """All series of a task: of teams that were run, of means over all teams of n, of teams adjusted by round 1."""
    return [Side(rows, series) for rows in tables for series in split_series(rows)]


def revised(of_task: Sequence[Side]) -> Iterator[Side]:
    """What is judged: every revision of teams that were run, as it is and adjusted, and of all who think alone."""
    alone = {ALL} if any(_is(side, RETHINKING, ALL) for side in of_task) else {FIRST}
    for side in of_task:
        wanted = {FIRST, ADJUSTED} if side.series.condition in TALK else alone
        if side.series.round > 1 and side.rows.subsets in wanted:
            yield side


def nulls(side: Side, of_task: Sequence[Side]) -> Iterator[tuple[str, Side]]:
    """The nulls A and B of a series, where the run has them."""
    for name, null in (("A", _round_one(side, of_task)), ("B", _rethinking(side, of_task))):
        if null is not None:
            yield name, null


def common_sizes(side: Side, null: Side) -> IntArray:
    """Sizes of two and more that both have, (sizes,)."""
    both = np.intersect1d(side.series.sizes, null.series.sizes)
    return np.asarray(both[both > 1])


def _round_one(side: Side, of_task: Sequence[Side]) -> Side | None:
    """Round 1: all teams of n where known, else the very team that revised, before it did."""
    first = [other for other in of_task if other.series.round == 1]
    everybody = [other for other in first if other.rows.subsets == ALL]
    if everybody:
        of_condition = CONDITIONS.index  # of several, the most sizes; of these the paper's first condition
        return max(everybody, key=lambda other: (other.series.sizes.size, -of_condition(other.series.condition)))
    own = (side.series.condition, side.series.peers)
    same = [other for other in first if (other.series.condition, other.series.peers) == own]
    return next(iter(same), None)


def _rethinking(side: Side, of_task: Sequence[Side]) -> Side | None:
    """Self-correction after as many rounds, or after its last where it has fewer; none for self-correction itself."""
    if side.series.condition not in TALK:
        return None
    known = [
        other
        for subsets in (FIRST, ALL)
        for other in of_task
        if _is(other, RETHINKING, subsets) and 1 < other.series.round <= side.series.round
    ]
    everybody = [other for other in known if other.rows.subsets == ALL]
    return max(everybody or known, key=lambda other: (other.series.sizes.size, other.series.round), default=None)


def _is(side: Side, condition: str, subsets: str) -> bool:
    return side.series.condition == condition and side.rows.subsets == subsets
