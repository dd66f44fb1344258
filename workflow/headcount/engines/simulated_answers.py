"""What the simulated engine's agents can answer to an item, in words: the right answer, and wrong ones by rank."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headcount.config import Population
from headcount.engines.questions import Question
from headcount.populations.answers import Answers, FloatArray, accuracies, common_uniform, shares, wrong_counts
from headcount.seeds import seed64

STYLES = 3  # ways to write a right program


@dataclass(frozen=True)
class Known:
    """An item as a population knows it.

    Attributes:
        shares: (answers,), the probability of each answer by rank: the right one first.
        wrong: the wrong answers.
        common: the uniform number that the family's common answer comes from.
    """

    shares: FloatArray
    wrong: tuple[str, ...]
    common: float


def know(population: Population, family: str, item: Question) -> Known:
    """A pure function of the item's name: the same for all agents, in every run."""
    rng = np.random.default_rng(seed64("item", item.id))
    accuracy = accuracies(population, rng, 1)
    options = len(item.choices) if item.choices else None
    count = wrong_counts(population, rng, options, 1)
    wrong = _wrong_answers(rng, item, int(count[0]))
    return Known(shares(accuracy, count, population.tail)[0], tuple(wrong), _common(population, family, item))


def known_answers(known: Sequence[Known]) -> Answers:
    """Some items' answers as arrays."""
    width = max(one.shares.size for one in known)
    table = np.stack([np.pad(one.shares, (0, width - one.shares.size)) for one in known])
    return Answers.of(table, np.array([one.common for one in known]))


def right_answers(item: Question) -> list[str]:
    """One, but for programs."""
    return [f"right_{number}" for number in range(STYLES)] if item.code else [item.gold]


def _common(population: Population, family: str, item: Question) -> float:
    """The same in every repetition: what agents have in common is how they were made, not when they were asked."""
    if not population.correlation:
        return 0.0
    names = (("common", family, item.id), ("common", item.id), ("common of", family, item.id))
    numbers = (np.array(seed64(*name) / 2**64) for name in names)
    return float(common_uniform(population, *numbers))


def _wrong_answers(rng: np.random.Generator, item: Question, count: int) -> list[str]:
    if item.choices:
        wrong = [letter for letter in item.letters if letter != item.gold]
        return [wrong[place] for place in rng.permutation(len(wrong))][:count]
    if item.code:
        return [f"wrong_{number}" for number in range(count)]
    offsets = rng.permutation(np.arange(1, count + 1)) * rng.choice((-1, 1), size=count)
    return [str(int(float(item.gold)) + int(offset)) for offset in offsets]
