"""Two numbers that say what a fitted law means: the correlation in a team of ten, and what a team of thirty is worth.

c and beta are confounded: a larger c goes with a larger beta and draws nearly the same curve, so each is known less
well than the curve is. These two are points of the curve.
"""

import numpy as np

from headcount.laws.audit import OURS
from headcount.laws.compared import COMPARED
from headcount.laws.profiles import Profile, Row
from headcount.laws.settings import FitSettings
from headcount.measures.arrays import FloatArray
from headcount.measures.diversity import correlation_from_n_eff
from headcount.measures.intervals import bootstrap_means
from headcount.measures.scales import Scale, Scales

MIDDLE, LARGE = 10, 30
_NAMES = ("rho_10", "n_eff_30")


def headline(curve: Profile, weights: FloatArray, settings: FitSettings) -> dict[str, Row]:
    """rho(10) and N_eff(30) of each law, by its name, as columns of RIVALS.

    rho(10) = (10 / N_eff(10) - 1) / 9, which is c 10^-beta in Ringelmann's law; both are the law's, whether teams of
    that size were run or not.

    Args:
        curve: what the laws are fitted to.
        weights: (draws, items), of the run's interval.

    Returns:
        values, and of the laws with an interval of the run's own (`audit.OURS`) its ends, within what is possible.
    """
    every = bootstrap_means(curve.values, np.ones((1, len(curve.values))))
    points = {law: _numbers(curve, every, (law,), settings)[0] for law in COMPARED}
    ends = dict.fromkeys(COMPARED, (np.full(2, np.nan), np.full(2, np.nan)))
    if curve.n_items > 1:
        scales = Scales.of([Scale("share", 0.0, 1.0), Scale("share", 0.0, LARGE)] * len(OURS))
        low, high, _ = settings.interval(settings.n_boot)(
            curve.values, lambda means: _numbers(curve, means, OURS, settings), weights, settings.confidence, scales
        )
        for place, law in enumerate(OURS):
            part = slice(2 * place, 2 * place + 2)
            ends[law] = low[part], high[part]
    return {law: _columns(points[law], *ends[law]) for law in COMPARED}


def _columns(values: FloatArray, low: FloatArray, high: FloatArray) -> Row:
    made = {"": values, "_low": low, "_high": high}
    return {f"{name}{end}": float(made[end][place]) for place, name in enumerate(_NAMES) for end in made}


def _numbers(curve: Profile, means: FloatArray, laws: tuple[str, ...], settings: FitSettings) -> FloatArray:
    """(draws, laws x 2), from means of `curve.values`."""
    r = curve.n_eff(means) / curve.sizes
    at = np.array([MIDDLE, LARGE])
    told = [COMPARED[law].predict(curve.sizes, r, at, settings.c_bounds) for law in laws]
    return np.concatenate([np.stack([_correlation(n_eff[:, 0]), n_eff[:, 1]], axis=1) for n_eff in told], axis=1)


def _correlation(n_eff: FloatArray) -> FloatArray:
    """NaN where a law says that a team is worth nobody."""
    return correlation_from_n_eff(np.array(MIDDLE), np.where(n_eff > 0, n_eff, np.nan))
