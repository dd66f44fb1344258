"""Cases that pilots are tried on, as the planner sees them: means over items, and pilots of some of their sizes."""

from collections.abc import Sequence

import numpy as np

from headcount.calibration.pilot_populations import COLUMNS, Case, measures
from headcount.laws.levels import Level
from headcount.laws.pilot_fit import COUNTS, Pilot
from headcount.laws.profiles import Profile
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.diversity import n_eff_from_correlation

MANY = 8000  # items of a case whose truth is wanted
_AT_ONCE = 2_000_000  # answers


def truth(case: Case, sizes: IntArray, rng: np.random.Generator) -> dict[str, FloatArray]:
    """A case's own curves, from so many items that their noise is small beside what laws miss.

    Returns:
        effective sizes at the answer and the pooled-agreement level and team accuracy, (sizes,) each, by name.
    """
    chunk = max(_AT_ONCE // int(sizes.sum()), 1)
    parts = [min(chunk, MANY - start) for start in range(0, MANY, chunk)]
    total = sum(measures(case, sizes, items, rng).sum(axis=0) for items in parts)
    n_eff, equal, pairs, right = (np.asarray(total) / MANY).T
    return {"answer": n_eff, "pooled_agreement": n_eff_from_correlation(sizes, equal / pairs), "accuracy": right}


def pilot(seen: FloatArray, sizes: IntArray, chosen: Sequence[int], level: Level) -> Pilot:
    """The pilot that a run of some sizes would give.

    Args:
        seen: (items, sizes, columns), of `pilot_populations.measures`.
        sizes: (sizes,).
        chosen: those that the law may see.
    """
    columns = dict(zip(COLUMNS, seen.reshape(-1, len(COLUMNS)).T, strict=True))
    profile = Profile(level, sizes, level.parts(columns).reshape(len(seen), -1), len(seen))
    unknown = np.full((*seen.shape[:2], len(COUNTS)), np.nan)
    counts = np.concatenate([seen[:, :, -1:], unknown], axis=2)
    return Pilot(profile, np.array(chosen), counts.reshape(len(seen), -1))
