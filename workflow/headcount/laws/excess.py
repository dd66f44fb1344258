"""What teams lose beyond what their agents lose without talking: cells against their nulls, with intervals.

A cell and its null are columns of one matrix, and share the item weights of all that the team does on the task: what
they have in common, such as hard items, cancels from their difference. `laws.nulls` says what each null is.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from headcount.laws.estimate import LAWS
from headcount.laws.frames import Part, join, pick
from headcount.laws.levels import ANSWER, POOLED_AGREEMENT, Level
from headcount.laws.newton import Bounds
from headcount.laws.nulls import Side, common_sizes, nulls, revised, sides
from headcount.laws.resamples import parameters_of
from headcount.laws.series import TaskRows, TeamRows, by_task, split_tasks, task_rows
from headcount.laws.settings import FitSettings, item_weights
from headcount.laws.social import COUNTS, OF_RIGHT, QUANTITIES, excess_share, social
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.correctness import share
from headcount.measures.intervals import Sample, bootstrap_means
from headcount.measures.scales import ANY, POSITIVE, SHARE, Scale, Scales
from headcount.schema import CROSS_PAIRS, EXCESS

WHOLE_CURVE = 0  # the n of what a curve has once, not at each size
READINGS = {  # how c and beta are read off: at which level, with beta in which range
    "paper": (ANSWER, LAWS["ringelmann"]),
    "answer": (ANSWER, LAWS["ringelmann_free"]),
    "agreement": (POOLED_AGREEMENT, LAWS["ringelmann_free"]),
}
BY_SIZE = ("log_n_eff_ratio", "log_n_eff_ratio_agreement", "kappa")
OF_CURVE = tuple(
    f"{number}_{reading}" for reading in READINGS for number in ("c", "beta", "c_null", "beta_null", "dc", "dbeta")
)


@dataclass(frozen=True)
class SocialRows(TeamRows):
    """What is known of a team, with rows of CROSS_PAIRS where sizes were run more than once."""

    cross_pairs: pa.Table | None = None


def excess_run(teams: Mapping[str, SocialRows], settings: FitSettings, simulated: Collection[str] = ()) -> pa.Table:
    """Excess of a run's cells over their nulls.

    Against A and B, after every revision, at each size N of two and more that both have:
        log_n_eff_ratio: ln[mean_i 2^H_i / mean_i U_i], U_i the mean of 2^H over the teams of the null; 1 - exp of it is
            the share of effective agents that are lost. log_n_eff_ratio_agreement is the same of N_eff by pooled pair
            agreement.
        kappa: (rhobar - Ubar) / (1 - Ubar), rhobar and Ubar equal pairs / pairs of cell and null over all items.
    Of the whole curve (n = 0), for each of READINGS: c and beta of the cell, of the null at the same sizes, and
    dc = c - c_null, dbeta = beta - beta_null. Agents who never talk have dbeta = 0 where a beta alone would not.

    Teams that talked stand there twice (`subsets`): as they were run, whose `c_paper` and `beta_paper` are the paper's
    reading, and adjusted by their first answers, which is steadier.

    Against C, in every round and condition of which sizes were run twice: the quantities of `social.social`. In round
    1, and where nobody is heard, they are 0 but for chance: a check.

    Args:
        teams: measures, subsets and pairs within and across teams, by team.
        settings: how sure we are; c lies in `c_bounds`.
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.EXCESS`, where there is a value. No interval from one item, nor where no item sets cell and null
        apart more than another, nor of the paper's reading: where beta sits at its bound one would be [0, 0], and sure
        of what it cannot know.
    """
    parts: list[Part] = []
    for team, tables in teams.items():
        asked = list(_asked(tables, settings, team))
        for each, estimates in zip(asked, _estimated(asked, settings), strict=True):
            about = {"team": team, "simulated": team in simulated} | each.about
            parts.append(_numbers(each, estimates, settings) | about)
    return join([pick(part, np.isfinite(part["value"])) for part in parts], EXCESS)


@dataclass(frozen=True)
class _Asked:
    """A series against one of its nulls.

    Attributes:
        about: the columns of EXCESS that name it.
        labels: quantity, n and n_items of each number.
        sizes: (sizes,).
        means: (1 + draws, columns), of all items, then of every draw.
        sample: makes intervals of estimates from the draws.
    """

    about: dict[str, Any]
    labels: Part
    sizes: IntArray
    means: FloatArray
    sample: Sample

    @property
    def both(self) -> FloatArray:
        """2^H, equal pairs and pairs of the cell and of its null, (1 + draws, 2, sizes, 3)."""
        return self.means.reshape(len(self.means), 2, self.sizes.size, 3)

    def n_eff(self, level: Level) -> FloatArray:
        """Of the cell and of its null, (1 + draws, 2, sizes)."""
        parts = self.both[..., :1] if level is ANSWER else self.both[..., 1:]
        flat = parts.reshape(-1, self.sizes.size, parts.shape[-1])
        return level.n_eff(flat, self.sizes).reshape(self.both.shape[:3])


def _asked(tables: SocialRows, settings: FitSettings, team: str) -> Iterator[_Asked]:
    interval = settings.interval(settings.n_boot)
    for task, known in _tasks(tables).items():
        weights = item_weights(len(known[0].items), settings, team, task)
        compared = [*_against_nulls(sides(known)), *_against_each_other(_across(tables, task, known[0]))]
        for about, labels, sizes, means in compared:
            values = means.reshape(len(means), -1)
            sample = interval.sample(values, weights)
            point = bootstrap_means(values, np.ones((1, len(values))))
            yield _Asked({"task": task} | about, labels, sizes, np.concatenate([point, sample.means]), sample)


def _tasks(tables: TeamRows) -> dict[str, list[TaskRows]]:
    """The rows of each task, of all kinds of subsets; the measures first."""
    tasks: dict[str, list[TaskRows]] = {}
    for task, rows in split_tasks(tables):
        tasks.setdefault(task, []).append(rows)
    return tasks


def _across(tables: SocialRows, task: str, known: TaskRows) -> list[Side]:
    """The series of a task that were run more than once, over the same items as all else."""
    rows = by_task(tables.cross_pairs).get(task) if tables.cross_pairs else None
    items = np.array(known.items, dtype=object)
    return [] if rows is None else sides([task_rows(rows, items, CROSS_PAIRS, "first")])


Compared = tuple[dict[str, Any], Part, IntArray, FloatArray]  # what names it, labels, sizes, (items, ...) to average


def _against_nulls(of_task: list[Side]) -> Iterator[Compared]:
    """(items, 2, sizes, 3): cell and null."""
    for side in revised(of_task):
        for name, null in nulls(side, of_task):
            sizes = common_sizes(side, null)
            if sizes.size:
                means = np.stack([each.means(_parts(each), sizes) for each in (side, null)], axis=1)
                labels = _labels_of_null(sizes, np.asarray(np.isfinite(means).all(axis=(1, 3))))
                yield {"null": name} | _key(side), labels, sizes, means


def _against_each_other(across: list[Side]) -> Iterator[Compared]:
    """(items, sizes, COUNTS and OF_RIGHT)."""
    for side in across:
        sizes = side.series.sizes[side.series.sizes > 1]
        if sizes.size:
            columns = side.columns
            means = side.means(np.stack([columns[name] for name in (*COUNTS, *OF_RIGHT)], axis=1), sizes)
            paired = means[:, :, [COUNTS.index("pairs"), COUNTS.index("cross_pairs")]] > 0
            yield {"null": "C"} | _key(side), _labels(QUANTITIES, sizes, np.asarray(paired.all(axis=2))), sizes, means


def _key(side: Side) -> dict[str, Any]:
    key = {"condition": side.series.condition, "peers": side.series.peers, "round": side.series.round}
    return key | {"subsets": side.rows.subsets}


def _parts(side: Side) -> FloatArray:
    """What is averaged over items: 2^H, equal pairs, pairs; (rows of the series, 3)."""
    columns = side.columns
    return np.concatenate([ANSWER.parts(columns), POOLED_AGREEMENT.parts(columns)], axis=1)


def _estimated(asked: Sequence[_Asked], settings: FitSettings) -> list[FloatArray]:
    """All numbers of each, (1 + draws, numbers), in the order of its labels; curves are fitted together."""
    curves = _curves([each for each in asked if each.about["null"] != "C" and each.sizes.size > 1], settings.c_bounds)
    return [
        social(each.means, each.sizes)
        if each.about["null"] == "C"
        else np.concatenate([_by_size(each), *(next(curves) if each.sizes.size > 1 else [])], axis=1)
        for each in asked
    ]


def _by_size(asked: _Asked) -> FloatArray:
    """BY_SIZE at each size."""
    ratios = [np.diff(-np.log(asked.n_eff(level)), axis=1)[:, 0] for level in (ANSWER, POOLED_AGREEMENT)]
    agreement = share(asked.both[..., 1], asked.both[..., 2])
    return np.concatenate([*ratios, excess_share(agreement[:, 0], agreement[:, 1])], axis=1)


def _curves(asked: Sequence[_Asked], c_bounds: tuple[float, float]) -> Iterator[list[FloatArray]]:
    """c and beta of the cell and of its null, and their differences, (1 + draws, 6) for each of READINGS."""
    read = []
    for level, beta in READINGS.values():
        r = [each.n_eff(level) / each.sizes for each in asked]
        sides = [(each.sizes, here[:, side]) for each, here in zip(asked, r, strict=True) for side in (0, 1)]
        read.append(parameters_of(sides, Bounds(c_bounds, beta)))
    for place in range(len(asked)):
        both = [(found[2 * place], found[2 * place + 1]) for found in read]
        yield [np.concatenate([seen, null, seen - null], axis=1) for seen, null in both]


def _labels_of_null(sizes: IntArray, known: BoolArray) -> Part:
    """Of BY_SIZE at each size, and of OF_CURVE where there is a curve."""
    labels = _labels(BY_SIZE, sizes, known)
    if sizes.size < 2:
        return labels
    at_any: BoolArray = np.asarray(known.any(axis=1, keepdims=True))
    more = _labels(OF_CURVE, np.array([WHOLE_CURVE]), at_any)
    return {name: np.concatenate([labels[name], more[name]]) for name in labels}


def _labels(names: Collection[str], sizes: IntArray, known: BoolArray) -> Part:
    """Quantity, size and number of items of each number, in the order of an estimator; `known` is (items, sizes)."""
    columns = {"quantity": np.repeat(np.array(names, dtype=object), sizes.size), "n": np.tile(sizes, len(names))}
    return columns | {"n_items": np.tile(known.sum(axis=0), len(names))}


def _numbers(asked: _Asked, estimates: FloatArray, settings: FitSettings) -> dict[str, Any]:
    """Labels with value, low and high."""
    names, items = asked.labels["quantity"].tolist(), asked.labels["n_items"]
    each = [_scale(name, settings.c_bounds) for name in names]
    scales = Scales.of(each, items=np.where([scale == SHARE for scale in each], items, 0))
    low, high, _ = asked.sample.ends(estimates[1:], settings.confidence, scales)
    of_difference = np.array([name.startswith(("log_", "kappa", "dc_", "dbeta_")) for name in names])
    unsure = (items < 2) | np.array([name.endswith("_paper") for name in names])
    unsure |= of_difference & (high - low < 1e-12)
    ends = {"low": np.where(unsure, np.nan, low), "high": np.where(unsure, np.nan, high)}
    return {**asked.labels, "value": estimates[0], **ends}


@cache
def _scale(quantity: str, c_bounds: tuple[float, float]) -> Scale:
    """Its scale and range, those of c, beta and agreement as wherever else these stand."""
    name, _, reading = quantity.rpartition("_")
    if name in ("c", "c_null"):
        return Scale("log", *c_bounds)
    if name in ("beta", "beta_null"):
        return Scale("plain", *READINGS[reading][1])
    at_most_one = Scale("plain", -np.inf, 1.0)
    of = {"kappa": at_most_one, "kappa_correctness": at_most_one, "n_eff_social": POSITIVE}
    return of.get(quantity, SHARE if quantity.startswith("agreement") else ANY)
