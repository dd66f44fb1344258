"""Rows of related models are not independent: families of models as rows, and what each family or row carries."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import numpy as np
import pandas as pd

from headcount.ledger.ranks import rank_correlation
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import percentile_interval

Found = TypeVar("Found")


def by_family(rows: pd.DataFrame, columns: Sequence[str], how: Literal["mean", "median"] = "mean") -> pd.DataFrame:
    """Unweighted mean or median of each column over the models of a family.

    Args:
        rows: one a model: `family` and the columns.
        columns: numbers.
        how: mean or median.

    Returns:
        one row a family, index `family`, in order of name.
    """
    return rows.groupby("family", sort=True, observed=True)[list(columns)].agg(how)


def leave_one_out(rows: pd.DataFrame, by: str, statistic: Callable[[pd.DataFrame], Found]) -> dict[str, Found]:
    """A statistic without each value of a column in turn: by `family` or by `model`.

    The range of what comes back says who carries an association. It is not an interval.

    Args:
        rows: one a model.
        by: the column.
        statistic: of some of the rows.

    Returns:
        by the value left out, in order of name.
    """
    return {str(left): statistic(rows[rows[by] != left]) for left in sorted(rows[by].unique())}


def effective_families(family: Sequence[str]) -> float:
    """Inverse Simpson number of families: 1 / sum_f s_f^2, s_f the share of rows of family f.

    Args:
        family: of each row.

    Returns:
        from 1 to the number of families; NaN without a row.
    """
    _, counts = np.unique(np.asarray(family, dtype=str), return_counts=True)
    return float(counts.sum() ** 2 / (counts**2).sum()) if counts.size else float("nan")


def family_bootstrap(
    rows: pd.DataFrame, x: str, y: str, rng: np.random.Generator, draws: int = 2000, confidence: float = 0.95
) -> tuple[float, float, float]:
    """Interval of the correlation of model rows when families are drawn anew, each with all its rows.

    Percentiles of Spearman's correlation with average ranks. Few families give few different draws: descriptive.

    Args:
        rows: one a model: `family`, x and y.
        x, y: columns.
        rng: draws the families.
        draws: how many times.
        confidence: coverage.

    Returns:
        low, high, and the share of draws that have a correlation (several equal rows have none).
    """
    values = rows[[x, y]].to_numpy(dtype=np.float64)
    groups = [np.flatnonzero(rows["family"] == family) for family in sorted(rows["family"].unique())]
    found = np.array([_drawn(values, groups, rng) for _ in range(draws)])
    low, high = percentile_interval(found[:, None], confidence)
    return float(low[0]), float(high[0]), float(np.isfinite(found).mean())


def _drawn(
    values: FloatArray, groups: Sequence["np.ndarray[tuple[int], np.dtype[np.intp]]"], rng: np.random.Generator
) -> float:
    families = rng.integers(0, len(groups), len(groups))
    drawn = values[np.concatenate([groups[family] for family in families])]
    return float(rank_correlation(drawn[:, 0], drawn[:, 1]))
