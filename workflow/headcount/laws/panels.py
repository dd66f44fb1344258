"""What the tables about panels share: their panels, one set of item weights a task, and numbers with an interval."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import Estimator, bootstrap_means
from headcount.measures.panel import Panel, panels
from headcount.measures.scales import Scales
from headcount.schema import Table
from headcount.store import conform


@dataclass(frozen=True)
class Weighed:
    """A panel with the weights of its task's items.

    Attributes:
        team: its name.
        panel: what its models say.
        weights: (draws, items), those of every other number of the team and task.
        settings: how sure we are.
    """

    team: str
    panel: Panel
    weights: FloatArray
    settings: FitSettings

    @property
    def key(self) -> dict[str, Any]:
        """The columns that name it in a table."""
        panel = self.panel
        return {"team": self.team, "task": panel.task, "condition": panel.condition, "round": panel.round}

    @property
    def n_items(self) -> int:
        return int(np.unique(self.panel.item).size)

    def estimate(
        self, values: FloatArray, estimator: Estimator, scales: Scales | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Parameters and both ends of their intervals, each (parameters,).

        Args:
            values: (items, columns), NaN where an item has no value.
            estimator: parameters from the columns' means.
            scales: of the parameters; none: anything.

        Returns:
            value, low and high; no ends with fewer than two items, or where there is no value.
        """
        value = estimator(bootstrap_means(values, np.ones((1, len(values)))))[0]
        interval = self.settings.interval(self.settings.n_boot)
        low, high, _ = interval(values, estimator, self.weights, self.settings.confidence, scales)
        unsure = np.isnan(value) | (self.n_items < 2)
        return value, np.where(unsure, np.nan, low), np.where(unsure, np.nan, high)


def weighed_panels(answers: Mapping[str, pa.Table], settings: FitSettings) -> Iterator[Weighed]:
    """Every panel of a run's teams.

    Args:
        answers: rows of `schema.ANSWERS` by team.
        settings: how sure we are: the interval, its draws and their seed, as in `fit_run`.
    """
    for team, table in answers.items():
        for panel in panels(table):
            yield Weighed(team, panel, item_weights(len(panel.items), settings, team, panel.task), settings)


def as_table(frames: list[pd.DataFrame], table: Table) -> pa.Table:
    """Frames in a table's schema; NaN becomes null."""
    nothing = pd.DataFrame(columns=table.schema.names)
    return conform(pd.concat(frames) if frames else nothing, table, table.name)
