"""Prediction intervals on populations of another making than those that the law's error was learned from.

They are those of the other studies (`truths.POPULATIONS`): some obey a law of agreement exactly, some conform by
another rule than the simulated engine's. On one population intervals hold the truth always or never where items are
many, since the law's error is the same in all data sets; so coverage is to be read over populations.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from headcount.calibration.datasets import SIZES, draw
from headcount.calibration.pilot_cases import pilot
from headcount.calibration.pilot_populations import COLUMNS
from headcount.calibration.pilots import ERRORS, LEVELS, TARGET, predicted_with, summary
from headcount.calibration.truths import POPULATIONS
from headcount.laws.pilot_error import PilotErrors
from headcount.measures.arrays import FloatArray
from headcount.measures.diversity import n_eff_from_correlation
from headcount.measures.intervals import Jackknife

PILOT = (2, 3, 5)
ITEMS = (200, 1000)
SETS = 40  # of each number of items; fewer where fewer are asked for
MANY = 60_000  # items behind the truth
ALONE = ("independent", "sharpening")


def part(name: str, data_sets: int, rng: np.random.Generator, say: Callable[[str], None]) -> pd.DataFrame:
    """Errors and coverage on one population, as in `pilots.part`; the column `group` has its name.

    Args:
        name: of the population.
        data_sets: at most so many of each number of items.
    """
    population, errors = POPULATIONS[name], PilotErrors.read(ERRORS)
    group = "alone" if population.kind in ALONE else "talk"
    true = _truth(draw(population, 1, MANY, rng)[0].mean(axis=0))
    rows: list[dict[str, object]] = []
    for items in ITEMS:
        for values in draw(population, min(SETS, data_sets), items, rng):
            weights = Jackknife().weights(items, rng)
            for level in LEVELS:
                said, alone = predicted_with(pilot(_seen(values), SIZES, PILOT, level), weights, errors, group)
                ends = {"predicted": said.n_eff.value, "low": said.n_eff.low, "high": said.n_eff.high}
                ends |= {"low_items": alone.n_eff.low, "high_items": alone.n_eff.high}
                key = {"group": name, "quantity": "n_eff", "level": level.name, "pilot": "2;3;5", "items": items}
                rows.append(key | {column: float(end[0]) for column, end in ends.items()} | {"true": true[level.name]})
        say(f"{items} items")
    return summary(pd.DataFrame(rows))


def _truth(means: FloatArray) -> dict[str, float]:
    """Effective sizes of the target by level, from means of `datasets.COLUMNS`."""
    place = int(np.searchsorted(SIZES, TARGET))
    agreement = means[SIZES.size + place]
    return {
        "answer": float(means[place]),
        "pooled_agreement": float(n_eff_from_correlation(np.array(TARGET), np.asarray(agreement))),
    }


def _seen(values: FloatArray) -> FloatArray:
    """A data set (items, `datasets.COLUMNS`) as `pilot_populations.measures` has it; accuracies are not known."""
    pairs = np.broadcast_to(SIZES * (SIZES - 1) / 2, (len(values), SIZES.size))
    agreement = values[:, SIZES.size : 2 * SIZES.size]
    seen = np.stack([values[:, : SIZES.size], agreement * pairs, pairs, np.zeros_like(pairs)], axis=2)
    assert seen.shape[2] == len(COLUMNS)
    return seen
