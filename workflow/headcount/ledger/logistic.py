"""Logistic regression on standardised columns: many fits to the same rows at once, each with counts of its own."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from headcount.measures.arrays import BoolArray, FloatArray

RIDGE = 1e-3  # on the mean log-loss: the reference's; it also keeps a separable fit finite
STEPS, HALVINGS = 100, 30
SMALL = 1e-9  # a step of so little of its parameter is the last: the error that it leaves is its square
ROUNDING = 1e-14  # of a loss


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
    return fit_logistics(x, np.asarray(y, dtype=np.float64)[None], np.ones((1, len(x))), ridge)[0]


def fit_logistics(x: FloatArray, events: FloatArray, trials: FloatArray, ridge: float = RIDGE) -> list[Logistic]:
    """`fit_logistic` to rows that each stand for several, or for none: equal rows need to be there once.

    Args:
        x: (rows, columns), as in `fit_logistic`.
        events: (fits, rows), how many of a row's are true.
        trials: (fits, rows), how many a row stands for; at least one in each fit.
        ridge: see `fit_logistic`.
    """
    mean, scale = _moments(x, trials)
    weight, intercept = np.zeros_like(mean), np.where(events.sum(axis=1) > 0, np.inf, -np.inf)
    both = np.flatnonzero((events.sum(axis=1) > 0) & (events.sum(axis=1) < trials.sum(axis=1)))
    if both.size:
        z = standardised(x, mean[both, None], scale[both, None])
        weight[both], intercept[both] = _minimum(z, events[both], trials[both], ridge)
    return [Logistic(*fit) for fit in zip(mean, scale, weight, intercept.tolist(), strict=True)]


def standardised(x: FloatArray, mean: FloatArray, scale: FloatArray) -> FloatArray:
    """(x - mean) / scale, 0 where x is missing."""
    return np.nan_to_num((x - mean) / scale, nan=0.0)


def _moments(x: FloatArray, trials: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and scale of each fit's columns, (fits, columns); 1 is the scale of a column that does not vary."""
    known = np.isfinite(x)
    mean = trials @ np.where(known, x, 0.0) / np.maximum(trials @ known.astype(np.float64), 1)
    apart = np.where(known, x - mean[:, None], 0.0)
    sd = np.sqrt(np.einsum("fr,frc->fc", trials, apart**2) / trials.sum(axis=1, keepdims=True))
    return mean, np.where(sd > 1e-12, sd, 1.0)


def _minimum(z: FloatArray, events: FloatArray, trials: FloatArray, ridge: float) -> tuple[FloatArray, FloatArray]:
    """Weights, (fits, columns), and intercepts, (fits,), by Newton's method from 0.

    A fit's step that makes its loss worse is halved until it does not.

    Args:
        z: (fits, rows, columns), standardised.
    """
    z = np.concatenate([z, np.ones((*z.shape[:2], 1))], axis=2)
    problem = _Problem(z, events, trials, np.append(np.full(z.shape[2] - 1, ridge), 0.0))
    beta = np.zeros((len(z), z.shape[2]))
    loss = problem.loss(beta)
    for _ in range(STEPS):
        step = problem.step(beta)
        small = bool((np.abs(step) <= SMALL * (1.0 + np.abs(beta))).all())
        for _ in range(HALVINGS):
            after = problem.loss(beta + step)
            worse = ~(after <= loss + ROUNDING)
            if not worse.any():
                break
            step[worse] /= 2
        beta, loss = beta + step, after
        if small:
            break
    return beta[:, :-1], beta[:, -1]


@dataclass(frozen=True)
class _Problem:
    """What is minimised: mean log-loss + sum of penalty / 2 beta^2, for each fit.

    Attributes:
        z: (fits, rows, parameters); events, trials: (fits, rows); penalty: (parameters,).
    """

    z: FloatArray
    events: FloatArray
    trials: FloatArray
    penalty: FloatArray

    def loss(self, beta: FloatArray) -> FloatArray:
        """(fits,), at parameters (fits, parameters)."""
        eta = self._eta(beta)
        fit = (self.trials * np.logaddexp(0.0, eta) - self.events * eta).sum(axis=1) / self.trials.sum(axis=1)
        return np.asarray(fit + (self.penalty * beta**2).sum(axis=1) / 2)

    def step(self, beta: FloatArray) -> FloatArray:
        """Newton's step from there, (fits, parameters)."""
        share, size = expit(self._eta(beta)), self.trials.sum(axis=1)[:, None]
        across = self.z.transpose(0, 2, 1)
        slope = np.matmul(across, ((self.trials * share - self.events) / size)[..., None])[..., 0]
        curve = np.matmul(across * (self.trials * share * (1 - share) / size)[:, None], self.z)
        curve += np.diag(self.penalty)
        return -np.linalg.solve(curve, (slope + self.penalty * beta)[..., None])[..., 0]

    def _eta(self, beta: FloatArray) -> FloatArray:
        return np.asarray(np.matmul(self.z, beta[..., None])[..., 0])
