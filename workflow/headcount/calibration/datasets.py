"""Data sets by the thousand: what the measures of a run would be, without its tables.

Agents are nested as in the workflow: the team of n is the first n, and they bring the same luck to every size. All
arrays have items last, and agents or answers first, so that sums over agents are sums of rows.
"""

import numpy as np
from numpy.typing import NDArray

from headcount.calibration.truths import Items, Population
from headcount.measures.arrays import FloatArray, IntArray

SIZES = np.array([2, 3, 5, 7, 10, 15, 20, 30])
ACCURACY_AT = 10
COLUMNS = (
    *(f"n_eff_answer_{n}" for n in SIZES),  # 2^H of each team
    *(f"agreement_{n}" for n in SIZES),  # share of equal pairs
    "team_correct",  # of the team of ACCURACY_AT; ties are drawn
)
UPDATES = 2
CONFORMITY = 0.5
_ALONE = 255  # an answer that nobody else gives
_LONE_ANSWERS = 10  # among how many the share of these is thought of as split, when it is squared


def draw(population: Population, sets: int, items: int, rng: np.random.Generator) -> FloatArray:
    """Many data sets of a population.

    Returns:
        (sets, items, columns), in the order of `COLUMNS`.
    """
    answers = teams(population, sets * items, rng)
    hill, agreement = np.empty((2, SIZES.size, sets * items))
    for place, n in enumerate(SIZES):
        count, lone = counts(answers[place], population.items)
        hill[place], agreement[place] = n_eff_answer(count, lone, n), pair_agreement(count, n)
        if n == ACCURACY_AT:
            correct = _is_right(count, lone, rng)
    return np.concatenate([hill, agreement, correct[None]]).T.reshape(sets, items, len(COLUMNS))


def teams(population: Population, items: int, rng: np.random.Generator) -> list[IntArray]:
    """Final answers of the team of each size: (n, items) each, codes from 0, which is right."""
    shares = population.items.shares(items, rng)
    if population.kind == "sharpening":
        shares = sharpened(shares)
    own = alone(shares, int(SIZES.max()), rng)
    if population.kind == "law":
        return _lawful(population, shares, own, rng)
    if population.kind == "conforming":
        luck = rng.random((UPDATES, *own.shape), dtype=np.float32)
        taste = rng.random((len(shares), items), dtype=np.float32)
        return [conformed(own[:n], luck[:, :n], taste) for n in SIZES]
    return [own[:n] for n in SIZES]


def counts(answers: IntArray, items: Items) -> tuple[IntArray, IntArray]:
    """How often each answer is given that several may give, (answers, items), and how many agents stand alone."""
    kinds = 2 + len(items.wrong)  # one more: a common answer that nobody gives but followers
    count = np.stack([(answers == v).sum(axis=0, dtype=np.int64) for v in range(kinds)])
    return count, len(answers) - count.sum(axis=0)


def n_eff_answer(count: IntArray, lone: IntArray, n: int) -> FloatArray:
    """2^H of each team, (items,), from counts (answers, items) and how many agents stand alone (items,)."""
    share = np.arange(n + 1) / n
    bits = -share * np.log2(np.where(share > 0, share, 1.0))
    return np.asarray(np.exp2(bits[count].sum(axis=0) + lone * bits[1]))


def pair_agreement(count: IntArray, n: int) -> FloatArray:
    """Share of equal pairs of each team, (items,), from counts (answers, items)."""
    return np.asarray((count * (count - 1)).sum(axis=0) / (n * (n - 1)))


def sharpened(shares: FloatArray) -> FloatArray:
    """Shares of agents who think again alone: squared, and scaled to 1; (answers, items)."""
    rest = 1.0 - shares.sum(axis=0)
    return np.asarray(shares**2 / ((shares**2).sum(axis=0) + rest**2 / _LONE_ANSWERS))


def alone(shares: FloatArray, agents: int, rng: np.random.Generator) -> IntArray:
    """An answer of each agent to each item, (agents, items), from shares (answers, items)."""
    luck = rng.random((agents, shares.shape[1]), dtype=np.float32)
    answer = np.zeros(luck.shape, dtype=np.uint8)
    for bound in np.cumsum(shares, axis=0):
        answer += luck >= bound.astype(np.float32)
    return np.where(answer < len(shares), answer, np.uint8(_ALONE))


def _lawful(population: Population, shares: FloatArray, own: IntArray, rng: np.random.Generator) -> list[IntArray]:
    """Agents who follow the common answer of their item, or give their own: see `Population`."""
    common = np.minimum(alone(shares, 1, rng)[0], len(shares)).astype(np.uint8)
    spread = rng.uniform(-1.0, 1.0, own.shape[1])
    luck = rng.random(own.shape, dtype=np.float32)
    answers = []
    for n, follow in zip(SIZES, population.following(SIZES.astype(np.float64)), strict=True):
        each = follow + spread * min(follow, 1.0 - follow)
        answers.append(np.where(luck[:n] < np.sqrt(each).astype(np.float32), common, own[:n]))
    return answers


def conformed(answers: IntArray, luck: NDArray[np.float32], taste: NDArray[np.float32]) -> IntArray:
    """What a team ends with whose agents adopt its plurality; `taste`, below 1, settles ties alike in every team."""
    for turn in luck:
        count = np.stack([(answers == v).sum(axis=0) for v in range(len(taste))])
        adopt = (turn < CONFORMITY) & (count.max(axis=0) > 1)
        answers = np.where(adopt, (count + taste).argmax(axis=0).astype(np.uint8), answers)
    return answers


def _is_right(count: IntArray, lone: IntArray, rng: np.random.Generator) -> FloatArray:
    """1 where a team's plurality is right, a tie drawn at random; (items,)."""
    top = np.maximum(count.max(axis=0), lone > 0)
    tied = (count == top).sum(axis=0) + np.where(top == 1, lone, 0)
    return np.asarray((count[0] == top) & (rng.random(top.size) * tied < 1.0), dtype=np.float64)
