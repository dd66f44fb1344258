"""What teams make of their last answers by each rule: accuracy, effective size, and the law of that size."""

from collections.abc import Collection, Iterator, Sequence

from headcount.laws.estimate import LAWS
from headcount.laws.newton import Bounds
from headcount.laws.quantities import Quantity, of, share_of
from headcount.laws.resamples import Curve, parameters_of
from headcount.measures.arrays import FloatArray
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


def ringelmann_of(n_eff: Sequence[Curve], c_bounds: tuple[float, float]) -> list[FloatArray]:
    """c and beta of each curve: Ringelmann's law with the paper's bounds on beta (arXiv 2606.02646, app. M).

    Args:
        n_eff: nominal team sizes (sizes,), which efficiency divides by whatever a rule drops, and effective ones of the
            votes that a rule counts, (draws, sizes), NaN if unknown; of each curve.
        c_bounds: range of c.

    Returns:
        (draws, 2) of each curve; NaN with fewer than two sizes of two and more, and beta NaN where c = 0.
    """
    return parameters_of([(sizes, each / sizes) for sizes, each in n_eff], Bounds(c_bounds, LAWS["ringelmann"]))
