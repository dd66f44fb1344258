"""What a series looks like at each size, beside the laws fitted to it."""

from dataclasses import dataclass

import numpy as np

from headcount.laws.frames import Part
from headcount.laws.series import Series, TaskRows, item_means
from headcount.measures.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Teams:
    """The teams of a series, whatever the level: items that have one, and mean valid answers of it; (sizes,) each."""

    n_items: IntArray
    n_valid: FloatArray

    @classmethod
    def of(cls, rows: TaskRows, series: Series) -> "Teams":
        n_valid = item_means(rows, series, rows.columns["n_valid"][series.rows, None])[:, :, 0]
        has = np.zeros(n_valid.shape, np.bool_)
        has[rows.item[series.rows], series.size] = True
        return cls(has.sum(axis=0), np.nanmean(n_valid, axis=0))


def curve_part(series: Series, teams: Teams, n_eff: FloatArray, low: FloatArray, high: FloatArray) -> Part:
    """The columns of CURVES that depend on the size.

    Args:
        n_eff, low, high: (sizes,), effective team size at the level of the curve and its interval;
            NaN if unknown.
    """
    return {
        "n": series.sizes,
        "n_items": teams.n_items,
        "n_valid": teams.n_valid,
        "n_eff": n_eff,
        "n_eff_low": low,
        "n_eff_high": high,
        "r": n_eff / series.sizes,
    }


def share_missing(rows: TaskRows, chosen: IntArray) -> float:
    """Share of the agents of some rows that have no valid answer."""
    return float(1.0 - rows.columns["n_valid"][chosen].sum() / rows.columns["n"][chosen].sum())
