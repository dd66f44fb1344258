"""What a level calls an effective team: what of an item is averaged, and what is made of it.

A level never averages N_eff in two ways at once: `parts` are averaged over items (after averaging
the replicates of an item, since the item is what is resampled), and `n_eff` is a function of these
means. So any reweighting of items, a bootstrap draw too, is one matrix product and one formula.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.correctness import icc, n_eff_correctness, right_in_pairs
from headcount.measures.diversity import n_eff_from_correlation
from headcount.measures.scales import KISH, OF_TEAM, POSITIVE, Scale, Scales

Columns = Mapping[str, FloatArray]  # columns of MEASURES, each (rows,), NaN for null


@dataclass(frozen=True)
class Level:
    """A level of measurement.

    Attributes:
        name: its name in the tables.
        parts: columns of MEASURES -> (rows, parts), what is averaged over items; NaN where an item
            has no part in it.
        n_eff: means (draws, sizes, parts) and sizes (sizes,) -> (draws, sizes) in agents.
        flags: means (1, sizes, parts) and sizes (sizes,) -> why a size has no n_eff, by `flags.FLAGS`.
        scale: of n_eff, on which its interval is made.
    """

    name: str
    parts: Callable[[Columns], FloatArray]
    n_eff: Callable[[FloatArray, IntArray], FloatArray]
    flags: Callable[[FloatArray, IntArray], list[str]] = lambda _means, _sizes: []
    scale: Scale = OF_TEAM

    def scales(self, values: FloatArray, sizes: IntArray) -> Scales:
        """Of n_eff at each size: values (items, sizes, parts), of which the last is what an item counts by."""
        return Scales.of([self.scale] * sizes.size, sizes, (values[:, :, -1] > 0).sum(axis=0))


def _mean(means: FloatArray, _sizes: IntArray) -> FloatArray:
    return means[:, :, 0]


def _pairs(rows: Columns) -> FloatArray:
    """Equal pairs of valid answers, and all pairs; 0 and 0 where a team has none."""
    return np.stack([rows["equal_pairs"], rows["pairs"]], axis=1)


def _pooled(means: FloatArray, sizes: IntArray) -> FloatArray:
    """Kish's formula on pooled agreement; 1 for a team of one, NaN where no team has a pair."""
    equal, pairs = means[:, :, 0], means[:, :, 1]
    rho = np.where(pairs > 0, equal / np.where(pairs > 0, pairs, 1.0), np.nan)
    return np.where(sizes == 1, 1.0, n_eff_from_correlation(sizes, rho))


def _correctness(rows: Columns) -> FloatArray:
    """Pairs whose first agent is right, who are both right, and who both answered."""
    right = right_in_pairs(rows["n_correct"], rows["n_valid"], rows["pairs"])
    return np.stack([right, rows["correct_pairs"], rows["pairs"]], axis=1)


def _correctness_n_eff(means: FloatArray, sizes: IntArray) -> FloatArray:
    return n_eff_correctness(sizes, icc(*np.moveaxis(means, 2, 0)))


def _correctness_flags(means: FloatArray, sizes: IntArray) -> list[str]:
    """What keeps a team of two or more that has pairs from an effective size."""
    rho, has_pairs = icc(*np.moveaxis(means, 2, 0)), (means[:, :, 2] > 0) & (sizes >= 2)
    flags = {
        "correctness_undefined": np.isnan(rho),
        "correctness_unbounded": np.isfinite(rho) & np.isnan(n_eff_correctness(sizes, rho)),
    }
    return [flag for flag, holds in flags.items() if (holds & has_pairs).any()]


ANSWER = Level("answer", lambda rows: rows["n_eff_answer"][:, None], _mean)
"""Mean over items of 2^H (arXiv 2606.02646, K.1 steps 3 and 4): the paper's primary level."""

AGREEMENT = Level("agreement", lambda rows: rows["n_eff_agreement"][:, None], _mean)
"""Mean over items of N / (1 + (N - 1) rho_i) (arXiv 2606.02646, K.1).

A mean of inverses, and so biased where teams are small: at N = 2 and answer shares .7, .1, .1, .1
it is 1.48 where 1.32 is right.
"""

POOLED_AGREEMENT = Level("pooled_agreement", _pairs, _pooled, scale=KISH)
"""N / (1 + (N - 1) rhobar) with rhobar = equal pairs / pairs over all items (ours).

The one level at which agents who never talk have beta = 0, whatever the mix of their items.
"""

CORRECTNESS = Level("correctness", _correctness, _correctness_n_eff, _correctness_flags, POSITIVE)
"""N / (1 + (N - 1) rho) with rho the intraclass correlation of correctness (arXiv 2606.02646, Table 5).

All counts are pooled over items. Difficulty that items have in common makes agents correlate here, talk or no
talk. A size has no value where all or none are right, and where rho is at its lowest possible value.
"""

LEVELS = (ANSWER, AGREEMENT, POOLED_AGREEMENT, CORRECTNESS)
