"""What the smallest teams of a series say about larger ones: N_eff by Ringelmann's law, accuracy by a straight line.

Everything is a function of means over the pilot's items, so one set of item weights serves all of it.
"""

from dataclasses import dataclass

import numpy as np

from headcount.laws.estimate import LAWS
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.profiles import Profile
from headcount.laws.series import Series, TaskRows, item_means
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.correctness import right_in_pairs, share
from headcount.measures.intervals import bootstrap_means

LARGEST_PILOT = 5
SMALLEST = 3  # sizes of a pilot whose teams are all larger
_COLUMNS = ("n_correct", "n_valid", "pairs", "equal_pairs", "correct_pairs")
COUNTS = (*_COLUMNS, "right_in_pairs")


def planning_sizes(sizes: IntArray) -> IntArray:
    """The sizes that a plan is made from: those of at most 5, if they are two or more, else the smallest three.

    As in `audit.pilot_sizes`, but no size need be left over to predict: a pilot is mostly all that was run.

    Args:
        sizes: (sizes,), of two and more, ascending.

    Returns:
        ascending; empty with fewer than two sizes.
    """
    small = sizes[sizes <= LARGEST_PILOT]
    chosen = small if small.size > 1 else sizes[:SMALLEST]
    return chosen if chosen.size > 1 else sizes[:0]


def line(sizes: IntArray, right: FloatArray, at: IntArray) -> FloatArray:
    """Team accuracy as a straight line in 1 / N: a + b / N, by least squares (ours).

    Of plurality votes it is nearly right whatever the wrong answers are: simulated teams of 30 are missed by 3 to 4
    points from 2, 3 and 5, where the normal approximation misses them by 10 to 20.

    Args:
        sizes: (sizes,), of the pilot; two or more.
        right: (draws, sizes), its teams' accuracies.
        at: (at,), sizes to predict.

    Returns:
        (draws, at).
    """
    x = 1.0 / sizes
    centred = x - x.mean()
    slope = right @ centred / (centred @ centred)
    return np.asarray(right.mean(axis=1)[:, None] + slope[:, None] * (1.0 / at - x.mean()))


@dataclass(frozen=True)
class Pilot:
    """The pilot of a series at one level.

    Attributes:
        profile: N_eff of the series at all its sizes.
        sizes: (sizes,), those that the law may see.
        counts: (items, all sizes x parts), team accuracy and then `COUNTS`; NaN where an item has none.
    """

    profile: Profile
    sizes: IntArray
    counts: FloatArray

    @property
    def values(self) -> FloatArray:
        """(items, columns), all that is averaged over items."""
        return np.concatenate([self.profile.values, self.counts], axis=1)

    @property
    def seen(self) -> FloatArray:
        """(1, columns), means with every item counted once."""
        return bootstrap_means(self.values, np.ones((1, len(self.values))))

    @property
    def _within(self) -> BoolArray:
        return np.isin(self.profile.sizes, self.sizes)

    def _split(self, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """N_eff (draws, all sizes), and the counts (draws, all sizes, parts)."""
        own, counts = np.split(means, [self.profile.values.shape[1]], axis=1)
        return self.profile.n_eff(own), counts.reshape(-1, self.profile.sizes.size, 1 + len(COUNTS))

    def observed(self, means: FloatArray) -> FloatArray:
        """N_eff and team accuracy at each size that was run, (draws, 2 x all sizes)."""
        n_eff, counts = self._split(means)
        return np.concatenate([n_eff, counts[:, :, 0]], axis=1)

    def parameters(self, means: FloatArray) -> FloatArray:
        """c and beta of Ringelmann's law, beta from -1 to 1, fitted to the pilot; (draws, 2)."""
        n_eff, _ = self._split(means)
        r = n_eff[:, self._within] / self.sizes
        fits = fit_curves(self.sizes, np.where(r > 0, r, np.nan), Bounds(beta=LAWS["ringelmann_free"]))
        return np.stack([fits.c, fits.beta], axis=1)

    def accuracy(self, means: FloatArray, at: IntArray) -> FloatArray:
        """Team accuracy as `line` predicts it; (draws, at), not kept between 0 and 1."""
        _, counts = self._split(means)
        return line(self.sizes, counts[:, self._within, 0], at)

    def agents(self, means: FloatArray) -> FloatArray:
        """Accuracy of the pilot's agents after the last revision, (draws,)."""
        total = self._split(means)[1][:, self._within].sum(axis=1)
        return share(total[:, 1], total[:, 2])

    def wrong_agreement(self, means: FloatArray) -> FloatArray:
        """Of pairs of agents who are both wrong, the share that gives one answer; (draws,).

        1 where being wrong is one answer, as the normal approximation has it; 1/3 for three options as likely as each
        other; near 0 where wrong numbers scatter. Right answers are taken for one answer.
        """
        total = self._split(means)[1][:, self._within].sum(axis=1)
        pairs, equal, both_right, first_right = total[:, 3:].T
        return np.clip(share(equal - both_right, pairs - 2.0 * first_right + both_right), 0.0, 1.0)


def pilot_of(rows: TaskRows, series: Series, profile: Profile) -> Pilot | None:
    """The pilot of a series; none with fewer than two sizes of two and more."""
    sizes = planning_sizes(profile.sizes)
    if not sizes.size:
        return None
    here = {name: rows.columns[name][series.rows] for name in _COLUMNS}
    right = rows.columns["team_correct" if rows.subsets == "all" else "expected_correct"][series.rows]
    first_right = right_in_pairs(here["n_correct"], here["n_valid"], here["pairs"])
    parts = np.stack([right, *here.values(), first_right], axis=1)
    means = item_means(rows, series, parts)[:, series.sizes >= 2]
    return Pilot(profile, sizes, means.reshape(len(rows.items), -1))
