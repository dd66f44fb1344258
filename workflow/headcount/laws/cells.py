"""The fits of a run: every law at every level, for every team and task and what was done there."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa

from headcount.config import Fitting
from headcount.laws.curves import curve_rows, share_missing
from headcount.laws.estimate import C_BOUNDS, LAWS, fit_kish, fit_ringelmann
from headcount.laws.fit import REGIME_BORDER, Fit
from headcount.laws.flags import check
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.levels import LEVELS, Level
from headcount.laws.series import Series, TaskRows, TeamRows, item_means, split_series, split_tasks
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Estimator, Interval, Percentile, bootstrap_means, shared_weights
from headcount.schema import CURVES, FITS, Table
from headcount.store import conform

FEW_ITEMS = 30
Row = dict[str, object]


@dataclass(frozen=True)
class FitSettings:
    """How laws are fitted and how sure we are.

    Attributes:
        n_boot: item resamples behind an interval; 0: no intervals.
        confidence: coverage of every interval.
        seed: of the resamples.
        c_bounds: range of c in the point estimate.
        c_bounds_boot: range of c in the resamples (arXiv 2606.02646, C.7: narrower there).
        missing_limit: series with a larger share of missing answers are flagged.
        interval: makes the interval from the number of resamples.
    """

    n_boot: int = 300
    confidence: float = 0.95
    seed: int = 0
    c_bounds: tuple[float, float] = C_BOUNDS
    c_bounds_boot: tuple[float, float] = (0.0, 5.0)
    missing_limit: float = 0.05
    interval: Callable[[int], Interval] = Percentile

    @classmethod
    def of(cls, fitting: Fitting) -> "FitSettings":
        """What a run's configuration says."""
        return cls(
            n_boot=fitting.bootstrap,
            confidence=fitting.confidence,
            seed=fitting.seed,
            missing_limit=fitting.missing_limit,
        )


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
            weights = item_weights(len(rows.items), settings, team, task)
            for series, level in product(split_series(rows), LEVELS):
                key = {"team": team, "task": task, "subsets": rows.subsets, "simulated": team in simulated}
                key |= {"condition": series.condition, "peers": series.peers, "round": series.round}
                key |= {"level": level.name}
                cell = _fit_cell(rows, series, level, weights, settings)
                curves += [key | row for row in curve_rows(rows, series, *cell.n_eff)]
                fits += [key | row for row in _fit_rows(rows, series, cell, settings)]
    return _as_table(fits, FITS), _as_table(curves, CURVES)


def item_weights(items: int, settings: FitSettings, team: str, task: str) -> FloatArray:
    """Item weights, (draws, items): one set for all that a team does on a task."""
    if not settings.n_boot:
        return np.empty((0, items))
    return shared_weights(settings.interval(settings.n_boot), items, settings.seed, team, task)


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


def _parameters(level: Level, sizes: IntArray, c_bounds: tuple[float, float]) -> Estimator:
    """Means of a level's parts -> N_eff at each size, then c and beta of each law."""

    def estimate(means: FloatArray) -> FloatArray:
        n_eff = _n_eff(level, means, sizes)
        columns = [n_eff]
        for beta in LAWS.values():
            fits = fit_curves(sizes, n_eff / sizes, Bounds(c_bounds, beta))
            columns.append(np.stack([fits.c, np.where(fits.c > 1e-9, fits.beta, np.nan)], axis=1))
        return np.concatenate(columns, axis=1)

    return estimate


def _n_eff(level: Level, means: FloatArray, sizes: IntArray) -> FloatArray:
    """N_eff (draws, sizes) from means (draws, sizes x parts)."""
    return level.n_eff(_by_size(means, sizes), sizes)


def _by_size(means: FloatArray, sizes: IntArray) -> FloatArray:
    """Means (draws, sizes, parts) from means (draws, sizes x parts)."""
    return means.reshape(-1, sizes.size, means.shape[1] // sizes.size)


def _fit_cell(rows: TaskRows, series: Series, level: Level, weights: FloatArray, settings: FitSettings) -> _Cell:
    here = {name: column[series.rows] for name, column in rows.columns.items()}
    values = item_means(rows, series, level.parts(here)).reshape(len(rows.items), -1)
    sizes = series.sizes
    means = bootstrap_means(values, np.ones((1, len(rows.items))))
    n_eff = _n_eff(level, means, sizes)[0]
    interval = settings.interval(settings.n_boot)
    estimator = _parameters(level, sizes, settings.c_bounds_boot)
    low, high, draws = interval(values, estimator, weights, settings.confidence)
    if _n_items(rows, series) < 2:
        low, high = np.full_like(low, np.nan), np.full_like(high, np.nan)
    laws = {}
    for place, law in enumerate(LAWS):
        part = slice(sizes.size + 2 * place, sizes.size + 2 * place + 2)
        fit = _point(law, sizes, n_eff / sizes, settings)
        laws[law] = _LawFit(fit, low[part], high[part], draws[:, part])
    flags = level.flags(_by_size(means, sizes), sizes)
    return _Cell((n_eff, low[: sizes.size], high[: sizes.size]), laws, flags)


def _point(law: str, sizes: IntArray, r: FloatArray, settings: FitSettings) -> Fit:
    if law == "kish":
        return fit_kish(sizes, r, settings.c_bounds)
    return fit_ringelmann(sizes, r, law == "ringelmann_free", settings.c_bounds)


def _fit_rows(rows: TaskRows, series: Series, cell: _Cell, settings: FitSettings) -> Iterator[Row]:
    sizes = series.sizes[series.sizes >= 2]
    if not sizes.size:
        return
    about = {
        "sizes": sizes.tolist(),
        "n_items": _n_items(rows, series),
        "share_missing": share_missing(rows, series.rows[series.sizes[series.size] >= 2]),
        "n_boot": settings.n_boot,
    }
    shared = [*cell.flags, *_series_flags(rows, series, float(about["share_missing"]), settings)]
    for law, cell_fit in cell.laws.items():
        known = np.isfinite(cell_fit.low).any()
        label = {"law": law, "interval": _interval_name(settings) if known else "none"}
        yield about | label | _law_columns(cell_fit, shared, has_beta=law != "kish")


def _law_columns(law: _LawFit, shared: list[str], has_beta: bool) -> Row:
    """The columns of FITS that differ from law to law. Kish's rho stands as c, with a beta of 0."""
    fit, low, high = law.fit, law.low, law.high
    own = _interval_flags(fit, low[1], high[1], law.draws[:, 1]) if has_beta else []
    return {
        "c": fit.params["c" if has_beta else "rho"],
        "c_low": low[0],
        "c_high": high[0],
        "beta": fit.params["beta"] if has_beta else 0.0,
        "beta_low": low[1] if has_beta else None,
        "beta_high": high[1] if has_beta else None,
        "regime": fit.regime,
        "r2": fit.r2,
        "r2_with_one": fit.r2_with_one,
        "flags": check([*fit.flags, *shared, *own]),
    }


def _interval_name(settings: FitSettings) -> str:
    return f"{settings.interval(settings.n_boot).name}_{100 * settings.confidence:g}"


def _n_items(rows: TaskRows, series: Series) -> int:
    return int(np.unique(rows.item[series.rows]).size)


def _series_flags(rows: TaskRows, series: Series, missing: float, settings: FitSettings) -> list[str]:
    """What is to be said about the data of a series, whatever the law."""
    items = _n_items(rows, series)
    asked = {(item, size) for item, size in zip(rows.item[series.rows], series.size, strict=True)}
    flags = {
        "one_item": items == 1,
        "few_items": 1 < items < FEW_ITEMS,
        "items_differ_by_size": len(asked) < items * series.sizes.size,
        "many_missing": missing > settings.missing_limit,
    }
    return [flag for flag, holds in flags.items() if holds]


def _interval_flags(fit: Fit, low: float, high: float, draws: FloatArray) -> list[str]:
    """What is to be said about an interval of beta."""
    flags = {
        "interval_collapsed": low == high,
        "regime_undetermined": low <= REGIME_BORDER < high,
        "draws_without_beta": bool(np.isnan(draws).mean() > 0.05) if draws.size else False,
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
