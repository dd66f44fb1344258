"""What choosing models by the screen would have done for the collapse rate."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Selection:
    """Collapse of the models with low and with high flip rates.

    Attributes:
        median_alpha: where the rows are split; rows at the median are low.
        low, high: pooled collapse rates of each half, collapses / initially correct; NaN where a half is empty.
        matched_pairs: pairs of models of about the same initial accuracy and different alpha.
        wins: those of them where the model of lower alpha collapses less.
        mean_difference: over them, collapse rate of the lower alpha less that of the higher; NaN without one.
    """

    median_alpha: float
    low: float
    high: float
    matched_pairs: int
    wins: int
    mean_difference: float


def selection_utility(rows: pd.DataFrame, gap: float = 0.05) -> Selection:
    """Split models at the median flip rate, and match those of like initial accuracy.

    In sample and descriptive: the rows that show the association are the rows it is judged on (arXiv 2609.35279, G.1).

    Args:
        rows: one a model: `alpha`, `init_acc`, `collapses`, `initially_correct` (at least 1).
        gap: largest difference of initial accuracy in a matched pair.
    """
    alpha, accuracy, k, n = (
        rows[name].to_numpy(dtype=np.float64) for name in ("alpha", "init_acc", "collapses", "initially_correct")
    )
    middle = float(np.median(alpha))
    low = alpha <= middle
    differences = [
        np.sign(alpha[j] - alpha[i]) * (k[i] / n[i] - k[j] / n[j])
        for i, j in combinations(range(alpha.size), 2)
        if abs(accuracy[i] - accuracy[j]) <= gap + 1e-12 and alpha[i] != alpha[j]
    ]
    pooled, rest = (float(k[half].sum() / n[half].sum()) if half.any() else float("nan") for half in (low, ~low))
    mean = float(np.mean(differences)) if differences else float("nan")
    return Selection(middle, pooled, rest, len(differences), sum(d < 0 for d in differences), mean)
