"""How a pilot would have done on other items: laws are fitted to half of the items and asked about the other half.

The usual audit shares its items with its pilot, so the errors of the two go together and the law looks better than it
would in use. Half of the items are a smaller pilot too: so the same half is asked about as well, and the halves
themselves are compared, which no law can be expected to beat by much.
"""

import math
from collections.abc import Callable, Iterable

import numpy as np

from headcount.laws.profiles import Profile
from headcount.laws.together import Together
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import bootstrap_means
from headcount.seeds import seed64

SPLITS = 20


def halves(items: int, splits: int, rng: np.random.Generator) -> FloatArray:
    """Item weights of random halves, each followed by the other: (2 x splits, items), 1 for those of the half."""
    order = rng.permuted(np.tile(np.arange(items), (splits, 1)), axis=1)
    first = (order < items // 2).astype(np.float64)
    return np.stack([first, 1.0 - first], axis=1).reshape(2 * splits, items)


def item_split(
    curve: Profile, pilot: IntArray, laws: Iterable[str], c_bounds: tuple[float, float], *words: object
) -> dict[str, dict[str, float]]:
    """Errors of N_eff at held-out sizes by law, over `SPLITS` random splits of the items and both directions of each.

    Replicates of an item stay together: the item is what is split. Each error is the median of the splits and
    directions: a form of three parameters now and then has a pole or an explosion at 30, and a mean would be that one.

    Args:
        curve: of all sizes of two and more.
        pilot: those that laws are fitted to.
        c_bounds: range of c.
        words: what seeds the splits.

    Returns:
        by law, columns of SKILLS: rmse (agents), error (mean |relative error|) and error_largest (the same at the
        largest size) of what a half predicts of itself (`same_half_`) and of the other (`other_half_`), and of what
        the other half is beside it (`halves_`). NaN with fewer than two items.
    """
    return ask_item_split(Together(), curve, pilot, laws, c_bounds, *words)()


def ask_item_split(
    together: Together,
    curve: Profile,
    pilot: IntArray,
    laws: Iterable[str],
    c_bounds: tuple[float, float],
    *words: object,
) -> Callable[[], dict[str, dict[str, float]]]:
    """`item_split`, later: when all that is asked of `together` is."""
    seen = curve.values[np.isfinite(curve.values).any(axis=1)]
    weights = halves(len(seen), SPLITS, np.random.default_rng(seed64("item_split", *words)))
    n_eff = curve.n_eff(bootstrap_means(seen, weights))
    held_out = ~np.isin(curve.sizes, pilot)
    r, at = n_eff[:, ~held_out] / pilot, curve.sizes[held_out]
    asked = {law: together.predict(law, pilot, r, at, c_bounds) for law in laws}
    same = n_eff[:, held_out]
    other = same.reshape(SPLITS, 2, -1)[:, ::-1].reshape(same.shape)
    between = _errors("halves", other, same)

    def told(predicted: FloatArray) -> dict[str, float]:
        return _errors("same_half", same, predicted) | _errors("other_half", other, predicted) | between

    return lambda: {law: told(predicted()) for law, predicted in asked.items()}


def _errors(name: str, observed: FloatArray, predicted: FloatArray) -> dict[str, float]:
    """Medians over the halves, (2 x splits, held-out sizes); a half with a size without a value is left out."""
    off = predicted - observed
    relative = np.abs(off) / observed
    numbers = {"rmse": np.sqrt((off**2).mean(axis=1)), "error": relative.mean(axis=1), "error_largest": relative[:, -1]}
    return {f"{name}_{what}": _median(values) for what, values in numbers.items()}


def _median(values: FloatArray) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if known.size else math.nan
