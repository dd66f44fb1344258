"""What a series looks like at each size, beside the laws fitted to it."""

from collections.abc import Iterator

import numpy as np

from headcount.laws.series import Series, TaskRows, item_means
from headcount.measures.arrays import FloatArray, IntArray

_SHARES = ("team_correct", "unanimous", "unanimous_wrong", "n_valid")


def curve_rows(
    rows: TaskRows, series: Series, n_eff: FloatArray, low: FloatArray, high: FloatArray
) -> Iterator[dict[str, object]]:
    """The columns of CURVES that depend on the size, one dictionary a size.

    Accuracies and shares are means over items, replicates averaged first. `agent_accuracy` is the
    share of *valid* answers that are correct, pooled over the teams: an agent without an answer is
    not a wrong agent.

    Args:
        n_eff, low, high: (sizes,), effective team size at the level of the curve and its interval;
            NaN if unknown.
    """
    means = _means(rows, series)
    for place, n in enumerate(series.sizes.tolist()):
        here = series.rows[series.size == place]
        valid = rows.columns["n_valid"][here].sum()
        yield {
            "n": n,
            "n_items": int(np.unique(rows.item[here]).size),
            "n_valid": means["n_valid"][place],
            "n_eff": float(n_eff[place]),
            "n_eff_low": float(low[place]),
            "n_eff_high": float(high[place]),
            "r": float(n_eff[place] / n),
            "team_accuracy": means["team_correct"][place],
            "agent_accuracy": float(rows.columns["n_correct"][here].sum() / valid) if valid else None,
            "share_unanimous": means["unanimous"][place],
            "share_unanimous_wrong": means["unanimous_wrong"][place],
            "share_missing": share_missing(rows, here),
        }


def share_missing(rows: TaskRows, chosen: IntArray) -> float:
    """Share of the agents of some rows that have no valid answer."""
    return float(1.0 - rows.columns["n_valid"][chosen].sum() / rows.columns["n"][chosen].sum())


def _means(rows: TaskRows, series: Series) -> dict[str, list[float]]:
    """Means over items at each size."""
    values = np.stack([rows.columns[name][series.rows] for name in _SHARES], axis=1)
    means = np.nanmean(item_means(rows, series, values), axis=0)
    return {name: means[:, place].tolist() for place, name in enumerate(_SHARES)}
