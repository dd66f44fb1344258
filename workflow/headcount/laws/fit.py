"""One law on one curve: its estimates, how well they fit, and what to mind."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from headcount.laws.flags import check
from headcount.laws.forms import Sizes
from headcount.measures.arrays import FloatArray

REGIME_BORDER = 0.1


@dataclass(frozen=True)
class Fit:
    """Estimates of a law from one curve.

    Attributes:
        law: its name.
        params: estimates by name; NaN where the curve does not determine them.
        r2: share of the variance of R explained over sizes of two and more; NaN if there is none.
        r2_with_one: the same with R(1) = 1 added, as in the paper's HumanEval fits.
        rmse_n_eff: root mean squared error of N_eff, in agents, over sizes of two and more.
        regime: hard_ceiling, sublinear or linear, by the point; None for a law without an exponent.
        flags: names from `flags.FLAGS`.
    """

    law: str
    params: Mapping[str, float]
    r2: float = math.nan
    r2_with_one: float = math.nan
    rmse_n_eff: float = math.nan
    regime: str | None = None
    flags: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """The fit in types that JSON has: a number that is not finite becomes None."""
        numbers = {"r2": self.r2, "r2_with_one": self.r2_with_one, "rmse_n_eff": self.rmse_n_eff}
        return {
            "params": {name: _finite(value) for name, value in self.params.items()},
            **{name: _finite(value) for name, value in numbers.items()},
            "regime": self.regime,
            "flags": list(self.flags),
        }


def describe(
    law: str,
    params: Mapping[str, float],
    n: Sizes,
    r: FloatArray,
    model: FloatArray,
    flags: list[str],
    regime: str | None = None,
) -> Fit:
    """A fit with its quality.

    Args:
        n: (sizes,), team sizes of two and more.
        r: (sizes,), efficiencies, none missing.
        model: (sizes,), what the law makes of them.
    """
    quality = r_squared(r, model)
    error = float(np.sqrt(np.mean((n * (model - r)) ** 2))) if r.size else math.nan
    undefined = ["r2_undefined"] if r.size > 1 and np.ptp(r) < 1e-12 else []
    with_one = r_squared(np.r_[1.0, r], np.r_[1.0, model])
    return Fit(law, params, quality, with_one, error, regime, check([*flags, *undefined]))


def r_squared(y: FloatArray, model: FloatArray) -> float:
    """1 - SSE / SST, with SST about the mean of y; NaN where y has no variance or the model no
    value.

    Over R, as the published values are (arXiv 2606.02646, Table 12; over N_eff they could not be
    reached). It tells little: the curve 1/N alone has R2 = .98 on data with c = .85.
    """
    total = float(((y - y.mean()) ** 2).sum()) if y.size else 0.0
    if total <= 1e-24 or not np.isfinite(model).all():
        return math.nan
    return 1.0 - float(((y - model) ** 2).sum()) / total


def regime(beta: float) -> str | None:
    """Name of the scaling regime.

    hard_ceiling if beta <= .1, linear at 1, sublinear between (arXiv 2606.02646, Table 11: its
    labels need the border .1, not the 0 of Proposition 1). None where beta is NaN.
    """
    if math.isnan(beta):
        return None
    if beta <= REGIME_BORDER:
        return "hard_ceiling"
    return "linear" if beta >= 1.0 - 1e-9 else "sublinear"


def regime_by_interval(beta: float, low: float, high: float) -> str | None:
    """Name of the scaling regime that the whole interval of beta speaks for (ours).

    hard_ceiling if it lies at or below .1, sublinear if it lies above; else undetermined, as without an interval. None
    where beta is NaN.
    """
    if math.isnan(beta):
        return None
    if high <= REGIME_BORDER:
        return "hard_ceiling"
    return "sublinear" if low > REGIME_BORDER else "undetermined"


def usable(n: Sizes, r: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The sizes of two and more that have a value above 0, and their values."""
    n, r = np.asarray(n, dtype=np.float64).ravel(), np.asarray(r, dtype=np.float64).ravel()
    keep = (n >= 2) & np.isfinite(r) & (r > 0)
    return n[keep], r[keep]


def size_flags(n: Sizes, r: FloatArray) -> list[str]:
    """What there is to say about the sizes before fitting anything to them."""
    known, _ = usable(n, r)
    distinct = np.unique(known).size
    lost = (np.asarray(n).ravel() >= 2).sum() > known.size
    count = {0: ["no_sizes"], 1: ["one_size"], 2: ["two_sizes"]}.get(distinct, [])
    return count + (["size_without_value"] if lost else [])


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
