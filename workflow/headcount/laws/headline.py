"""Two numbers that say what a fitted law means: the correlation in a team of ten, and what a team of thirty is worth.

c and beta are confounded: a larger c goes with a larger beta and draws nearly the same curve, so each is known less
well than the curve is. These two are points of the curve.
"""

from collections.abc import Callable

import numpy as np

from headcount.laws.audit import OURS
from headcount.laws.compared import COMPARED
from headcount.laws.profiles import Profile, Row
from headcount.laws.settings import FitSettings
from headcount.laws.together import Later, Together
from headcount.measures.arrays import FloatArray
from headcount.measures.diversity import correlation_from_n_eff
from headcount.measures.intervals import bootstrap_means
from headcount.measures.scales import Scale, Scales

MIDDLE, LARGE = 10, 30
_NAMES = ("rho_10", "n_eff_30")
SCALES = Scales.of([Scale("share", 0.0, 1.0), Scale("share", 0.0, LARGE)])


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
    return ask_headline(curve, weights, settings, Together())()


def ask_headline(
    curve: Profile, weights: FloatArray, settings: FitSettings, together: Together
) -> Callable[[], dict[str, Row]]:
    """`headline`, later: when all that is asked of `together` is."""
    every = bootstrap_means(curve.values, np.ones((1, len(curve.values))))
    points = {law: _ask(curve, every, law, settings, together) for law in COMPARED}
    sample = settings.interval(settings.n_boot).sample(curve.values, weights)
    some = OURS if curve.n_items > 1 else ()
    draws = [_ask(curve, sample.means, law, settings, together) for law in some]

    def told() -> dict[str, Row]:
        ends = dict.fromkeys(COMPARED, (np.full(2, np.nan), np.full(2, np.nan)))
        for law, of_law in zip(some, draws, strict=True):
            low, high, _ = sample.ends(_numbers(of_law()), settings.confidence, SCALES)
            ends[law] = low, high
        return {law: _columns(_numbers(points[law]())[0], *ends[law]) for law in COMPARED}

    return told


def _columns(values: FloatArray, low: FloatArray, high: FloatArray) -> Row:
    made = {"": values, "_low": low, "_high": high}
    return {f"{name}{end}": float(made[end][place]) for place, name in enumerate(_NAMES) for end in made}


def _ask(curve: Profile, means: FloatArray, law: str, settings: FitSettings, together: Together) -> Later:
    """N_eff of both sizes by the law, (draws, 2), from means of `curve.values`."""
    r = curve.n_eff(means) / curve.sizes
    return together.predict(law, curve.sizes, r, np.array([MIDDLE, LARGE]), settings.c_bounds)


def _numbers(n_eff: FloatArray) -> FloatArray:
    """rho(10) and N_eff(30), (draws, 2), from N_eff of both sizes."""
    return np.stack([_correlation(n_eff[:, 0]), n_eff[:, 1]], axis=1)


def _correlation(n_eff: FloatArray) -> FloatArray:
    """NaN where a law says that a team is worth nobody."""
    return correlation_from_n_eff(np.array(MIDDLE), np.where(n_eff > 0, n_eff, np.nan))
