"""The fits of a run: every law at every level, for every team and task and what was done there."""

from collections.abc import Collection, Iterator, Mapping

import numpy as np
import pyarrow as pa

from headcount.laws.cell_fits import FREE, PAPER, Cell, LawFit, asked_cells, fit_cells
from headcount.laws.curves import curve_part, share_missing
from headcount.laws.fit import REGIME_BORDER, Fit, regime_by_interval
from headcount.laws.flags import check
from headcount.laws.frames import Part, join
from headcount.laws.levels import POOLED_AGREEMENT, Level
from headcount.laws.series import Series, TaskRows, TeamRows, distinct, n_items
from headcount.laws.settings import FitSettings
from headcount.measures.arrays import FloatArray
from headcount.schema import CURVES, FITS, Table
from headcount.store import conform

FEW_ITEMS, FEW_ALIKE = 30, 5
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
    curves: list[Part] = []
    for team, tables in teams.items():
        asked = list(asked_cells(tables, settings, team))
        for (task, each), cell in zip(asked, fit_cells([each for _, each in asked], settings), strict=True):
            rows, series = each.rows, each.series
            key = {"team": team, "task": task, "subsets": rows.subsets, "simulated": team in simulated}
            key |= {"condition": series.condition, "peers": series.peers, "round": series.round}
            key |= {"level": each.level.name}
            curves.append({**key, **curve_part(series, each.teams, *cell.n_eff)})
            fits += [key | row for row in _fit_rows(rows, series, each.level, cell, settings)]
    return _as_table(fits, FITS), join(curves, CURVES)


def _fit_rows(rows: TaskRows, series: Series, level: Level, cell: Cell, settings: FitSettings) -> Iterator[Row]:
    sizes = series.sizes[series.sizes >= 2]
    if not sizes.size:
        return
    about = {
        "sizes": sizes.tolist(),
        "n_items": n_items(rows, series),
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


def _law_columns(law: str, fitted: LawFit, shared: list[str]) -> Row:
    """The columns of FITS that differ from law to law. Kish's rho stands as c, with a beta of 0."""
    fit, low, high = fitted.fit, fitted.low, fitted.high
    has_beta = law != "kish"
    own = _interval_flags(law, fit, low[1], high[1], fitted.draws[:, 1]) if has_beta else []
    if "beta_zero_by_construction" in shared:  # it says why; and a width of nothing may be one of rounding
        own = [flag for flag in own if flag != "interval_collapsed"]
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


def _series_flags(rows: TaskRows, series: Series, missing: float, settings: FitSettings) -> list[str]:
    """What is to be said about the data of a series, whatever the law."""
    items = n_items(rows, series)
    asked = distinct(rows.item[series.rows] * series.sizes.size + series.size)
    flags = {
        "one_item": items == 1,
        "few_items": 1 < items < FEW_ITEMS,
        "few_items_differ": items > 1 and _fewest_alike(rows, series) < FEW_ALIKE,
        "items_differ_by_size": asked < items * series.sizes.size,
        "many_missing": missing > settings.missing_limit,
    }
    return [flag for flag, holds in flags.items() if holds]


def _fewest_alike(rows: TaskRows, series: Series) -> int:
    """Items of which some pair agrees, or of which some pair disagrees, at the smallest size of two: the fewer."""
    size = series.size == int(np.argmax(series.sizes >= 2))
    item, agreement = rows.item[series.rows[size]], rows.columns["agreement"][series.rows[size]]
    return min(distinct(item[agreement < 1]), distinct(item[agreement > 0]))


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
