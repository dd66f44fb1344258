"""What agents answer by themselves: each item's distribution over its answers, and the answer they have in common."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.config import Population

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def accuracies(population: Population, rng: np.random.Generator, size: int) -> FloatArray:
    """Each item's probability of the right answer, of mean `accuracy` and variance spread * accuracy (1 - accuracy).

    Drawn from a Beta distribution of parameters accuracy and 1 - accuracy, times 1 / spread - 1.
    """
    mean, spread = population.accuracy, population.spread
    if spread == 0 or mean in (0, 1):
        return np.full(size, mean)
    precision = 1 / spread - 1
    return rng.beta(mean * precision, (1 - mean) * precision, size)


def wrong_counts(population: Population, rng: np.random.Generator, options: int | None, size: int) -> IntArray:
    """How many wrong answers each item has.

    Args:
        options: choices of an item; none: it is free-form.
    """
    mean = population.distinct_wrong
    most = np.iinfo(np.int64).max if options is None else options - 1
    match population.wrong_law:
        case "fixed":
            return np.full(size, mean if options is None else most)
        case "poisson":
            return np.minimum(1 + rng.poisson(mean - 1, size), most)
        case "geometric":
            return np.minimum(rng.geometric(1 / mean, size), most)


def shares(accuracy: FloatArray, wrong: IntArray, tail: float) -> FloatArray:
    """Probability of each answer by rank, (items, 1 + the largest number of wrong answers); 0 where an item has fewer.

    The right answer has `accuracy`; of the others each has `tail` times the probability of the one before it.

    Args:
        accuracy: (items,), of the right answer.
        wrong: (items,), how many wrong answers there are, at least one.
    """
    places = np.arange(wrong.max(initial=1))
    weights = np.where(places < wrong[:, None], tail**places, 0.0)
    weights *= ((1 - accuracy) / weights.sum(axis=1))[:, None]
    return np.concatenate([accuracy[:, None], weights], axis=1)


@dataclass(frozen=True)
class Answers:
    """How the agents of a population answer some items by themselves.

    Attributes:
        shares: (items, answers), the probability of each answer by rank; 0 where an item has fewer.
        common: (items,), the rank of the answer that the agents of a family have in common.
    """

    shares: FloatArray
    common: IntArray

    @classmethod
    def of(cls, shares: FloatArray, common: FloatArray) -> "Answers":
        """With the common answers that uniform numbers (items,) give: equal numbers, equal quantiles."""
        drawn = cls(shares, np.zeros(len(shares), dtype=np.int64))
        return cls(shares, drawn.quantile(np.arange(len(shares)), common))

    @cached_property
    def _steps(self) -> FloatArray:
        """Every item's cumulated shares, one after the other, each item's a whole number above those of the last."""
        steps = np.minimum(np.cumsum(self.shares, axis=1), 1.0)
        steps[np.arange(len(steps)), self._last] = 1.0
        steps[:, -1] = 1.0
        steps = np.maximum.accumulate(steps, axis=1) + np.arange(len(steps), dtype=np.float64)[:, None]
        return np.asarray(steps).ravel()

    @cached_property
    def _last(self) -> IntArray:
        """The last answer that an item has."""
        width = self.shares.shape[1]
        return np.asarray(width - 1 - np.argmax(self.shares[:, ::-1] > 0, axis=1))

    @cached_property
    def likeliest(self) -> IntArray:
        """The rank of each item's likeliest answer, (items,); of equals the first."""
        return np.asarray(np.argmax(self.shares, axis=1))

    def quantile(self, item: IntArray, uniform: FloatArray) -> IntArray:
        """The rank that a uniform number in [0, 1) stands for in an item's distribution.

        Args:
            item: place of the item; broadcasts against `uniform`.
        """
        width = self.shares.shape[1]
        found = np.searchsorted(self._steps, item + uniform, side="right") - np.asarray(item) * width
        return np.asarray(np.minimum(found, self._last[item]))  # item + uniform may round up to the next item

    def other(self, item: IntArray, rank: IntArray, uniform: FloatArray) -> IntArray:
        """An answer other than that of a rank, by the shares of the rest; the same where there is no other.

        Args:
            rank: -1 where the answer to avoid is none of the item's.
        """
        own = np.where(rank >= 0, self.shares[item, np.maximum(rank, 0)], 0.0)
        below = np.where(rank > 0, self._steps[item * self.shares.shape[1] + np.maximum(rank, 1) - 1] - item, 0.0)
        left = uniform * (1.0 - own)
        found = self.quantile(item, np.where((rank >= 0) & (left >= below), left + own, left))
        return np.asarray(np.where(own < 1.0, found, rank))


def common_uniform(population: Population, family: FloatArray, shared: FloatArray, chosen: FloatArray) -> FloatArray:
    """The uniform numbers that a family's common answers come from, (items,).

    An agent takes its family's common answer with probability sqrt(rho_W), and the family's is that of all families
    with probability sqrt(rho_B / rho_W): so two agents of one family take the same with probability rho_W, of two
    families with sqrt(rho_B rho_B'). Else they are independent given the item, whatever its distribution.

    Args:
        family: (items,) uniform numbers of the family's own.
        shared: the same of all families.
        chosen: uniform numbers of the family's that choose between them.
    """
    if population.correlation == 0:
        return family
    return np.where(chosen < np.sqrt(population.family_correlation / population.correlation), shared, family)
