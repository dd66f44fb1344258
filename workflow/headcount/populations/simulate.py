"""Answers of one simulated team, without a file: for calibration and for benchmarks."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from headcount.config import Condition, Population
from headcount.populations.answers import Answers, IntArray, accuracies, common_uniform, shares, wrong_counts
from headcount.populations.debates import Talk, play
from headcount.populations.noise import Noise
from headcount.populations.teams import Members, Round, Team

COMPARISONS = 2**21  # of agents with each other at once: what fits a processor's cache, about


def answer_codes(
    population: Population,
    items: int,
    n: int,
    k: int | Literal["full"],
    rounds: int,
    condition: Condition,
    rng: np.random.Generator,
    *,
    options: int | None = 4,
    teams: int = 1,
) -> IntArray:
    """Answers of simulated agents to new items, drawn from a population.

    Args:
        items: how many; each with a difficulty, wrong answers and a common answer of its own.
        n: agents of a team.
        k: how many others each hears in debate and noise; `full`: all.
        rounds: round 1 and the revisions.
        options: choices of an item; none: it is free-form.
        teams: disjoint teams that answer the same items, side by side.

    Returns:
        (items, teams * n, rounds) of ranks: 0 is right, 1 and more are wrong answers, the likeliest first; -1 is a
        reply without an answer. In noise, another item's free-form answer has a number past all ranks.
    """
    everybody = _team(population, items, n * teams, options, rng)
    talk = Talk(condition, n - 1 if k == "full" else k, rounds - 1, 1)
    said = [_answers(everybody.of(slice(n * place, n * (place + 1))), talk) for place in range(teams)]
    return _ranks(everybody, np.concatenate(said, axis=2)).transpose(0, 2, 1)


def chunks(items: int, n: int) -> Iterator[IntArray]:
    """Places of items, as many at a time as there are comparisons to be made at once."""
    step = max(COMPARISONS // n**2, 1)
    return (np.arange(start, min(start + step, items)) for start in range(0, items, step))


def _team(population: Population, items: int, agents: int, options: int | None, rng: np.random.Generator) -> Team:
    """Agents of one model before new items. The letters of options stand in an order of each item's own."""
    wrong = wrong_counts(population, rng, options, items)
    chances = shares(accuracies(population, rng, items), wrong, population.tail)
    common = common_uniform(population, *rng.random((3, items)))
    ids = np.arange(items * chances.shape[1]).reshape(chances.shape)
    if options:
        ids = rng.permuted(np.tile(np.arange(options), (items, 1)), axis=1)[:, : chances.shape[1]]
    ids = np.where(np.arange(chances.shape[1]) <= wrong[:, None], ids, -2)
    words = rng.integers(2**64, size=items + 1, dtype=np.uint64)
    members = Members(population, words[0], Answers.of(chances, common), ids)
    return Team((members,), np.zeros(agents, dtype=np.int64), np.arange(agents), words[1:], ids[:, 0])


def _answers(team: Team, talk: Talk) -> IntArray:
    """Ids, (items, rounds, agents)."""
    every, n = np.arange(len(team.gold)), len(team.model)
    first = team.first(Round(every, 1, 1))
    if talk.condition == "noise":
        talk = Talk(talk.condition, talk.k, talk.updates, talk.team, strange=Noise.of(first))
    return np.concatenate([play(team, talk, at, 1, first[at]) for at in chunks(len(every), n)])


def _ranks(team: Team, ids: IntArray) -> IntArray:
    """Ids as ranks of their items' answers; those of no answer of an item come after all that are."""
    (members,) = team.members
    every = np.arange(len(ids))
    ranks = np.concatenate([members.ranks(at, ids[at]) for at in chunks(len(every), ids.shape[2])])
    return np.where((ranks < 0) & (ids >= 0), members.ids.shape[1] + ids, ranks)
