"""Is a law wrong, or are its errors those of the items? A test that knows how the sizes of a curve err together.

All sizes of a curve are measured on the same items, so an error at one size comes with errors at the others. A fit
that weighs them by their covariance leaves a sum of squares whose distribution is known where the law holds. It serves
for the test alone: as estimates, such fits have intervals that cover far too seldom (ours).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import fdtrc

from headcount.laws.bends import BENDS
from headcount.laws.nearest import nearest
from headcount.laws.profiles import Profile
from headcount.measures.arrays import BoolArray, FloatArray
from headcount.measures.intervals import Jackknife, bootstrap_means, shared_weights

FLATTEST = 1e-7  # least eigenvalue of the correlations between sizes; below, sizes are functions of each other


@dataclass(frozen=True)
class Misfit:
    """How far a law is from a curve.

    Attributes:
        q: dimensionless; NaN where the covariance does not allow it.
        df: sizes less the parameters that are free: one that is held at a bound is not fitted. None without q.
        p: chance of a larger q if the law holds.
    """

    q: float = math.nan
    df: int | None = None
    p: float = math.nan


@dataclass(frozen=True)
class Noise:
    """How the points of a curve err together.

    Attributes:
        covariance: (sizes, sizes), of R.
        groups: of items, left out in turn to tell it.
    """

    covariance: FloatArray
    groups: int

    def at(self, sizes: BoolArray) -> "Noise":
        """That of some of the sizes."""
        return Noise(self.covariance[np.ix_(sizes, sizes)], self.groups)

    @property
    def regular(self) -> bool:
        """Whether sizes err in as many directions as there are sizes, and more groups than that were left out."""
        error = np.sqrt(np.diagonal(self.covariance))
        if not (np.isfinite(error).all() and (error > 1e-12).all() and self.groups - 1 > error.size > 0):
            return False
        return bool(np.linalg.eigvalsh(self.covariance / np.outer(error, error))[0] > FLATTEST)


def noise_of(curve: Profile, seed: int, team: str, task: str) -> Noise:
    """The noise of a profile's R, by the delete-group jackknife over the items that it has.

    S = (G - 1) / G sum_g (R(g) - mean R) (R(g) - mean R)' (Tukey 1958; Kott 2001 for groups).

    Args:
        seed, team, task: of the groups.
    """
    seen = curve.values[np.isfinite(curve.values).any(axis=1)]
    weights = shared_weights(Jackknife(), len(seen), seed, team, task)
    if len(weights) < 2:
        return Noise(np.full((curve.sizes.size,) * 2, np.nan), len(weights))
    r = curve.n_eff(bootstrap_means(seen, weights)) / curve.sizes
    off = r - r.mean(axis=0)
    return Noise((len(r) - 1) / len(r) * off.T @ off, len(r))


def misfit(law: str, n: FloatArray, r: FloatArray, noise: Noise) -> Misfit:
    """`misfits` of one curve.

    Args:
        law: of `compared.COMPARED`.
        n: (sizes,), of two and more.
        r: (sizes,), efficiencies, none missing.
        noise: of `r`.
    """
    return misfits(law, n, r[None], [noise])[0]


def misfits(law: str, n: FloatArray, r: FloatArray, noises: Sequence[Noise]) -> list[Misfit]:
    """Test that each of several curves is the law's but for the items it was measured on.

    Q = min over the law's curves f of (R - f)' S^-1 (R - f). With G groups, S is estimated with G - 1 degrees of
    freedom, so Q is not a chi-square but Hotelling's T^2 in d = sizes - parameters dimensions:
    Q (G - d) / (d (G - 1)) is F with d and G - d degrees of freedom (exact for a linear law and normal errors:
    the directions that the law cannot explain have a T^2 of their own). In simulations with the errors of made-up
    teams (ours: four options and free-form, both levels, eight sizes, six laws; `tests/laws/test_misfit.py`) a test of
    5 % by F rejects a true law in 1 to 7 of 100 cases; one by chi-square in 9 to 26 with 24 items, and in 6 to 9 with
    200 and 1,000.

    Args:
        law: of `compared.COMPARED`.
        n: (sizes,), of two and more.
        r: (curves, sizes), efficiencies, none missing.
        noises: of each curve of `r`.

    Returns:
        one of each curve; NaN where its noise is not regular, or the law has as many parameters as there are sizes.
    """
    bend, told = BENDS[law], [Misfit()] * len(noises)
    tested = [place for place, noise in enumerate(noises) if n.size >= bend.parameters and noise.regular]
    if not tested:
        return told
    q, held = nearest(bend, n, r[tested], np.stack([noises[place].covariance for place in tested]))
    for place, least, df in zip(tested, q.tolist(), (n.size - bend.parameters + held).tolist(), strict=True):
        if df > 0:
            told[place] = Misfit(least, df, hotelling_p(least, df, noises[place].groups))
    return told


def hotelling_p(q: float, df: int, groups: int) -> float:
    """Upper tail of Hotelling's T^2 in `df` dimensions with `groups` - 1 degrees of freedom; NaN where it has none."""
    if df < 1 or groups <= df or not math.isfinite(q):
        return math.nan
    return float(fdtrc(df, groups - df, q * (groups - df) / (df * (groups - 1.0))))
