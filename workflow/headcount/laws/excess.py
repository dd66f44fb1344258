"""What teams lose beyond what their agents lose without talking: cells against their nulls, with intervals.

A cell and its null are columns of one matrix, and share the item weights of all that the team does on the task: what
they have in common, such as hard items, cancels from their difference. `laws.nulls` says what each null is.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.estimate import LAWS
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.levels import ANSWER, POOLED_AGREEMENT
from headcount.laws.nulls import Side, common_sizes, nulls, revised, sides
from headcount.laws.series import TaskRows, TeamRows, by_task, split_tasks, task_rows
from headcount.laws.settings import FitSettings, item_weights
from headcount.laws.social import COUNTS, OF_RIGHT, QUANTITIES, excess_share, social
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.correctness import share
from headcount.measures.intervals import Estimator, bootstrap_means
from headcount.measures.scales import ANY, POSITIVE, SHARE, Scale, Scales
from headcount.schema import CROSS_PAIRS, EXCESS
from headcount.store import conform

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
    frames = []
    for team, tables in teams.items():
        for task, known in _tasks(tables).items():
            weights = item_weights(len(known[0].items), settings, team, task)
            key: dict[str, Any] = {"team": team, "task": task, "simulated": team in simulated}
            of_task = sides(known)
            against = [*_against_nulls(of_task, settings, weights)]
            against += _against_each_other(_across(tables, task, known[0]), settings, weights)
            frames += [frame.assign(**key) for frame in against]
    nothing = pd.DataFrame(columns=EXCESS.schema.names)
    return conform(pd.concat(frames) if frames else nothing, EXCESS, EXCESS.name)


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


def _against_nulls(of_task: list[Side], settings: FitSettings, weights: FloatArray) -> Iterator[pd.DataFrame]:
    for side in revised(of_task):
        for name, null in nulls(side, of_task):
            sizes = common_sizes(side, null)
            if sizes.size:
                means = np.stack([each.means(_parts(each), sizes) for each in (side, null)], axis=1)
                labels = _labels_of_null(sizes, np.asarray(np.isfinite(means).all(axis=(1, 3))))
                frame = _estimates(labels, means, _estimator(sizes, settings.c_bounds), weights, settings)
                yield frame.assign(null=name, **_key(side))


def _against_each_other(across: list[Side], settings: FitSettings, weights: FloatArray) -> Iterator[pd.DataFrame]:
    for side in across:
        sizes = side.series.sizes[side.series.sizes > 1]
        if sizes.size:
            columns = side.columns
            means = side.means(np.stack([columns[name] for name in (*COUNTS, *OF_RIGHT)], axis=1), sizes)
            paired = means[:, :, [COUNTS.index("pairs"), COUNTS.index("cross_pairs")]] > 0
            labels = _labels(QUANTITIES, sizes, np.asarray(paired.all(axis=2)))
            frame = _estimates(labels, means, partial(social, sizes=sizes), weights, settings)
            yield frame.assign(null="C", **_key(side))


def _key(side: Side) -> dict[str, Any]:
    key = {"condition": side.series.condition, "peers": side.series.peers, "round": side.series.round}
    return key | {"subsets": side.rows.subsets}


def _parts(side: Side) -> FloatArray:
    """What is averaged over items: 2^H, equal pairs, pairs; (rows of the series, 3)."""
    columns = side.columns
    return np.concatenate([ANSWER.parts(columns), POOLED_AGREEMENT.parts(columns)], axis=1)


def _estimator(sizes: IntArray, c_bounds: tuple[float, float]) -> Estimator:
    """Means of a cell and of its null (draws, 2 x sizes x 3) -> BY_SIZE at each size, then OF_CURVE."""

    def estimate(means: FloatArray) -> FloatArray:
        both = means.reshape(-1, sizes.size, 3)  # cell and null in turn
        n_eff = {
            ANSWER.name: ANSWER.n_eff(both[:, :, :1], sizes),
            POOLED_AGREEMENT.name: POOLED_AGREEMENT.n_eff(both[:, :, 1:], sizes),
        }
        columns = [*map(_log_ratio, n_eff.values()), excess_share(*_two(share(both[:, :, 1], both[:, :, 2])))]
        if sizes.size > 1:
            for level, beta in READINGS.values():
                columns.append(_curves(sizes, n_eff[level.name], Bounds(c_bounds, beta)))
        return np.concatenate(columns, axis=1)

    return estimate


def _two(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Cell and null, (draws, ...) each, from both in turn."""
    return values[::2], values[1::2]


def _log_ratio(n_eff: FloatArray) -> FloatArray:
    seen, null = _two(n_eff)
    return np.asarray(np.log(seen) - np.log(null))


def _curves(sizes: IntArray, n_eff: FloatArray, bounds: Bounds) -> FloatArray:
    """c and beta of the cell and of its null, and their differences, (draws, 6); beta is NaN where c is 0."""
    fits = fit_curves(sizes, n_eff / sizes, bounds)
    parameters = np.stack([fits.c, np.where(fits.c > 1e-9, fits.beta, np.nan)], axis=1)
    seen, null = _two(parameters)
    return np.concatenate([seen, null, seen - null], axis=1)


def _labels_of_null(sizes: IntArray, known: BoolArray) -> pd.DataFrame:
    """Of BY_SIZE at each size, and of OF_CURVE where there is a curve."""
    labels = _labels(BY_SIZE, sizes, known)
    if sizes.size < 2:
        return labels
    at_any: BoolArray = np.asarray(known.any(axis=1, keepdims=True))
    return pd.concat([labels, _labels(OF_CURVE, np.array([WHOLE_CURVE]), at_any)], ignore_index=True)


def _labels(names: Collection[str], sizes: IntArray, known: BoolArray) -> pd.DataFrame:
    """Quantity, size and number of items of each number, in the order of an estimator; `known` is (items, sizes)."""
    columns = {"quantity": np.repeat(list(names), sizes.size), "n": np.tile(sizes, len(names))}
    return pd.DataFrame(columns | {"n_items": np.tile(known.sum(axis=0), len(names))})


def _estimates(
    labels: pd.DataFrame, means: FloatArray, estimator: Estimator, weights: FloatArray, settings: FitSettings
) -> pd.DataFrame:
    """Labels with value, low and high, of those that have a value. `means` is (items, ...)."""
    values = means.reshape(len(means), -1)
    point = estimator(bootstrap_means(values, np.ones((1, len(values)))))[0]
    each = [_scale(name, settings.c_bounds) for name in labels["quantity"]]
    scales = Scales.of(each, items=labels["n_items"].where(np.array([scale == SHARE for scale in each]), 0).to_numpy())
    low, high, _ = settings.interval(settings.n_boot)(values, estimator, weights, settings.confidence, scales)
    frame = labels.assign(value=point, low=low, high=high)
    still = labels["quantity"].str.match("log_|kappa|dc_|dbeta_") & (high - low < 1e-12)
    unsure = (frame["n_items"] < 2) | frame["quantity"].str.endswith("_paper") | still
    frame.loc[unsure, ["low", "high"]] = np.nan
    return frame.dropna(subset="value")


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
