"""How an agent revises: it leaves the mode, follows it, thinks again, or keeps its answer.

Once for both paths: arguments are arrays that broadcast, or numbers. An agent that holds the mode leaves it with
probability `switching`. Who does not leave it follows the mode with probability 1 - (1 - alpha)^(m^crowding), where m
peers hold it and alpha is `learning` if it is right and `sycophancy` if it is wrong (`adoption` where they are not
told). Who does not follow thinks again with probability `redraw`. Who has no answer thinks.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.config import Population
from headcount.populations.answers import Answers, FloatArray, IntArray

KEEP, FOLLOW, THINK, LEAVE = range(4)
ACTS, THOUGHTS = 3, 3  # uniform numbers that each takes
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Heard:
    """What an agent knows when it revises.

    Attributes:
        silent: whether it has no answer of its own.
        modal: whether its answer is the mode.
        right: whether the mode is right.
        holders: how many of its peers hold the mode; 0 where there is none.
    """

    silent: BoolArray
    modal: BoolArray
    right: BoolArray
    holders: IntArray


def follows(population: Population, right: BoolArray, holders: IntArray) -> FloatArray:
    """Probability to follow a mode that some peers hold: 1 - (1 - alpha)^(m^crowding); 0 where m is 0."""
    learning = population.adoption if population.learning is None else population.learning
    sycophancy = population.adoption if population.sycophancy is None else population.sycophancy
    weight = np.where(holders > 0, np.maximum(holders, 1) ** population.crowding, 0.0)
    return np.asarray(1.0 - (1.0 - np.where(right, learning, sycophancy)) ** weight)


def act(population: Population, heard: Heard, uniform: FloatArray) -> IntArray:
    """What agents do: KEEP, FOLLOW, THINK or LEAVE.

    Args:
        uniform: (ACTS, ...) uniform numbers.
    """
    leaves = heard.modal & (uniform[0] < population.switching)
    followed = uniform[1] < follows(population, heard.right, heard.holders)
    settled = np.where(uniform[2] < population.redraw, THINK, KEEP)
    return np.where(heard.silent, THINK, np.where(leaves, LEAVE, np.where(followed, FOLLOW, settled)))


def think(
    population: Population, answers: Answers, item: IntArray, uniform: FloatArray, *, again: bool = False
) -> IntArray:
    """Ranks of answers that agents come to by themselves.

    With probability sqrt(correlation) an agent takes the common answer, else one of the item's distribution. Who
    thinks again takes the likeliest with probability `sharpening`.

    Args:
        item: place of the item; broadcasts against the uniform numbers.
        uniform: (THOUGHTS, ...) uniform numbers.
        again: whether this is a revision.
    """
    rank = answers.quantile(item, uniform[0])
    if population.correlation:
        rank = np.where(uniform[1] < np.sqrt(population.correlation), answers.common[item], rank)
    if again and population.sharpening:
        rank = np.where(uniform[2] < population.sharpening, answers.likeliest[item], rank)
    return rank
