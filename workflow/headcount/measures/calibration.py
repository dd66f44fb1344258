"""Whether a team that agrees is right: the share of votes that the leading answer has, beside how often it is right."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.votes import chance_of_correct, unanimous

BINS = 10  # of equal width


@dataclass(frozen=True)
class Reliability:
    """Teams in bins of their confidence.

    Attributes:
        low: (bins,), a bin holds shares above this.
        high: (bins,), and up to this.
        teams: (bins,), how many teams it holds.
        share: (bins,), mean share of the leading answer.
        accuracy: (bins,), mean accuracy.
        unanimous_wrong: (bins,), share of its teams that agree and are wrong.

    All but the first three are NaN where a bin is empty.
    """

    low: FloatArray
    high: FloatArray
    teams: IntArray
    share: FloatArray
    accuracy: FloatArray
    unanimous_wrong: FloatArray

    @property
    def error(self) -> FloatArray:
        """|share - accuracy| of each bin, (bins,)."""
        return np.asarray(np.abs(self.share - self.accuracy))

    @property
    def calibration_error(self) -> float:
        """Expected calibration error: sum_b (m_b / M) |share_b - accuracy_b| over bins of m_b of M teams.

        The usual one (Guo et al. 2017, arXiv 1706.04599, eq. 5) with a team's share in place of a model's probability.
        NaN where there is no team.
        """
        held = self.teams > 0
        if not held.any():
            return float("nan")
        return float(np.average(self.error[held], weights=self.teams[held]))


def confidence_from_agreement(counts: IntArray, correct: IntArray, n: IntArray, bins: int = BINS) -> Reliability:
    """Accuracy of teams by the share of their valid votes that the leading answer has (ours).

    The share is a team's confidence if agreement is taken for it. A tie has two leaders of one share: the accuracy is
    that of a chance choice among them. Teams in which nobody answered have no share, and are in no bin.

    Args:
        counts: (teams, answers), how often each answer was given.
        correct: (teams, answers), how many of these votes are right: all or none.
        n: (teams,), nominal team sizes.
        bins: how many bins, of equal width, from 0 to 1; each without its lower end and with its upper one.
    """
    votes = counts.sum(axis=1)
    here = votes > 0
    votes, leading = votes[here], counts[here].max(axis=1, initial=0)
    right = chance_of_correct(counts[here], correct[here])
    agreed_wrong = unanimous(counts[here], n[here]) & (right == 0)
    place = -(-leading * bins // votes) - 1  # in whole numbers: 3 of 10 votes are in the bin that ends at .3
    teams = np.bincount(place, minlength=bins)
    edges = np.arange(bins + 1) / bins

    def mean(values: FloatArray | BoolArray) -> FloatArray:
        total = np.bincount(place, values.astype(np.float64), minlength=bins)
        return np.where(teams > 0, total / np.maximum(teams, 1), np.nan)

    return Reliability(edges[:-1], edges[1:], teams, mean(leading / votes), mean(right), mean(agreed_wrong))


def pooled(parts: Reliability) -> Reliability:
    """All bins as one, from 0 to 1."""
    held = parts.teams > 0
    weights = parts.teams[held]

    def mean(values: FloatArray) -> FloatArray:
        return np.array([np.average(values[held], weights=weights) if held.any() else np.nan])

    whole = (mean(values) for values in (parts.share, parts.accuracy, parts.unanimous_wrong))
    return Reliability(np.zeros(1), np.ones(1), parts.teams.sum(keepdims=True), *whole)


def wilson(share: FloatArray, n: IntArray, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Wilson's score interval of a share of n.

    (p + z^2/2n +- z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n). Where p is a mean of chances (ties), it is wider than
    need be.

    Args:
        share: any shape, in [0, 1].
        n: the same shape, how many it is the share of.
        confidence: coverage wanted.

    Returns:
        low and high, of that shape; NaN where n is 0.
    """
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    size = np.where(n > 0, n, np.nan)
    middle = share + z**2 / (2 * size)
    half = z * np.sqrt(share * (1 - share) / size + z**2 / (4 * size**2))
    return (middle - half) / (1 + z**2 / size), (middle + half) / (1 + z**2 / size)
