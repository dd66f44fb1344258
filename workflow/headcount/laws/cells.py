"""The fits of a run: every law at every level, for every team and task and what was done there."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa

from headcount.laws.curves import curve_rows, share_missing
from headcount.laws.estimate import LAWS, fit_kish, fit_ringelmann
from headcount.laws.fit import REGIME_BORDER, Fit, regime_by_interval
from headcount.laws.flags import check
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.levels import LEVELS, POOLED_AGREEMENT, Level
from headcount.laws.series import Series, TaskRows, TeamRows, item_means, split_series, split_tasks
from headcount.laws.settings import FitSettings, Weights
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Estimator, bootstrap_means
from headcount.measures.scales import Scale, Scales
from headcount.schema import CURVES, FITS, Table
from headcount.store import conform

FEW_ITEMS, FEW_ALIKE = 30, 5
FREE = "ringelmann_free"
# The law with the paper's bounds has the paper's interval too; those that are ours have the run's.
PAPER, OURS = ("ringelmann",), (FREE, "kish")
Row = dict[str, object]


def fit_run(
    teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str] = ()
) -> tuple[pa.Table, pa.Table]:
    """Fits and curves of a run.

    Args:
        teams: measures and subsets by team.
        settings: how to fit.
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.FITS` and of `schema.CURVES`. A series without a team of two or more has a
        curve and no fit.
    """
    fits: list[Row] = []
    curves: list[Row] = []
    for team, tables in teams.items():
        for task, rows in split_tasks(tables):
            weights = Weights.of(len(rows.items), settings, team, task)
            for series, level in product(split_series(rows), LEVELS):
                key = {"team": team, "task": task, "subsets": rows.subsets, "simulated": team in simulated}
                key |= {"condition": series.condition, "peers": series.peers, "round": series.round}
                key |= {"level": level.name}
                cell = _fit_cell(rows, series, level, weights, settings)
                curves += [key | row for row in curve_rows(rows, series, *cell.n_eff)]
                fits += [key | row for row in _fit_rows(rows, series, level, cell, settings)]
    return _as_table(fits, FITS), _as_table(curves, CURVES)


@dataclass(frozen=True)
class _LawFit:
    """A law on one series at one level: the estimate, and (c, beta) of interval and draws."""

    fit: Fit
    low: FloatArray  # (2,)
    high: FloatArray  # (2,)
    draws: FloatArray  # (draws, 2)


@dataclass(frozen=True)
class _Cell:
    """One series at one level: N_eff at each size with its interval, the laws by name, and what to mind."""

    n_eff: tuple[FloatArray, FloatArray, FloatArray]  # (sizes,) each: estimate, low, high
    laws: dict[str, _LawFit]
    flags: list[str]


def _parameters(level: Level, sizes: IntArray, laws: Sequence[str], c_bounds: tuple[float, float]) -> Estimator:
    """Means of a level's parts -> N_eff at each size, then c and beta of each law."""

    def estimate(means: FloatArray) -> FloatArray:
        n_eff = _n_eff(level, means, sizes)
        columns = [n_eff]
        for law in laws:
            fits = fit_curves(sizes, n_eff / sizes, Bounds(c_bounds, LAWS[law]))
            columns.append(np.stack([fits.c, np.where(fits.c > 1e-9, fits.beta, np.nan)], axis=1))
        return np.concatenate(columns, axis=1)

    return estimate


def _n_eff(level: Level, means: FloatArray, sizes: IntArray) -> FloatArray:
    """N_eff (draws, sizes) from means (draws, sizes x parts)."""
    return level.n_eff(_by_size(means, sizes), sizes)


def _by_size(means: FloatArray, sizes: IntArray) -> FloatArray:
    """Means (draws, sizes, parts) from means (draws, sizes x parts)."""
    return means.reshape(-1, sizes.size, means.shape[1] // sizes.size)


def _fit_cell(rows: TaskRows, series: Series, level: Level, weights: Weights, settings: FitSettings) -> _Cell:
    here = {name: column[series.rows] for name, column in rows.columns.items()}
    values = item_means(rows, series, level.parts(here)).reshape(len(rows.items), -1)
    if _n_items(rows, series) < 2:
        weights = Weights(weights.own[:0], weights.paper[:0])
    means = bootstrap_means(values, np.ones((1, len(rows.items))))
    n_eff = _n_eff(level, means, series.sizes)[0]
    ends, ours = _intervals(values, level, series.sizes, settings, weights.own, OURS, settings.c_bounds)
    _, theirs = _intervals(values, level, series.sizes, settings.paper, weights.paper, PAPER, settings.c_bounds_boot)
    r = n_eff / series.sizes
    laws = {law: _LawFit(_point(law, series.sizes, r, settings), *known) for law, known in (theirs | ours).items()}
    flags = level.flags(_by_size(means, series.sizes), series.sizes)
    return _Cell((n_eff, *ends), laws, flags)


Ends = tuple[FloatArray, FloatArray]


def _intervals(
    values: FloatArray,
    level: Level,
    sizes: IntArray,
    settings: FitSettings,
    weights: FloatArray,
    laws: Sequence[str],
    c_bounds: tuple[float, float],
) -> tuple[Ends, dict[str, tuple[FloatArray, FloatArray, FloatArray]]]:
    """Ends of N_eff, (sizes,) each; and of each law the ends of (c, beta), (2,) each, with its draws, (draws, 2)."""
    of_sizes = level.scales(_by_size(values, sizes), sizes)
    of_laws = [Scales.of([Scale("log", *c_bounds), Scale("plain", *LAWS[law])]) for law in laws]
    estimator, scales = _parameters(level, sizes, laws, c_bounds), Scales.join([of_sizes, *of_laws])
    low, high, draws = settings.interval(settings.n_boot)(values, estimator, weights, settings.confidence, scales)
    known = {}
    for place, law in enumerate(laws):
        part = slice(sizes.size + 2 * place, sizes.size + 2 * place + 2)
        known[law] = low[part], high[part], draws[:, part]
    return (low[: sizes.size], high[: sizes.size]), known


def _point(law: str, sizes: IntArray, r: FloatArray, settings: FitSettings) -> Fit:
    if law == "kish":
        return fit_kish(sizes, r, settings.c_bounds)
    return fit_ringelmann(sizes, r, law == FREE, settings.c_bounds)


def _fit_rows(rows: TaskRows, series: Series, level: Level, cell: _Cell, settings: FitSettings) -> Iterator[Row]:
    sizes = series.sizes[series.sizes >= 2]
    if not sizes.size:
        return
    about = {
        "sizes": sizes.tolist(),
        "n_items": _n_items(rows, series),
        "share_missing": share_missing(rows, series.rows[series.sizes[series.size] >= 2]),
    }
    shared = [*cell.flags, *_series_flags(rows, series, float(about["share_missing"]), settings)]
    constant = rows.subsets == "all" and level is POOLED_AGREEMENT and sizes.size > 1
    for law, cell_fit in cell.laws.items():
        known = np.isfinite(cell_fit.low).any()
        label = (settings.paper if law in PAPER else settings).label if known else "none"
        about |= {"law": law, "interval": label, "refits": len(cell_fit.draws)}
        doubts = [*shared, *(["beta_zero_by_construction"] if constant and law != "kish" else [])]
        yield about | _law_columns(law, cell_fit, doubts)


def _law_columns(law: str, fitted: _LawFit, shared: list[str]) -> Row:
    """The columns of FITS that differ from law to law. Kish's rho stands as c, with a beta of 0."""
    fit, low, high = fitted.fit, fitted.low, fitted.high
    has_beta = law != "kish"
    own = _interval_flags(law, fit, low[1], high[1], fitted.draws[:, 1]) if has_beta else []
    return {
        "c": fit.params["c" if has_beta else "rho"],
        "c_low": low[0],
        "c_high": high[0],
        "beta": fit.params["beta"] if has_beta else 0.0,
        "beta_low": low[1] if has_beta else None,
        "beta_high": high[1] if has_beta else None,
        "regime": regime_by_interval(fit.params["beta"], low[1], high[1]) if law == FREE else fit.regime,
        "r2": fit.r2,
        "r2_with_one": fit.r2_with_one,
        "flags": check([*fit.flags, *shared, *own]),
    }


def _n_items(rows: TaskRows, series: Series) -> int:
    return int(np.unique(rows.item[series.rows]).size)


def _series_flags(rows: TaskRows, series: Series, missing: float, settings: FitSettings) -> list[str]:
    """What is to be said about the data of a series, whatever the law."""
    items = _n_items(rows, series)
    asked = {(item, size) for item, size in zip(rows.item[series.rows], series.size, strict=True)}
    flags = {
        "one_item": items == 1,
        "few_items": 1 < items < FEW_ITEMS,
        "few_items_differ": items > 1 and _fewest_alike(rows, series) < FEW_ALIKE,
        "items_differ_by_size": len(asked) < items * series.sizes.size,
        "many_missing": missing > settings.missing_limit,
    }
    return [flag for flag, holds in flags.items() if holds]


def _fewest_alike(rows: TaskRows, series: Series) -> int:
    """Items of which some pair agrees, or of which some pair disagrees, at the smallest size of two: the fewer."""
    size = series.size == int(np.argmax(series.sizes >= 2))
    item, agreement = rows.item[series.rows[size]], rows.columns["agreement"][series.rows[size]]
    return min(np.unique(item[agreement < 1]).size, np.unique(item[agreement > 0]).size)


def _interval_flags(law: str, fit: Fit, low: float, high: float, draws: FloatArray) -> list[str]:
    """What is to be said about an interval of beta."""
    flags = {
        "interval_collapsed": low == high,
        "regime_undetermined": law in PAPER and low <= REGIME_BORDER < high,
        "draws_without_beta": law in PAPER and bool(np.isnan(draws).sum() > 0.05 * draws.size),
        "group_without_beta": law not in PAPER and bool(np.isnan(low) and np.isnan(draws).any()),
    }
    unfitted = np.isnan(fit.params["beta"])
    return [] if unfitted else [flag for flag, holds in flags.items() if holds]


def _as_table(rows: list[Row], table: Table) -> pa.Table:
    """Rows in a table's schema; NaN becomes null."""
    clean = [{name: None if _is_nan(value) else value for name, value in row.items()} for row in rows]
    columns = [{name: row[name] for name in table.schema.names} for row in clean]
    return conform(pa.Table.from_pylist(columns, schema=table.schema), table, table.name)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and value != value
