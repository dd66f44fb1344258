"""What laws are fitted to where a cell has room for one round: N_eff at each size, after the last one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.levels import ANSWER, POOLED_AGREEMENT, Level
from headcount.laws.picked import Picked
from headcount.laws.series import Series, TaskRows, item_means, n_items, split_series
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import bootstrap_means
from headcount.measures.scales import Scales
from headcount.schema import Table
from headcount.store import conform

LEVELS = (ANSWER, POOLED_AGREEMENT)  # the paper's, and the one at which independent agents have beta = 0
Row = dict[str, object]


@dataclass(frozen=True)
class Profile:
    """A series at one level.

    Attributes:
        sizes: (sizes,), of two and more, ascending.
        values: (items, sizes x parts), what is averaged over items; NaN where an item has none.
        n_items: items that have any row.
    """

    level: Level
    sizes: IntArray
    values: FloatArray
    n_items: int

    def n_eff(self, means: FloatArray) -> FloatArray:
        """Effective team sizes, (draws, sizes), from means of `values`, (draws, sizes x parts)."""
        parts = self.values.shape[1] // self.sizes.size
        return self.level.n_eff(means.reshape(-1, self.sizes.size, parts), self.sizes)

    @property
    def scales(self) -> Scales:
        """Of the effective team sizes."""
        return self.level.scales(self.values.reshape(len(self.values), self.sizes.size, -1), self.sizes)

    def observed(self) -> FloatArray:
        """Effective team sizes with every item counted once, (sizes,)."""
        return np.asarray(self.n_eff(bootstrap_means(self.values, np.ones((1, self.values.shape[0]))))[0])


def profile(rows: TaskRows, series: Series, level: Level) -> Profile:
    """N_eff of a series at its sizes of two and more."""
    means = item_means(rows, series, level.parts(Picked(rows.columns, series.rows)))[:, series.sizes >= 2]
    values = means.reshape(len(rows.items), -1)
    return Profile(level, series.sizes[series.sizes >= 2], values, n_items(rows, series))


def last_series(rows: TaskRows) -> Iterator[Series]:
    """Each condition's series where nobody or everybody is heard, after its last round.

    That is the last of the rounds that were run at the most sizes: a sweep over peers runs a few sizes for more
    rounds. Self-consistency is round 1. A condition without a team of two or more has none.
    """
    whole = [series for series in split_series(rows) if series.peers in ("none", "full") and _n_sizes(series)]
    for name, group in groupby(whole, key=lambda series: series.condition):
        rounds = [series for series in group if name != "self_consistency" or series.round == 1]
        if rounds:
            yield max(rounds, key=lambda series: (_n_sizes(series), series.round))


def key_of(team: str, task: str, rows: TaskRows, series: Series) -> Row:
    """The columns that name a series in tables of estimates."""
    return {
        "team": team,
        "task": task,
        "condition": series.condition,
        "subsets": rows.subsets,
        "peers": series.peers,
        "round": series.round,
    }


def as_table(rows: Iterable[Row], table: Table) -> pa.Table:
    """Rows in a table's schema; NaN becomes null."""
    return conform(pd.DataFrame(list(rows), columns=table.schema.names), table, table.name)


def _n_sizes(series: Series) -> int:
    return int((series.sizes >= 2).sum())
