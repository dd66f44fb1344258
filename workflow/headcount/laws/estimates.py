"""Every quantity of a run, with an interval: one row a team, task, condition, round, size and quantity.

The quantities of a series are one function of one vector of means, so item weights are applied once for all of them,
and all of a task share their weights: what two rows have in common cancels from their difference.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.laws.derived import derived
from headcount.laws.frames import Part, join, pick
from headcount.laws.joined import TeamNumbers, joined_tasks
from headcount.laws.picked import Picked
from headcount.laws.quantities import CORRECT, COST, DIVERSITY, Quantity
from headcount.laws.quantities_of_moves import EXPOSED, MOVING, exposed
from headcount.laws.quantities_of_votes import ringelmann_of, rules_of, voting
from headcount.laws.series import Series, item_means, split_series
from headcount.laws.settings import FitSettings, Weights
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.intervals import Sample, bootstrap_means
from headcount.measures.scales import Scales
from headcount.schema import ESTIMATES

_ALWAYS = (*DIVERSITY, *CORRECT, *COST, *MOVING)  # whatever rules are counted
_ASKED = {name for quantity in _ALWAYS for name in quantity.columns}
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
    parts: list[Part] = []
    for team, numbers in teams.items():
        about = {"team": team, "simulated": team in simulated}
        told = list(_told(numbers, settings, team))
        for each, laws in zip(told, _laws([each.votes for each in told], settings), strict=True):
            parts += [{**part, **each.about, **about} for part in (_labelled(each, laws), *each.exposed)]
    return join(parts, ESTIMATES)


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

    def of_votes(self, means: NDArray[Any]) -> NDArray[Any]:
        """What the rules' laws are of, (..., sizes, rules), among means (..., sizes, columns)."""
        return means[..., [self.columns.index(f"vote_n_eff_{rule}") for rule in self.rules]]

    def scales(self, means: FloatArray) -> Scales:
        """Of `values`, each of the items that tell something of it; `means` is (items, sizes, columns)."""
        each = [quantity.scale for quantity in self.quantities for _ in self.sizes]
        known, some = (np.ascontiguousarray(np.moveaxis(each, 2, 0)) for each in (np.isfinite(means), means > 0))
        telling = [self._telling(quantity, known, some).sum(axis=0) for quantity in self.quantities]
        return Scales.of(each, np.tile(self.sizes, len(self.quantities)), np.concatenate(telling))

    def _telling(self, quantity: Quantity, known: BoolArray, some: BoolArray) -> BoolArray:
        """Whether an item tells of it at a size, (items, sizes), from which columns it has, and has more than 0 of."""
        has = known[self.places(quantity)].all(axis=0)
        counted = some[[self.columns.index(name) for name in quantity.counted]]
        return np.asarray(has & counted.any(axis=0)) if quantity.counted else np.asarray(has)


def _plan(series: Series, here: Mapping[str, FloatArray]) -> _Series:
    """What the columns of a series allow; a column without a single value is as good as none."""
    known = {name for name in here if (name in _ASKED or name.startswith("vote_")) and np.isfinite(here[name]).any()}
    rules = [rule for rule in rules_of(known) if _makes_a_curve(series, here[f"vote_n_eff_{rule}"])]
    every = (*_ALWAYS, *voting(rules_of(known)))
    quantities = [quantity for quantity in every if known.issuperset(quantity.columns)]
    return _Series(series.sizes, quantities, rules, sorted({name for each in quantities for name in each.columns}))


def _makes_a_curve(series: Series, column: FloatArray) -> bool:
    """Whether two sizes of two and more have a value."""
    sizes = np.unique(series.sizes[series.size[np.isfinite(column)]])
    return int((sizes >= 2).sum()) >= 2


Numbers = tuple[FloatArray, FloatArray, FloatArray]  # value, low and high, (numbers,) each


@dataclass(frozen=True)
class _Votes:
    """N_eff of the votes that the rules of a series count: (1, sizes, rules), and under every draw (draws, ...)."""

    sizes: IntArray
    point: FloatArray
    draws: FloatArray
    sample: Sample


@dataclass(frozen=True)
class _Told:
    """A series: what names it, its labels, its quantities, its votes, and the agents exposed."""

    about: dict[str, Any]
    labels: dict[str, Any]
    quantities: Numbers
    votes: _Votes
    exposed: list[Part]


def _told(numbers: TeamNumbers, settings: FitSettings, team: str) -> Iterator[_Told]:
    for task, rows in joined_tasks(numbers):
        rows = replace(rows, columns=rows.columns | derived(rows.columns))
        weights = Weights.of(len(rows.items), settings, team, task)
        for series in split_series(rows):
            here = Picked(rows.columns, series.rows)
            plan = _plan(series, here)
            means = item_means(rows, series, np.stack([here[name] for name in plan.columns], axis=1))
            about = {"task": task, "subsets": rows.subsets, "condition": series.condition, "peers": series.peers}
            known = np.isfinite(means)
            yield _Told(
                about | {"round": series.round},
                _labels(plan, known),
                _quantities(plan, means, weights.own, settings),
                _votes(plan, means, weights.paper, settings.paper),
                list(_exposed(series, here, known, plan)),
            )


def _quantities(plan: _Series, means: FloatArray, weights: FloatArray, settings: FitSettings) -> Numbers:
    """Each quantity at each size; `means` is (items, sizes, columns)."""
    table = means.reshape(len(means), -1)
    points = plan.values(bootstrap_means(table, np.ones((1, len(table)))))[0]
    interval = settings.interval(settings.n_boot)
    low, high, _ = interval(table, plan.values, weights, settings.confidence, plan.scales(means))
    return points, low, high


def _votes(plan: _Series, means: FloatArray, weights: FloatArray, settings: FitSettings) -> _Votes:
    votes = plan.of_votes(means)
    table = votes.reshape(len(votes), -1)
    sample = settings.interval(settings.n_boot).sample(table, weights)
    point, draws = (
        each.reshape(len(each), *votes.shape[1:])
        for each in (bootstrap_means(table, np.ones((1, len(table)))), sample.means)
    )
    return _Votes(plan.sizes, point, draws, sample)


def _laws(votes: Sequence[_Votes], settings: FitSettings) -> Iterator[Numbers]:
    """c and beta of each rule of each series, with the paper's interval; curves are fitted together."""
    points, draws = (
        ringelmann_of(
            [(each.sizes, here[:, :, rule]) for each, here in curves for rule in range(here.shape[2])], bounds
        )
        for curves, bounds in (
            ([(each, each.point) for each in votes], settings.c_bounds),
            ([(each, each.draws) for each in votes], settings.c_bounds_boot),
        )
    )
    first = 0
    for each in votes:
        rules = slice(first, first + each.point.shape[2])
        first = rules.stop
        value, every = (
            np.concatenate([np.empty((len(here), 0)), *found[rules]], axis=1)
            for here, found in ((each.point, points), (each.draws, draws))
        )
        low, high, _ = each.sample.ends(every, settings.confidence)
        yield value[0], low, high


def _labelled(told: _Told, laws: Numbers) -> Part:
    """All numbers of a series that items tell of."""
    points, low, high = (np.concatenate(both) for both in zip(told.quantities, laws, strict=True))
    unsure = (told.labels["n_items"] < 2) | np.isnan(points)
    ends = {"low": np.where(unsure, np.nan, low), "high": np.where(unsure, np.nan, high)}
    return pick({**told.labels, "value": points, **ends}, told.labels["n_items"] > 0)


def _labels(plan: _Series, known: BoolArray) -> dict[str, Any]:
    """Quantity, size and number of items of each number that the estimator gives, in its order."""
    columns = np.ascontiguousarray(np.moveaxis(known, 2, 0))
    items = [columns[plan.places(quantity)].all(axis=0).sum(axis=0) for quantity in plan.quantities]
    voted = plan.of_votes(known).any(axis=1).sum(axis=0)
    names = [quantity.name for quantity in plan.quantities]
    curves = [f"{parameter}_{rule}" for rule in plan.rules for parameter in ("c", "beta")]
    return {
        "quantity": np.array([*np.repeat(names, plan.sizes.size), *curves], dtype=object),
        "n": np.r_[np.tile(plan.sizes, len(names)), np.full(len(curves), WHOLE_CURVE)],
        "n_items": np.concatenate([*items, np.repeat(voted, 2)]),
    }


def _exposed(series: Series, here: Mapping[str, FloatArray], known: BoolArray, plan: _Series) -> Iterator[Part]:
    for name, column in EXPOSED.items():
        if column in plan.columns:
            items = known[:, :, plan.columns.index(column)].sum(axis=0)
            total = exposed(here[column], series.size, series.sizes.size)
            counted = {"n": series.sizes, "value": total, "low": np.nan, "high": np.nan, "n_items": items}
            yield pick(counted | {"quantity": name}, items > 0)
