"""A count among others as a share, with intervals that hold for few events."""

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from headcount.measures.arrays import FloatArray
from headcount.measures.calibration import wilson


def proportions(events: FloatArray, base: FloatArray, confidence: float = 0.95) -> pd.DataFrame:
    """Shares with Wilson's and Jeffreys' intervals (arXiv 2609.35279, section 4 of its protocol).

    Args:
        events: (shares,), whole numbers from 0 to `base`.
        base: (shares,), what they are counted among.
        confidence: coverage wanted.

    Returns:
        (shares,) rows: value, wilson_low, wilson_high, jeffreys_low, jeffreys_high; NaN where the base is 0.
    """
    events, base = np.asarray(events, dtype=np.float64), np.asarray(base, dtype=np.float64)
    value = np.divide(events, base, out=np.full(events.shape, np.nan), where=base > 0)
    low, high = wilson(value, base.astype(np.int64), confidence)
    columns = {"value": value, "wilson_low": np.clip(low, 0, 1), "wilson_high": np.clip(high, 0, 1)}
    low, high = jeffreys(events, base, confidence)
    return pd.DataFrame(columns | {"jeffreys_low": low, "jeffreys_high": high})


def jeffreys(events: FloatArray, base: FloatArray, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Equal-tailed quantiles of Beta(k + 1/2, n - k + 1/2), with 0 as the low end at k = 0 and 1 as the high at k = n.

    Args:
        events: (shares,), k.
        base: (shares,), n.
        confidence: coverage wanted.

    Returns:
        low and high, each (shares,); NaN where n is 0.
    """
    tail = (1.0 - confidence) / 2.0
    low, high = (betaincinv(events + 0.5, base - events + 0.5, p) for p in (tail, 1.0 - tail))
    low, high = np.where(events == 0, 0.0, low), np.where(events == base, 1.0, high)
    return np.where(base > 0, low, np.nan), np.where(base > 0, high, np.nan)
