"""Every law, with its interval, on all series of a team at every level; curves of equal sizes are fitted together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from headcount.laws.curves import Teams
from headcount.laws.estimate import LAWS, fit_each
from headcount.laws.fit import Fit
from headcount.laws.levels import LEVELS, Level
from headcount.laws.newton import Bounds
from headcount.laws.picked import Picked
from headcount.laws.resamples import parameters_of
from headcount.laws.series import Series, TaskRows, TeamRows, item_means, n_items, split_series, split_tasks
from headcount.laws.settings import FitSettings, Weights
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Sample, bootstrap_means
from headcount.measures.scales import Scale, Scales

FREE = "ringelmann_free"
# The law with the paper's bounds has the paper's interval too; those that are ours have the run's.
PAPER, OURS = ("ringelmann",), (FREE, "kish")


@dataclass(frozen=True)
class LawFit:
    """A law on one series at one level: the estimate, and (c, beta) of interval and draws."""

    fit: Fit
    low: FloatArray  # (2,)
    high: FloatArray  # (2,)
    draws: FloatArray  # (draws, 2)


@dataclass(frozen=True)
class Cell:
    """One series at one level: N_eff at each size with its interval, the laws by name, and what to mind."""

    n_eff: tuple[FloatArray, FloatArray, FloatArray]  # (sizes,) each: estimate, low, high
    laws: dict[str, LawFit]
    flags: list[str]


@dataclass(frozen=True)
class Asked:
    """A series at a level, with N_eff under the item weights of both intervals."""

    rows: TaskRows
    series: Series
    teams: Teams
    level: Level
    n_eff: FloatArray  # (sizes,)
    own: "_Draws"
    paper: "_Draws"
    scales: Scales  # of N_eff at each size
    flags: list[str]


@dataclass(frozen=True)
class _Draws:
    """N_eff of every draw of an interval, (draws, sizes), and what makes an interval of estimates from it."""

    sample: Sample
    n_eff: FloatArray


def asked_cells(tables: TeamRows, settings: FitSettings, team: str) -> Iterator[tuple[str, Asked]]:
    """All series of a team at every level, each with its task."""
    for task, rows in split_tasks(tables):
        weights = Weights.of(len(rows.items), settings, team, task)
        none = Weights(weights.own[:0], weights.paper[:0])
        for series in split_series(rows):
            here = Picked(rows.columns, series.rows)
            teams = Teams.of(rows, series)
            given = weights if n_items(rows, series) > 1 else none
            parts = [level.parts(here) for level in LEVELS]
            means = item_means(rows, series, np.concatenate(parts, axis=1))
            values = np.split(means, np.cumsum([part.shape[1] for part in parts])[:-1], axis=2)
            for level, each in zip(LEVELS, values, strict=True):
                yield task, _ask(rows, series, teams, level, each, given, settings)


def _ask(
    rows: TaskRows,
    series: Series,
    teams: Teams,
    level: Level,
    values: FloatArray,
    weights: Weights,
    settings: FitSettings,
) -> Asked:
    """`values` is (items, sizes, parts)."""
    sizes, table = series.sizes, np.ascontiguousarray(values).reshape(len(values), -1)
    means = _by_size(bootstrap_means(table, np.ones((1, len(table)))), sizes)
    own, paper = (
        _drawn(how.interval(how.n_boot).sample(table, given), level, sizes)
        for how, given in ((settings, weights.own), (settings.paper, weights.paper))
    )
    n_eff = level.n_eff(means, sizes)[0]
    scales, flags = level.scales(values, sizes), level.flags(means, sizes)
    return Asked(rows, series, teams, level, n_eff, own, paper, scales, flags)


def _drawn(sample: Sample, level: Level, sizes: IntArray) -> _Draws:
    return _Draws(sample, level.n_eff(_by_size(sample.means, sizes), sizes))


def _by_size(means: FloatArray, sizes: IntArray) -> FloatArray:
    """Means (draws, sizes, parts) from means (draws, sizes x parts)."""
    return means.reshape(len(means), sizes.size, means.shape[1] // sizes.size)


def fit_cells(asked: Sequence[Asked], settings: FitSettings) -> Iterator[Cell]:
    """Each series at each level, curves over the same sizes fitted together."""
    points = {law: _points(law, asked, settings) for law in (*PAPER, *OURS)}
    theirs = {law: _parameters(law, asked, [each.paper for each in asked], settings.c_bounds_boot) for law in PAPER}
    ours = {law: _parameters(law, asked, [each.own for each in asked], settings.c_bounds) for law in OURS}
    for place, each in enumerate(asked):
        own = [ours[law][place] for law in OURS]
        ends, laws = _ends(each, settings, OURS, settings.c_bounds, each.own, [each.own.n_eff, *own])
        paper = [theirs[law][place] for law in PAPER]
        _, of_paper = _ends(each, settings.paper, PAPER, settings.c_bounds_boot, each.paper, [each.paper.n_eff, *paper])
        fitted = {law: LawFit(points[law][place], *known) for law, known in (of_paper | laws).items()}
        yield Cell((each.n_eff, *ends), fitted, each.flags)


def _parameters(
    law: str, asked: Sequence[Asked], draws: Sequence[_Draws], c_bounds: tuple[float, float]
) -> list[FloatArray]:
    """c and beta of a law under every draw, (draws, 2) of each series."""
    curves = [(each.series.sizes, drawn.n_eff / each.series.sizes) for each, drawn in zip(asked, draws, strict=True)]
    return parameters_of(curves, Bounds(c_bounds, LAWS[law]))


def _points(law: str, asked: Sequence[Asked], settings: FitSettings) -> list[Fit]:
    """The law on each series."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for place, each in enumerate(asked):
        groups.setdefault(tuple(each.series.sizes.tolist()), []).append(place)
    fits: dict[int, Fit] = {}
    for sizes, places in groups.items():
        r = np.stack([asked[place].n_eff for place in places]) / np.array(sizes)
        fits |= dict(zip(places, fit_each(law, np.array(sizes), r, settings.c_bounds), strict=True))
    return [fits[place] for place in range(len(asked))]


Ends = tuple[FloatArray, FloatArray]


def _ends(
    asked: Asked,
    settings: FitSettings,
    laws: Sequence[str],
    c_bounds: tuple[float, float],
    draws: _Draws,
    estimates: list[FloatArray],
) -> tuple[Ends, dict[str, tuple[FloatArray, FloatArray, FloatArray]]]:
    """Ends of N_eff, (sizes,) each; and of each law the ends of (c, beta), (2,) each, with its draws, (draws, 2)."""
    of_laws = [Scales.of([Scale("log", *c_bounds), Scale("plain", *LAWS[law])]) for law in laws]
    scales, every = Scales.join([asked.scales, *of_laws]), np.concatenate(estimates, axis=1)
    low, high, refits = draws.sample.ends(every, settings.confidence, scales)
    known, count = {}, asked.series.sizes.size
    for place, law in enumerate(laws):
        part = slice(count + 2 * place, count + 2 * place + 2)
        known[law] = low[part], high[part], refits[:, part]
    return (low[:count], high[:count]), known
