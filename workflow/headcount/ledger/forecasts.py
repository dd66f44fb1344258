"""A new family's collapse rate from its flip rate: a line through the other families, and how wide it is."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from headcount.measures.arrays import FloatArray

LEVELS = (0.8, 0.95)
SEED = 20260430  # with it the published intervals come back
DRAWS = 20_000


def leave_one_out_line(x: FloatArray, y: FloatArray, levels: Sequence[float] = LEVELS) -> pd.DataFrame:
    """Predict each row from a least-squares line through the others, with t prediction intervals.

    yhat +- t_{G-3} s sqrt(1 + 1/(G-1) + (x - xbar)^2 / Sxx), s^2 the residual variance of the other G - 1 rows with
    G - 3 degrees of freedom (arXiv 2609.35279, Table 27). It knows nothing of the noise in y: see `propagated`.

    Args:
        x, y: (families,), at least four.
        levels: coverages.

    Returns:
        one row a family in the order given: `predicted`, `observed`, and `low_80`, `high_80`, ... of each level.

    Raises:
        ValueError: with fewer than four families, or where the others share one x.
    """
    lines = [_line(x, y[None], left) for left in range(_enough(x))]
    frame = pd.DataFrame({"predicted": [float(at[0]) for at, _ in lines], "observed": y})
    for level in levels:
        half = stats.t.isf((1 - level) / 2, x.size - 3) * np.array([float(error[0]) for _, error in lines])
        frame[f"low_{100 * level:.0f}"], frame[f"high_{100 * level:.0f}"] = (
            frame["predicted"] - half,
            frame["predicted"] + half,
        )
    return frame


def propagated(
    rows: pd.DataFrame, rng: np.random.Generator, draws: int = DRAWS, levels: Sequence[float] = LEVELS
) -> pd.DataFrame:
    """The same with the collapse rates drawn from their Jeffreys posteriors: percentiles of what a new family may show.

    A draw: theta of every model row ~ Beta(k + 1/2, n - k + 1/2), family means, the line through the other families,
    and yhat + error t with t from Student's t of G - 3 degrees of freedom (arXiv 2609.35279, Table 27). Order of the
    draws: families by name, each with one generator in turn; a vector of betas over all rows, then one t.

    Args:
        rows: one a model: `family`, `alpha`, `collapses`, `initially_correct`.
        rng: `numpy.random.default_rng(SEED)` for the published digits.
        draws: a family.
        levels: coverages.

    Returns:
        index `family`, in order of name: `median`, `low_80`, `high_80`, ..., rates cut to [0, 1].

    Raises:
        ValueError: as in `leave_one_out_line`.
    """
    names, family = np.unique(rows["family"].to_numpy(dtype=str), return_inverse=True)
    member = (family == np.arange(names.size)[:, None]).astype(np.float64)
    member /= member.sum(axis=1, keepdims=True)
    x = member @ rows["alpha"].to_numpy(dtype=np.float64)
    k, n = (rows[name].to_numpy(dtype=np.float64) for name in ("collapses", "initially_correct"))
    a, b, df = k + 0.5, n - k + 0.5, _enough(x) - 3
    found = []
    for left in range(x.size):
        theta, t = np.empty((draws, k.size)), np.empty(draws)
        for draw in range(draws):
            theta[draw], t[draw] = rng.beta(a, b), rng.standard_t(df)
        at, error = _line(x, theta @ member.T, left)
        found.append(_percentiles(np.clip(at + error * t, 0.0, 1.0), levels))
    return pd.DataFrame(found, index=pd.Index(names, name="family"))


def _percentiles(values: FloatArray, levels: Sequence[float]) -> dict[str, float]:
    row = {"median": float(np.median(values))}
    for level in levels:
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        row |= {f"low_{100 * level:.0f}": float(low), f"high_{100 * level:.0f}": float(high)}
    return row


def _line(x: FloatArray, y: FloatArray, left: int) -> tuple[FloatArray, FloatArray]:
    """Prediction at x[left] and its standard error from the other columns of y, (draws, families): each (draws,)."""
    others = np.arange(x.size) != left
    if np.ptp(x[others]) == 0:
        raise ValueError("the other families share one x: no line goes through them.")
    design = np.stack([np.ones(x.size - 1), x[others]], axis=1)
    inverse = np.linalg.pinv(design)
    coefficients = y[:, others] @ inverse.T
    rest = y[:, others] - coefficients @ design.T
    variance = (rest**2).sum(axis=1) / (x.size - 3)
    at = np.array([1.0, x[left]])
    return coefficients @ at, np.sqrt(variance * (1.0 + at @ inverse @ inverse.T @ at))


def _enough(x: FloatArray) -> int:
    if x.size < 4:
        raise ValueError(f"{x.size} families: a line through all but one, with an interval, needs four.")
    return x.size
