"""Every quantity of a run, with an interval: one row a team, task, condition, round, size and quantity.

The quantities of a series are one function of one vector of means, so item weights are applied once for all of them,
and all of a task share their weights: what two rows have in common cancels from their difference.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.derived import derived
from headcount.laws.joined import Columns, TeamNumbers, joined_tasks
from headcount.laws.quantities import CORRECT, COST, DIVERSITY, Quantity
from headcount.laws.quantities_of_moves import EXPOSED, MOVING, exposed
from headcount.laws.quantities_of_votes import ringelmann_of, rules_of, voting
from headcount.laws.series import Series, TaskRows, item_means, split_series
from headcount.laws.settings import FitSettings, Weights
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.intervals import Estimator, bootstrap_means
from headcount.measures.scales import Scales
from headcount.schema import ESTIMATES
from headcount.store import conform

WHOLE_CURVE = 0  # the n of what a series has once, not at each size


def estimate_run(teams: Mapping[str, TeamNumbers], settings: FitSettings, simulated: Collection[str] = ()) -> pa.Table:
    """Estimates of a run.

    Args:
        teams: all numbers by team.
        settings: how sure we are: the interval, its draws and their seed, as in `fit_run`.
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.ESTIMATES`, N = 1 included. Low and high are null with fewer than two items, and where there is
        no value; a value is null where its formula has none (no pair in a team of one).
    """
    frames = []
    for team, numbers in teams.items():
        for task, rows in joined_tasks(numbers):
            rows = replace(rows, columns=rows.columns | derived(rows.columns))
            weights = Weights.of(len(rows.items), settings, team, task)
            for series in split_series(rows):
                key: dict[str, Any] = {
                    "team": team,
                    "task": task,
                    "subsets": rows.subsets,
                    "simulated": team in simulated,
                }
                key |= {"condition": series.condition, "peers": series.peers, "round": series.round}
                frames += [frame.assign(**key) for frame in _frames(rows, series, weights, settings)]
    nothing = pd.DataFrame(columns=ESTIMATES.schema.names)
    return conform(pd.concat(frames) if frames else nothing, ESTIMATES, ESTIMATES.name)


@dataclass(frozen=True)
class _Series:
    """What a series can tell: its quantities and rules, and the columns that they are made from."""

    sizes: IntArray
    quantities: list[Quantity]
    rules: list[str]
    columns: list[str]

    def places(self, quantity: Quantity) -> list[int]:
        return [self.columns.index(name) for name in quantity.columns]

    def values(self, means: FloatArray) -> FloatArray:
        """Each quantity at each size, (draws, quantities x sizes), from means (draws, sizes x columns)."""
        by_size = means.reshape(-1, self.sizes.size, len(self.columns))
        return np.concatenate(
            [each.value(by_size[:, :, self.places(each)], self.sizes) for each in self.quantities], axis=1
        )

    def laws(self, c_bounds: tuple[float, float]) -> Estimator:
        """Means -> c and beta of each rule, the paper's law of the votes that it counts."""

        def estimate(means: FloatArray) -> FloatArray:
            by_size = means.reshape(-1, self.sizes.size, len(self.columns))
            n_eff = [by_size[:, :, self.columns.index(f"vote_n_eff_{rule}")] for rule in self.rules]
            return np.concatenate(_laws(n_eff, self.sizes, c_bounds) or [np.empty((len(means), 0))], axis=1)

        return estimate

    def scales(self, means: FloatArray) -> Scales:
        """Of `values`, each of the items that tell something of it; `means` is (items, sizes, columns)."""
        each = [quantity.scale for quantity in self.quantities for _ in self.sizes]
        telling = [self._telling(quantity, means).sum(axis=0) for quantity in self.quantities]
        return Scales.of(each, np.tile(self.sizes, len(self.quantities)), np.concatenate(telling))

    def _telling(self, quantity: Quantity, means: FloatArray) -> BoolArray:
        known = np.isfinite(means[:, :, self.places(quantity)]).all(axis=2)
        counted = means[:, :, [self.columns.index(name) for name in quantity.counted]]
        return np.asarray(known & ((counted > 0).any(axis=2) | (not quantity.counted)))


def _laws(n_eff: list[FloatArray], sizes: IntArray, c_bounds: tuple[float, float]) -> list[FloatArray]:
    """(c, beta) of each of several (draws, sizes), fitted all at once; each (draws, 2)."""
    if not n_eff:
        return []
    return np.split(ringelmann_of(np.concatenate(n_eff), sizes, c_bounds), len(n_eff))


def _plan(series: Series, here: Columns) -> _Series:
    """What the columns of a series allow; a column without a single value is as good as none."""
    known = {name for name, column in here.items() if np.isfinite(column).any()}
    rules = [rule for rule in rules_of(known) if _makes_a_curve(series, here[f"vote_n_eff_{rule}"])]
    every = (*DIVERSITY, *CORRECT, *COST, *MOVING, *voting(rules_of(known)))
    quantities = [quantity for quantity in every if known.issuperset(quantity.columns)]
    return _Series(series.sizes, quantities, rules, sorted({name for each in quantities for name in each.columns}))


def _makes_a_curve(series: Series, column: FloatArray) -> bool:
    """Whether two sizes of two and more have a value."""
    sizes = np.unique(series.sizes[series.size[np.isfinite(column)]])
    return int((sizes >= 2).sum()) >= 2


def _frames(rows: TaskRows, series: Series, weights: Weights, settings: FitSettings) -> Iterator[pd.DataFrame]:
    here = {name: column[series.rows] for name, column in rows.columns.items()}
    plan = _plan(series, here)
    means = item_means(rows, series, np.stack([here[name] for name in plan.columns], axis=1))
    table = means.reshape(len(rows.items), -1)
    every = bootstrap_means(table, np.ones((1, len(table))))
    points = np.r_[plan.values(every)[0], plan.laws(settings.c_bounds)(every)[0]]
    known = np.isfinite(means)
    labels = _labels(plan, known)
    ends = _ends(table, plan.values, weights.own, settings, plan.scales(means))
    ends_of_laws = _ends(table, plan.laws(settings.c_bounds_boot), weights.paper, settings.paper)
    low, high = (np.concatenate(both) for both in zip(ends, ends_of_laws, strict=True))
    frame = labels.assign(value=points, low=low, high=high)
    unsure = (frame["n_items"] < 2) | frame["value"].isna()
    frame.loc[unsure, ["low", "high"]] = np.nan
    yield frame[frame["n_items"] > 0]
    yield from _exposed(series, here, known, plan)


def _ends(
    values: FloatArray, estimator: Estimator, weights: FloatArray, settings: FitSettings, scales: Scales | None = None
) -> tuple[FloatArray, FloatArray]:
    low, high, _ = settings.interval(settings.n_boot)(values, estimator, weights, settings.confidence, scales)
    return low, high


def _labels(plan: _Series, known: BoolArray) -> pd.DataFrame:
    """Quantity, size and number of items of each number that the estimator gives, in its order."""
    items = [known[:, :, plan.places(quantity)].all(axis=2).sum(axis=0) for quantity in plan.quantities]
    voted = [known[:, :, plan.columns.index(f"vote_n_eff_{rule}")].any(axis=1).sum() for rule in plan.rules]
    names = [quantity.name for quantity in plan.quantities]
    curves = [f"{parameter}_{rule}" for rule in plan.rules for parameter in ("c", "beta")]
    return pd.DataFrame(
        {
            "quantity": [*np.repeat(names, plan.sizes.size), *curves],
            "n": [*np.tile(plan.sizes, len(names)), *[WHOLE_CURVE] * len(curves)],
            "n_items": np.concatenate([*items, np.repeat(np.array(voted, dtype=np.int64), 2)]),
        }
    )


def _exposed(series: Series, here: Columns, known: BoolArray, plan: _Series) -> Iterator[pd.DataFrame]:
    for name, column in EXPOSED.items():
        if column in plan.columns:
            items = known[:, :, plan.columns.index(column)].sum(axis=0)
            total = exposed(here[column], series.size, series.sizes.size)
            counted = {"n": series.sizes, "value": total, "low": np.nan, "high": np.nan, "n_items": items}
            yield pd.DataFrame(counted).assign(quantity=name)[items > 0]
