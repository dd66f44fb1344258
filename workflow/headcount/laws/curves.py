"""What a series looks like at each size, beside the laws fitted to it."""

from collections.abc import Iterator

import numpy as np

from headcount.laws.series import Series, TaskRows, item_means
from headcount.measures.arrays import FloatArray, IntArray


def curve_rows(
    rows: TaskRows, series: Series, n_eff: FloatArray, low: FloatArray, high: FloatArray
) -> Iterator[dict[str, object]]:
    """The columns of CURVES that depend on the size, one dictionary a size.

    Args:
        n_eff, low, high: (sizes,), effective team size at the level of the curve and its interval;
            NaN if unknown.
    """
    n_valid = np.nanmean(item_means(rows, series, rows.columns["n_valid"][series.rows, None])[:, :, 0], axis=0)
    for place, n in enumerate(series.sizes.tolist()):
        here = series.rows[series.size == place]
        yield {
            "n": n,
            "n_items": int(np.unique(rows.item[here]).size),
            "n_valid": float(n_valid[place]),
            "n_eff": float(n_eff[place]),
            "n_eff_low": float(low[place]),
            "n_eff_high": float(high[place]),
            "r": float(n_eff[place] / n),
        }


def share_missing(rows: TaskRows, chosen: IntArray) -> float:
    """Share of the agents of some rows that have no valid answer."""
    return float(1.0 - rows.columns["n_valid"][chosen].sum() / rows.columns["n"][chosen].sum())
