"""What the coverage study estimates from the means of a data set, at two levels: answers and pooled agreement.

The same functions as in the workflow's fits: Kish's formula and bounded least squares.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headcount.calibration.datasets import ACCURACY_AT, COLUMNS, SIZES, draw
from headcount.calibration.truths import Population
from headcount.laws.estimate import C_BOUNDS, LAWS
from headcount.laws.forms import ringelmann
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.measures.arrays import FloatArray
from headcount.measures.diversity import n_eff_from_correlation
from headcount.measures.scales import KISH, OF_TEAM, SHARE, Scale, Scales

PILOT = 3  # the first sizes: 2, 3, 5
OBSERVED = (2, 10, 30)
FITTED_AT_ONCE = 4000  # sets of means: bounds memory


@dataclass(frozen=True)
class Parameter:
    """A number to be estimated.

    Attributes:
        level: `answer`, `pooled_agreement`, or `accuracy`.
        name: what it is called in tables.
        scale: what it can be, and how the default interval is made: as in the workflow's tables.
        n: the size of team that it is of; 0 if of none.
        of_items: whether it is a mean over items, or a function of one share.
    """

    level: str
    name: str
    scale: Scale
    n: int = 0
    of_items: bool = False


_OF_A_LAW = (
    ("c", Scale("log", *C_BOUNDS)),
    ("beta", Scale("plain", *LAWS["ringelmann_free"])),
    ("rho_10", SHARE),  # c 10^-beta
    ("n_eff_30_from_pilot", Scale("share", 0.0, 30.0)),  # of the law fitted to sizes 2, 3 and 5; it may bend below 1
)
PARAMETERS = (
    *(Parameter("answer", *rest) for rest in _OF_A_LAW),
    *(Parameter("answer", f"n_eff_{n}", OF_TEAM, n, of_items=True) for n in OBSERVED),
    *(Parameter("pooled_agreement", *rest) for rest in _OF_A_LAW),
    *(Parameter("pooled_agreement", f"n_eff_{n}", KISH, n, of_items=True) for n in OBSERVED),
    Parameter("accuracy", f"team_accuracy_{ACCURACY_AT}", SHARE, of_items=True),
)


def scales_of(parameters: Sequence[Parameter], items: int) -> Scales:
    """Their scales, as means of so many items where they are."""
    sizes = np.array([parameter.n for parameter in parameters])
    means = np.array([items if parameter.of_items else 0 for parameter in parameters])
    return Scales.of([parameter.scale for parameter in parameters], sizes, means)


def estimate(means: FloatArray, law: str = "ringelmann_free") -> FloatArray:
    """Parameters of `PARAMETERS` from means over items.

    Args:
        means: (..., columns), of `datasets.COLUMNS`.
        law: which range beta has, by `laws.estimate.LAWS`.

    Returns:
        (..., parameters); beta is NaN where c is 0.
    """
    flat = means.reshape(-1, len(COLUMNS))
    parts = [_estimate(flat[at : at + FITTED_AT_ONCE], law) for at in range(0, len(flat), FITTED_AT_ONCE)]
    return np.concatenate(parts).reshape(*means.shape[:-1], len(PARAMETERS))


def truth(population: Population, rng: np.random.Generator, items: int = 200_000) -> FloatArray:
    """What `estimate` aims at, (parameters,).

    A law that holds is itself: at the level of pooled agreement a population of kind `law` has its own c and beta. All
    else is the free law of the population's curve, from so many items that its error is a fourteenth of that of 1,000.
    """
    means = draw(population, 1, items, rng)[0].mean(axis=0)
    if population.kind == "law":
        means[SIZES.size : 2 * SIZES.size] = population.c * SIZES.astype(np.float64) ** -population.beta
    return np.asarray(estimate(means[None])[0])


def _estimate(means: FloatArray, law: str) -> FloatArray:
    answer, agreement, correct = np.split(means, [SIZES.size, 2 * SIZES.size], axis=1)
    levels = np.concatenate([answer, n_eff_from_correlation(SIZES, agreement)])
    fitted = np.split(_of_curves(levels, law), 2)
    return np.concatenate([*fitted, correct], axis=1)


def _of_curves(n_eff: FloatArray, law: str) -> FloatArray:
    """The parameters of a level, (curves, parameters), from effective sizes (curves, sizes)."""
    bounds = Bounds(C_BOUNDS, LAWS[law])
    r = n_eff / SIZES
    fits, pilot = fit_curves(SIZES, r, bounds), fit_curves(SIZES[:PILOT], r[:, :PILOT], bounds)
    observed = n_eff[:, np.searchsorted(SIZES, OBSERVED)]
    columns = [
        fits.c,
        np.where(fits.c > 1e-9, fits.beta, np.nan),
        fits.c * 10.0**-fits.beta,
        30.0 * ringelmann(np.array(30.0), pilot.c, pilot.beta),
    ]
    return np.concatenate([np.stack(columns, axis=1), observed], axis=1)
