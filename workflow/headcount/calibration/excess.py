"""Whether the excess over each null is 0 where nobody talks, and never where agents conform.

A data set is a run with 30 agents in round 1 and in self-correction, and two debating teams of each size. Independent
agents give new answers in every round, sharpening ones give sharpened answers after round 1 whether they hear others or
not, and conforming ones adopt their team's plurality in debate and stay with their answer in self-correction.
"""

import numpy as np
import pandas as pd

from headcount.calibration.coverage import Say, summary
from headcount.calibration.datasets import (
    UPDATES,
    alone,
    conformed,
    counts,
    n_eff_answer,
    pair_agreement,
    sharpened,
)
from headcount.calibration.offers import jackknife_t_plain
from headcount.calibration.parameters import Parameter
from headcount.calibration.truths import POPULATIONS, Items, Population
from headcount.laws.estimate import C_BOUNDS, LAWS
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.social import excess_share
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.diversity import n_eff_from_correlation
from headcount.measures.intervals import Jackknife
from headcount.measures.scales import ANY
from headcount.measures.subsets_sums import binomials, team_sums
from headcount.measures.subsets_values import diversity_factor

SIZES = np.array([3, 5, 10, 30])
AGENTS = 30
AT = (5, 10, 30)
SHARE = 0.5  # of the data sets of other studies
AT_ONCE = 25
NULLS = ("A", "B")
_BLOCK = len(SIZES)
PARAMETERS = (
    *(
        Parameter(null, name, ANY)
        for null in NULLS
        for name in (*(f"log_n_eff_ratio_{n}" for n in AT), *(f"kappa_{n}" for n in AT), "dc", "dbeta")
    ),
    *(Parameter("C", f"kappa_{n}", ANY) for n in AT),
)
"""Quantities of `laws.excess`, at the level that is their null."""


def part(name: str, data_sets: int, rng: np.random.Generator, say: Say) -> pd.DataFrame:
    """A population and a number of items, by a name of `parts.STUDIES`.

    Returns:
        the columns of `coverage.summary`, with the null in place of a level, and `holds_zero`, the share of intervals
        that hold 0, with its Monte Carlo error.
    """
    label, items = name.rsplit("-", 1)
    population = POPULATIONS[label]
    true = estimate(means_of(draw(population, 1, 100_000, rng)))[0]
    true = np.where(_is_zero(population), 0.0, true)
    found = []
    for done in range(0, max(int(data_sets * SHARE), 2), AT_ONCE):
        count = min(AT_ONCE, max(int(data_sets * SHARE), 2) - done)
        data = draw(population, count, int(items), rng)
        weights = Jackknife().weights(int(items), rng)
        left = np.einsum("di,sic->dsc", weights / weights.sum(axis=1, keepdims=True), data, optimize=True)
        point = estimate(means_of(data))
        found.append((point, *jackknife_t_plain(point, estimate(left))))
        say(f"{done + count} data sets")
    point, low, high = (np.concatenate(each) for each in zip(*found, strict=True))
    rows = summary(PARAMETERS, true, point, low, high).rename(columns={"level": "null"})
    held = (low <= 0) & (high >= 0)
    rows["holds_zero"] = held.mean(axis=0)
    rows["holds_zero_se"] = held.std(axis=0, ddof=1) / np.sqrt(len(held))
    rows.insert(0, "population", label)
    rows.insert(1, "items", int(items))
    return rows


def means_of(data: FloatArray) -> FloatArray:
    """Means over items, (sets, columns), of data sets (sets, items, columns)."""
    return np.asarray(data.mean(axis=1))


def draw(population: Population, sets: int, items: int, rng: np.random.Generator) -> FloatArray:
    """Data sets: 2^H, pair agreement and agreement across two teams of debate at each size, then U of each null.

    Returns:
        (sets, items, columns): three times the sizes, then for A and B the sizes (2^H of all teams) and agreement.
    """
    total = sets * items
    shares = population.items.shares(total, rng)
    later = sharpened(shares) if population.kind == "sharpening" else shares
    first, other = (alone(shares, AGENTS, rng) for _ in range(2))
    again = first if population.kind == "conforming" else alone(later, AGENTS, rng)
    columns = [_debate(population, later, first, other, int(n), rng) for n in SIZES]
    blocks = [*zip(*columns, strict=True), _all_teams(first, population.items), _all_teams(again, population.items)]
    return np.stack([column for block in blocks for column in block]).T.reshape(sets, items, -1)


def estimate(means: FloatArray) -> FloatArray:
    """The quantities of `PARAMETERS`, (..., parameters), from means (..., columns)."""
    flat = means.reshape(-1, means.shape[-1])
    hill, within, across, *nulls = np.split(
        flat, [_BLOCK, 2 * _BLOCK, 3 * _BLOCK, 4 * _BLOCK, 4 * _BLOCK + 1, 5 * _BLOCK + 1], axis=1
    )
    at = np.searchsorted(SIZES, AT)
    law = _law(within)
    columns = []
    for null_hill, null_agreement in (nulls[:2], nulls[2:]):
        kappa = excess_share(within, np.repeat(null_agreement, _BLOCK, axis=1))
        difference = law - _law(np.repeat(null_agreement, _BLOCK, axis=1))
        columns += [np.log(hill / null_hill)[:, at], kappa[:, at], difference]
    columns.append(excess_share(within, across)[:, at])
    return np.concatenate(columns, axis=1).reshape(*means.shape[:-1], len(PARAMETERS))


def _law(agreement: FloatArray) -> FloatArray:
    """c and beta, free, of pooled agreement (curves, sizes); (curves, 2)."""
    bounds = Bounds(C_BOUNDS, LAWS["ringelmann_free"])
    fits = fit_curves(SIZES, n_eff_from_correlation(SIZES, agreement) / SIZES, bounds)
    return np.stack([fits.c, fits.beta], axis=1)


def _debate(
    population: Population, later: FloatArray, first: IntArray, other: IntArray, n: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """2^H and pair agreement of a team of n after debate, and its agreement with a second team; (items,) each."""
    ends = [_talked(population, later, team[:n], rng) for team in (first, other)]
    (count, lone), (second, _) = (counts(end, population.items) for end in ends)
    across = (count * second).sum(axis=0) / n**2
    return n_eff_answer(count, lone, n), pair_agreement(count, n), np.asarray(across)


def _talked(population: Population, later: FloatArray, answers: IntArray, rng: np.random.Generator) -> IntArray:
    if population.kind != "conforming":
        return alone(later, len(answers), rng)
    luck = rng.random((UPDATES, *answers.shape), dtype=np.float32)
    return conformed(answers, luck, rng.random(later.shape, dtype=np.float32))


def _all_teams(answers: IntArray, items: Items) -> list[FloatArray]:
    """Mean 2^H over all teams of each size that the agents can form, and their pair agreement; (items,) each."""
    count, lone = counts(answers, items)
    seats = np.zeros((int(lone.max()), lone.size), dtype=np.int64)  # each who stands alone gave an answer of its own
    seats[np.arange(len(seats))[:, None] < lone] = 1
    pools, back = np.unique(np.concatenate([count, seats]).T, axis=0, return_inverse=True)
    ways = binomials(AGENTS)[AGENTS]
    means = [team_sums(pools, diversity_factor(int(n))[None])[0, :, n][back] / ways[n] for n in SIZES]
    return [*means, pair_agreement(count, AGENTS)]


def _is_zero(population: Population) -> FloatArray:
    """Which quantities are 0 by construction, (parameters,): all where nobody sharpens or talks; B and C if silent."""
    silent = {"independent": ("A", "B", "C"), "sharpening": ("B", "C")}.get(population.kind, ())
    return np.array([parameter.level in silent for parameter in PARAMETERS])
