"""What teams make of their last answers by each rule: accuracy, effective size, and the law of that size."""

from collections.abc import Collection, Iterator

import numpy as np

from headcount.laws.estimate import LAWS
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.quantities import Quantity, of, share_of
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.scales import DIFFERENCE, OF_TEAM

_CAST = "vote_correct_"


def rules_of(columns: Collection[str]) -> list[str]:
    """The rules that columns of joined rows hold votes by, in order of their names."""
    return sorted(name.removeprefix(_CAST) for name in columns if name.startswith(_CAST))


def voting(rules: Collection[str]) -> Iterator[Quantity]:
    """The quantities of rules at each size; a shift is against plurality on the same items."""
    for rule in rules:
        yield share_of(f"accuracy_{rule}", f"vote_correct_{rule}")
        yield of(f"n_eff_{rule}", f"vote_n_eff_{rule}", scale=OF_TEAM)
        if rule != "plurality":
            yield of(f"accuracy_shift_{rule}", f"vote_shift_{rule}", scale=DIFFERENCE)


def ringelmann_of(n_eff: FloatArray, sizes: IntArray, c_bounds: tuple[float, float]) -> FloatArray:
    """c and beta of each curve: Ringelmann's law with the paper's bounds on beta (arXiv 2606.02646, app. M).

    Args:
        n_eff: (curves, sizes), effective team sizes of the votes that a rule counts; NaN if unknown.
        sizes: (sizes,), nominal team sizes, which efficiency divides by whatever a rule drops.
        c_bounds: range of c.

    Returns:
        (curves, 2); NaN with fewer than two sizes of two and more, and beta NaN where c = 0.
    """
    fits = fit_curves(sizes, n_eff / sizes, Bounds(c_bounds, LAWS["ringelmann"]))
    return np.stack([fits.c, np.where(fits.c > 1e-9, fits.beta, np.nan)], axis=1)
