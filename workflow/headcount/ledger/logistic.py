"""Logistic regression on standardised columns."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from headcount.measures.arrays import BoolArray, FloatArray

RIDGE = 1e-3  # on the mean log-loss: the reference's; it also keeps a separable fit finite


@dataclass(frozen=True)
class Logistic:
    """A fit; all (columns,).

    Attributes:
        mean, scale: of the columns it was fitted to; a missing value is taken for the mean.
        weight: of standardised columns.
        intercept: a number.
    """

    mean: FloatArray
    scale: FloatArray
    weight: FloatArray
    intercept: float

    def __call__(self, x: FloatArray) -> FloatArray:
        """Probabilities, (rows,), of rows (rows, columns)."""
        return np.asarray(expit(standardised(x, self.mean, self.scale) @ self.weight + self.intercept))


def fit_logistic(x: FloatArray, y: BoolArray, ridge: float = RIDGE) -> Logistic:
    """Minimise mean log-loss + ridge / 2 |weight|^2 until it has converged; mean and scale come from these rows alone.

    Args:
        x: (rows, columns), at least one row; NaN is the column's mean, or 0 where it has none.
        y: (rows,).
        ridge: penalty; the intercept is free of it.

    Returns:
        where all of y is one class, its share everywhere, with no weight.
    """
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    known = np.isfinite(x)
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, x, 0.0).sum(axis=0) / count
    sd = np.sqrt((np.where(known, x - mean, 0.0) ** 2).sum(axis=0) / len(x))
    scale = np.where(sd > 1e-12, sd, 1.0)
    if y.all() or not y.any():
        return Logistic(mean, scale, np.zeros(x.shape[1]), float("inf") if y.all() else float("-inf"))
    model = LogisticRegression(C=1.0 / (ridge * len(x)), solver="newton-cholesky", tol=1e-8, max_iter=200)
    model.fit(standardised(x, mean, scale), y)
    return Logistic(mean, scale, np.asarray(model.coef_[0], dtype=np.float64), float(model.intercept_[0]))


def standardised(x: FloatArray, mean: FloatArray, scale: FloatArray) -> FloatArray:
    """(x - mean) / scale, 0 where x is missing."""
    return np.nan_to_num((x - mean) / scale, nan=0.0)
