"""What talk adds to team accuracy, and what thinking again does: two accuracies on the same items.

Steiner's terms: a team's *potential* productivity is what its agents reach when each revises alone
(self_correction), its *actual* productivity is that of the debate, and what lies between is *process loss*
(arXiv 2606.02646, app. D, Table 7). All contrasts are of teams that hear everybody, at one size.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.p_values import bootstrap_p, mcnemar_p, tost_p
from headcount.laws.series import TaskRows, TeamRows, item_means, split_series, split_tasks
from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.arrays import BoolArray, FloatArray
from headcount.measures.intervals import bootstrap_means
from headcount.measures.scales import DIFFERENCE, SHARE, Scales
from headcount.schema import CONTRASTS
from headcount.store import conform

MARGIN = 0.05  # of equivalence: five points of accuracy (arXiv 2606.02646, section 5.4)


@dataclass(frozen=True)
class Side:
    """A condition after its last revision, or in round 1."""

    condition: str
    revised: bool = True


@dataclass(frozen=True)
class Contrast:
    """A name, and two sides; the difference is first minus second."""

    name: str
    first: Side
    second: Side


_REVISABLE = ("debate", "self_correction", "noise")
PLANNED = (
    Contrast("process_loss", Side("self_correction"), Side("debate")),
    Contrast("process_loss_noise", Side("noise"), Side("debate")),
    *(Contrast(f"gain_{name}", Side(name), Side(name, revised=False)) for name in _REVISABLE),
    Contrast("debate_over_sampling", Side("debate"), Side("self_consistency", revised=False)),
)

Accuracies = dict[tuple[str, int, int], FloatArray]  # (condition, n, round) -> (items, 2): all replicates, the first


@dataclass(frozen=True)
class _Pair:
    """A contrast at a size, on its items: (items, 2), first and second; NaN for items that either lacks."""

    name: str
    n: int
    accuracy: FloatArray
    right: FloatArray  # of the first replicate alone: 0 or 1


def contrast_run(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str] = ()) -> pa.Table:
    """Contrasts of a run.

    Rounds are the last that both sides have at that size. Replicates are averaged within their item first; McNemar's
    test and its counts need right or wrong, and look at the first replicate alone.

    Args:
        teams: measures by team.
        settings: how sure we are. Interval and item weights are those of every other estimate; p_bootstrap and the
            standard error behind p_tost are from the bootstrap whatever the interval.
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.CONTRASTS`; a contrast that lacks a side at a size is absent. With fewer than two items no
        interval, p_bootstrap or p_tost.
    """
    frames = []
    for team, tables in teams.items():
        for task, rows in split_tasks(replace(tables, subsets=None)):
            pairs = list(_pairs(_accuracies(rows)))
            if pairs:
                key: dict[str, Any] = {"team": team, "task": task, "peers": "full", "simulated": team in simulated}
                frames.append(_compare(pairs, settings, team, task).assign(**key))
    nothing = pd.DataFrame(columns=CONTRASTS.schema.names)
    return conform(pd.concat(frames) if frames else nothing, CONTRASTS, CONTRASTS.name)


def _accuracies(rows: TaskRows) -> Accuracies:
    """Team accuracy of each item wherever everybody or nobody is heard."""
    right = rows.columns["team_correct"]
    first = np.where(rows.columns["replicate"] == rows.columns["replicate"].min(initial=np.inf), right, np.nan)
    both = np.stack([right, first], axis=1)
    found = {}
    for series in split_series(rows):
        if series.peers in ("full", "none"):
            means = item_means(rows, series, both[series.rows])
            for place, n in enumerate(series.sizes.tolist()):
                found[series.condition, n, series.round] = means[:, place]
    return found


def _pairs(accuracies: Accuracies) -> Iterator[_Pair]:
    for contrast in PLANNED:
        for n in sorted({n for _, n, _ in accuracies}):
            first, second = _sides(accuracies, contrast, n)
            if first is not None and second is not None:
                pair = np.stack([first, second], axis=1)  # (items, sides, replicates)
                pair = np.where(np.isfinite(pair).all(axis=1, keepdims=True), pair, np.nan)
                if np.isfinite(pair).any():
                    yield _Pair(contrast.name, n, pair[:, :, 0], pair[:, :, 1])


def _sides(accuracies: Accuracies, contrast: Contrast, n: int) -> tuple[FloatArray | None, FloatArray | None]:
    """Both sides at a size; None where a condition was not run, or not revised."""
    revised = {side.condition for side in (contrast.first, contrast.second) if side.revised}
    rounds = [{turn for c, size, turn in accuracies if (c, size) == (name, n)} for name in revised]
    last = max(set.intersection(*rounds), default=1)
    first, second = (
        accuracies.get((side.condition, n, last if side.revised else 1)) for side in (contrast.first, contrast.second)
    )
    return (first, second) if last > 1 else (None, None)


def _compare(pairs: list[_Pair], settings: FitSettings, team: str, task: str) -> pd.DataFrame:
    accuracy = np.stack([pair.accuracy for pair in pairs], axis=2)  # (items, sides, contrasts)
    n_items = np.isfinite(accuracy[:, 0]).sum(axis=0)
    sides = np.concatenate([accuracy[:, 0], accuracy[:, 1]], axis=1)
    point = _with_difference(bootstrap_means(sides, np.ones((1, len(sides)))))[0]
    interval = settings.interval(settings.n_boot)
    weights = item_weights(len(sides), settings, team, task)
    scales = Scales.of([scale for scale in (SHARE, SHARE, DIFFERENCE) for _ in pairs], items=np.tile(n_items, 3))
    low, high, _ = interval(sides, _with_difference, weights, settings.confidence, scales)
    low, high = (np.where(np.tile(n_items > 1, 3), end, np.nan) for end in (low, high))
    columns = {"contrast": [pair.name for pair in pairs], "n": [pair.n for pair in pairs], "n_items": n_items}
    for name, numbers in {"{}": point, "{}_low": low, "{}_high": high}.items():
        parts = zip(("first", "second", "difference"), np.split(numbers, 3), strict=True)
        columns |= {name.format(part): values for part, values in parts}
    frame = pd.DataFrame(columns).rename(columns={"difference_low": "low", "difference_high": "high"})
    return frame.assign(**_p_values(pairs, accuracy, n_items > 1, settings, team, task))


def _with_difference(means: FloatArray) -> FloatArray:
    """First, second and first - second, from means (draws, sides x contrasts)."""
    first, second = np.split(means, 2, axis=1)
    return np.concatenate([first, second, first - second], axis=1)


def _p_values(
    pairs: list[_Pair], accuracy: FloatArray, several: BoolArray, settings: FitSettings, team: str, task: str
) -> dict[str, Any]:
    difference = accuracy[:, 0] - accuracy[:, 1]
    weights = item_weights(len(difference), settings.paper, team, task)
    draws = np.where(several, bootstrap_means(difference, weights), np.nan)
    error = pd.DataFrame(draws).std().to_numpy()  # over the draws that have a value
    right = np.stack([pair.right for pair in pairs], axis=2)
    only_first = (right[:, 0] > right[:, 1]).sum(axis=0)
    only_second = (right[:, 0] < right[:, 1]).sum(axis=0)
    return {
        "p_bootstrap": bootstrap_p(draws),
        "only_first": only_first,
        "only_second": only_second,
        "p_mcnemar": mcnemar_p(only_first, only_second),
        "p_tost": tost_p(bootstrap_means(difference, np.ones((1, len(difference))))[0], error, MARGIN),
        "margin": MARGIN,
    }
