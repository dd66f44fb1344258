"""Where the screen and initial accuracy rank two models differently, and which of them the collapses follow."""

from collections.abc import Hashable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from headcount.measures.arrays import FloatArray

Row = dict[Hashable, Any]
COLUMNS = ["model", "other", "follows", "fisher_p", "holm_p"]


def reorder_audit(rows: pd.DataFrame) -> pd.DataFrame:
    """Pairs of models that the flip rate and initial accuracy put in opposite orders.

    The screen says that the model with the larger alpha collapses more, accuracy that the less accurate one does. A
    pair is reordered where they disagree and neither ties. Observed collapse rates decide; Fisher's exact test says
    whether they differ, and Holm's step-down corrects for the number of reordered pairs (arXiv 2609.35279, G.1).

    Args:
        rows: one a model: `model`, `alpha`, `init_acc`, `collapses`, `initially_correct` (at least 1).

    Returns:
        one row a reordered pair, in order of the rows: `model`, `other`; `follows`: alpha, init_acc or tied;
        `fisher_p` (two-sided) and `holm_p`.
    """
    pairs = [_pair(one, other) for one, other in combinations(rows.to_dict("records"), 2) if _reordered(one, other)]
    frame = pd.DataFrame(pairs, columns=COLUMNS[:-1])
    return frame.assign(holm_p=holm(frame["fisher_p"].to_numpy(dtype=np.float64)))


def holm(p: FloatArray) -> FloatArray:
    """Holm's adjusted p-values (Holm 1979): the running maximum of (m - i) p_(i), at most 1; the shape of p."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)))
    return adjusted


def _by_alpha(one: Row, other: Row) -> float:
    return float(np.sign(one["alpha"] - other["alpha"]))


def _by_accuracy(one: Row, other: Row) -> float:
    return float(np.sign(other["init_acc"] - one["init_acc"]))


def _reordered(one: Row, other: Row) -> bool:
    return _by_alpha(one, other) * _by_accuracy(one, other) < 0


def _pair(one: Row, other: Row) -> list[object]:
    counts = [[int(row["collapses"]), int(row["initially_correct"] - row["collapses"])] for row in (one, other)]
    (k, rest), (j, other_rest) = counts
    seen = np.sign(k * (j + other_rest) - j * (k + rest))  # in whole numbers: equal rates tie
    follows = "tied" if seen == 0 else "alpha" if seen == _by_alpha(one, other) else "init_acc"
    return [one["model"], other["model"], follows, float(stats.fisher_exact(np.array(counts)).pvalue)]
