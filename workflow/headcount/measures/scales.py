"""On which scale the interval of a parameter is made, so that it stays within what the parameter can be.

A symmetric interval of a share near 0 or 1 is too short on one side, leaves the range on the other, and has no width
where no item differs from another. So an estimate theta with a standard error gets its interval on its own scale:

    plain  theta -+ t se, cut off at the ends of the range
    log    the same of ln theta: for what is above 0 and has no other end, such as c
    share  of p = (theta - a) / (b - a), all q in [0, 1] with (p - q)^2 <= t^2 se^2 q (1 - q) / (p (1 - p)): an error
           that shrinks towards both ends of the range (ours). Of a proportion of items it is Wilson's interval (1927),
           with t for z
    kish   an effective team size by Kish's formula: the same of its agreement, which is a share
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.diversity import correlation_from_n_eff, n_eff_from_correlation

Ends = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class Scale:
    """A parameter's scale and range; NaN as its most is the size of the team, whatever it is."""

    kind: str
    least: float
    most: float


ANY, POSITIVE, LOG = Scale("plain", -np.inf, np.inf), Scale("plain", 0.0, np.inf), Scale("log", 0.0, np.inf)
SHARE, DIFFERENCE = Scale("share", 0.0, 1.0), Scale("plain", -1.0, 1.0)
OF_TEAM, KISH = Scale("share", 1.0, np.nan), Scale("kish", 1.0, np.nan)  # from 1 agent to all N


@dataclass(frozen=True)
class Scales:
    """The scales of some parameters, each (parameters,).

    Attributes:
        items: how many items a parameter is a mean of, or of how many it has a sum in its denominator; 0 if of none. A
            mean at an end of its range, or of items that do not differ, has the error of a proportion of as many; and
            so has a difference that is the same on every item.
    """

    kind: NDArray[np.str_]
    least: FloatArray
    most: FloatArray
    items: IntArray

    @classmethod
    def of(cls, scales: Sequence[Scale], n: IntArray | int = 0, items: IntArray | int = 0) -> "Scales":
        """Scales of parameters, in order.

        Args:
            n: team size of each, or of all; needed by OF_TEAM and KISH.
            items: as in the attributes, of each or of all.
        """
        most = np.array([scale.most for scale in scales], dtype=np.float64)
        return cls(
            np.array([scale.kind for scale in scales], dtype=np.str_),
            np.array([scale.least for scale in scales], dtype=np.float64),
            np.where(np.isnan(most), n, most),
            np.broadcast_to(np.asarray(items, dtype=np.int64), len(scales)),
        )

    @classmethod
    def join(cls, parts: Sequence["Scales"]) -> "Scales":
        """The scales of several runs of parameters, one after the other."""
        columns = zip(*((part.kind, part.least, part.most, part.items) for part in parts), strict=True)
        return cls(*(np.concatenate(column) for column in columns))

    def clip(self, low: FloatArray, high: FloatArray) -> Ends:
        """Ends within the range: what lies outside it was never possible."""
        return np.clip(low, self.least, self.most), np.clip(high, self.least, self.most)

    def there(self, theta: FloatArray) -> FloatArray:
        """Estimates (..., parameters) on their scales; NaN where there is none, as of ln 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            log, share = np.log(theta), (theta - self.least) / (self.most - self.least)
            kish = correlation_from_n_eff(self.most, theta)
        there = np.select([self.kind == "log", self.kind == "share", self.kind == "kish"], [log, share, kish], theta)
        return np.where(np.isfinite(there), there, np.nan)

    def back(self, low: FloatArray, high: FloatArray) -> Ends:
        """Ends (parameters,) on their scales as ends of the parameters; those of agreement change places."""
        ends = [self._back(end) for end in (low, high)]
        return np.minimum(*ends), np.maximum(*ends)

    def _back(self, end: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            log, share = np.exp(end), self.least + end * (self.most - self.least)
            kish = n_eff_from_correlation(self.most, end)
        return np.select([self.kind == "log", self.kind == "share", self.kind == "kish"], [log, share, kish], end)


def scaled_interval(theta: FloatArray, margin: FloatArray, quantile: FloatArray | float, scales: Scales) -> Ends:
    """Both ends of each parameter's interval, made on its scale and told on it.

    Args:
        theta: (parameters,), estimates on their scales.
        margin: (parameters,), t se there.
        quantile: t, of each parameter or of all.
        scales: of the parameters.

    Returns:
        low and high, (parameters,), on their scales; NaN where theta or the margin is, and where a share that is no
        mean of items is at an end of its range or beyond, as the scale knows no error there.
    """
    shares = np.isin(scales.kind, ("share", "kish"))
    p = np.where(shares, np.clip(theta, 0.0, 1.0), 0.5)
    spread = p * (1.0 - p)
    by_items = (spread < 1e-12) | ((scales.items > 0) & (margin < 1e-12))
    of_proportion = np.where(scales.items > 0, quantile**2 / np.maximum(scales.items, 1), np.nan)
    k = np.where(by_items, of_proportion + 0.0 * margin, margin**2 / np.where(spread < 1e-12, 1.0, spread))
    still = (scales.kind == "plain") & (scales.items > 0) & np.isfinite(scales.most - scales.least) & (margin < 1e-12)
    widest = (scales.most - scales.least) / 2 * quantile**2 / (np.maximum(scales.items, 1) + quantile**2)
    margin = np.where(still, widest, margin)
    middle, half = (p + k / 2) / (1 + k), np.sqrt(k * spread + k**2 / 4) / (1 + k)
    return np.where(shares, middle - half, theta - margin), np.where(shares, middle + half, theta + margin)
