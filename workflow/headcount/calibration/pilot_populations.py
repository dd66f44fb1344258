"""Populations of every sort that pilots are tried on: drawn at random, so that none of them is anybody's choice.

Half of them talk: in one or two revisions each agent hears all others, by the rule of the simulated engine. The others
hear nobody, and think again or do not. What is uncertain about real agents is drawn widely: how hard items are and how
much they differ, how many wrong answers there are, what agents share, how readily they follow, and whether many who
hold an answer count as many or as one.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from headcount.config import Population
from headcount.measures.arrays import FloatArray, IntArray
from headcount.populations.answers import Answers, accuracies, shares, wrong_counts
from headcount.populations.rule import ACTS, FOLLOW, KEEP, LEAVE, THOUGHTS, Heard, act, think

OPTIONS = (2, 4, 4, 5, 10)  # of questions that offer choices
FREE_FORM = 0.4  # share of the others
_LAWS: tuple[Literal["fixed", "poisson", "geometric"], ...] = ("fixed", "poisson", "geometric")
COLUMNS = ("n_eff_answer", "equal_pairs", "pairs", "expected_correct")


@dataclass(frozen=True)
class Case:
    """A population on one kind of question.

    Attributes:
        options: choices of a question; none: free-form.
        updates: revisions after the first answer.
        talk: whether agents hear all others in them.
    """

    population: Population
    options: int | None
    updates: int
    talk: bool


def draw_case(rng: np.random.Generator, talk: bool) -> Case:
    """A population at random."""
    shared = rng.uniform(0, 0.6) * rng.integers(0, 2)
    heeds = {name: float(np.exp(rng.uniform(np.log(0.01), np.log(0.6)))) for name in ("learning", "sycophancy")}
    if rng.random() < 0.5:
        heeds["sycophancy"] = heeds["learning"]
    population = Population(
        accuracy=rng.uniform(0.1, 0.95),
        spread=rng.uniform(0.05, 0.6),
        distinct_wrong=int(rng.integers(5, 41)),
        wrong_law=_LAWS[rng.integers(len(_LAWS))],
        tail=rng.uniform(0.5, 1.0),
        correlation=shared,
        redraw=rng.uniform(0.0, 0.5),
        switching=rng.uniform(0.0, 0.1),
        sharpening=rng.uniform(0.0, 1.0) * rng.integers(0, 2),
        crowding=rng.uniform(0.0, 1.0),
        **heeds,
    )
    options = None if rng.random() < FREE_FORM else int(rng.choice(OPTIONS))
    return Case(population, options, int(rng.integers(1, 3)) if talk else int(rng.integers(0, 3)), talk)


def measures(case: Case, sizes: IntArray, items: int, rng: np.random.Generator) -> FloatArray:
    """What the teams of a run would show: the team of n is the first n agents, as in the workflow.

    Returns:
        (items, sizes, columns), in the order of COLUMNS, after the last revision.
    """
    population = case.population
    accuracy = accuracies(population, rng, items)
    wrong = wrong_counts(population, rng, case.options, items)
    answers = Answers.of(shares(accuracy, wrong, population.tail), rng.random(items))
    item = np.arange(items)[:, None]
    first = think(population, answers, item, rng.random((THOUGHTS, items, int(sizes.max()))))
    if case.talk:
        return np.stack([_measured(_debated(case, answers, first[:, :n], rng), answers) for n in sizes], axis=1)
    for _ in range(case.updates):
        first = _revised(population, answers, first, rng)
    return np.stack([_measured(first[:, :n], answers) for n in sizes], axis=1)


def _revised(population: Population, answers: Answers, rank: IntArray, rng: np.random.Generator) -> IntArray:
    """Answers of agents who were asked again and heard nobody."""
    item = np.arange(len(rank))[:, None]
    anew = think(population, answers, item, rng.random((THOUGHTS, *rank.shape)), again=True)
    return np.where(rng.random(rank.shape) < population.redraw, anew, rank)


def _debated(case: Case, answers: Answers, rank: IntArray, rng: np.random.Generator) -> IntArray:
    """Answers of a team whose agents heard all others, (items, agents)."""
    population, item = case.population, np.arange(len(rank))[:, None]
    for _ in range(case.updates):
        mode, holders = _heard(rank, answers.shares.shape[1], rng)
        heard = Heard(np.zeros(rank.shape, dtype=np.bool_), rank == mode, mode == 0, holders)
        done = act(population, heard, rng.random((ACTS, *rank.shape)))
        anew = think(population, answers, item, rng.random((THOUGHTS, *rank.shape)), again=True)
        other = answers.other(item, rank, rng.random(rank.shape))
        rank = np.select([done == KEEP, done == FOLLOW, done == LEAVE], [rank, mode, other], anew)
    return rank


def _heard(rank: IntArray, kinds: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """The most frequent answer among each agent's peers and how many hold it, (items, agents); ties go by chance."""
    count = counts(rank, kinds)
    order = np.argsort(-(count + 0.5 * rng.random(count.shape)), axis=1)[:, :2]
    (first, second), (most, next_) = (
        np.split(part, 2, axis=1) for part in (order, np.take_along_axis(count, order, axis=1))
    )
    own = rank == first
    loses = own & (next_ > most - 1)  # without its own vote the second is ahead
    return np.where(loses, second, first), np.where(loses, next_, most - own)


def counts(rank: IntArray, kinds: int) -> IntArray:
    """How often each answer is given, (items, kinds)."""
    cell = rank + kinds * np.arange(len(rank))[:, None]
    return np.bincount(cell.ravel(), minlength=len(rank) * kinds).reshape(len(rank), kinds)


def _measured(rank: IntArray, answers: Answers) -> FloatArray:
    """The columns of COLUMNS of each item's team, (items, columns)."""
    n = rank.shape[1]
    count = counts(rank, answers.shares.shape[1])
    share = count / n
    bits = -(share * np.log2(np.where(count > 0, share, 1.0))).sum(axis=1)
    leads = count == count.max(axis=1, keepdims=True)
    equal = (count * (count - 1)).sum(axis=1) / 2
    right = np.where(leads[:, 0], 1.0 / leads.sum(axis=1), 0.0)
    return np.stack([np.exp2(bits), equal, np.full(len(rank), n * (n - 1) / 2), right], axis=1)
