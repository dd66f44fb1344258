"""How far predictions from a pilot are off larger teams where items are no problem: what no pilot can tell of itself.

The result is tracked as `resources/calibration/pilot_error.csv`, and part of every prediction interval. Of teams of
several models there are no such populations: what is known of them is arXiv 2606.02646, Table 13.
"""

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from headcount.calibration.pilot_cases import truth
from headcount.calibration.pilot_populations import draw_case
from headcount.laws.estimate import LAWS
from headcount.laws.forms import ringelmann
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.pilot_error import ACCURACY, FIELDS, distance, implied, learned, scaled_size_error
from headcount.laws.pilot_fit import line
from headcount.measures.arrays import FloatArray, IntArray

PILOTS = ((2, 3), (2, 5), (3, 5), (2, 3, 5), (2, 3, 4, 5), (2, 3, 5, 7), (2, 5, 10), (3, 6, 9))
BEYOND = (15, 30, 100)  # sizes that are predicted
SIZES = np.array(sorted({*BEYOND, *(n for sizes in PILOTS for n in sizes)}))
LEVELS = ("answer", "pooled_agreement")
CASES = 200  # of each kind; fewer where fewer data sets are asked for
MIXED = {"hetero": (0.54, 0.35, 0.56)}  # c of its cells, arXiv 2606.02646, Table 11
PUBLISHED = Path("resources/published")
DECIMALS = 4  # of s
HELD_OUT, LARGEST = np.array([7, 10, 15, 20, 30]), 5  # of Table 13

Curves = Mapping[str, FloatArray]  # (cases, sizes) at SIZES: the two levels, and accuracy


def part(name: str, data_sets: int, rng: np.random.Generator, say: Callable[[str], None]) -> pd.DataFrame:
    """s of each pilot and level (`laws.pilot_error`), from cases of one kind.

    Args:
        name: alone, talk, or mixed, which is what was published.
        data_sets: at most so many cases.
    """
    if name == "mixed":
        return published(PUBLISHED)
    cases = min(CASES, data_sets)
    drawn = []
    for number in range(cases):
        drawn.append(truth(draw_case(rng, name == "talk"), SIZES, rng))
        if number % 50 == 49:
            say(f"{number + 1} of {cases} populations")
    curves = {key: np.stack([case[key] for case in drawn]) for key in drawn[0]}
    rows = [*(size_row(curves, level, pilot) for level, pilot in product(LEVELS, PILOTS))]
    rows += [accuracy_row(curves, pilot) for pilot in PILOTS]
    source = f"{cases} simulated populations"
    return pd.DataFrame([row | {"group": name, "cases": cases, "source": source} for row in rows], columns=[*FIELDS])


def size_row(curves: Curves, level: str, pilot: tuple[int, ...]) -> dict[str, object]:
    """s of N_eff, from the free law fitted to the pilot's sizes of each curve."""
    n_eff, at = curves[level], _beyond(pilot)
    sizes = np.array(pilot)
    known = n_eff[:, np.searchsorted(SIZES, sizes)]
    fits = fit_curves(sizes, known / sizes, Bounds(beta=LAWS["ringelmann_free"]))
    predicted = np.clip(at * ringelmann(at, fits.c[:, None], fits.beta[:, None]), 1.0, at)
    true = n_eff[:, np.searchsorted(SIZES, at)]
    errors = scaled_size_error(predicted, true, at, pilot[-1], known[:, -1])
    return _row("n_eff", level, pilot, errors)


def accuracy_row(curves: Curves, pilot: tuple[int, ...]) -> dict[str, object]:
    """s of the accuracy, from the straight line through the pilot's accuracies of each case."""
    right, at, sizes = curves["accuracy"], _beyond(pilot), np.array(pilot)
    predicted = np.clip(line(sizes, right[:, np.searchsorted(SIZES, sizes)], at), 0.0, 1.0)
    errors = np.abs(predicted - right[:, np.searchsorted(SIZES, at)]) / distance(at, pilot[-1])
    return _row(ACCURACY, ACCURACY, pilot, errors)


def published(folder: Path) -> pd.DataFrame:
    """s of mixed teams as Table 13 implies it, for the accuracy as Table 18 does: the larger of the levels' in common.

    Args:
        folder: of published tables.
    """
    table13 = pd.read_csv(folder / "table13_held_out_audit.csv")
    table18 = pd.read_csv(folder / "table18_accuracy_projection.csv")
    rows = []
    for team, scales in MIXED.items():
        here = table13[(table13["model"] == team) & (table13["form"] == "ringelmann")].iloc[0]
        n_eff = np.mean([LARGEST / (1 + c * (LARGEST - 1)) for c in scales])
        s = implied(float(here["mean_rel_err_pct"]) / 100, HELD_OUT, LARGEST, float(n_eff))
        right = table18.loc[table18["model"] == team, "mean_err_pp"].mean() / 100
        missed = implied(float(right), HELD_OUT, LARGEST, float(np.e))
        cells = int(here["n_cells"])
        for level, value in (*((level, s) for level in LEVELS), (ACCURACY, missed)):
            quantity, table = (ACCURACY, 18) if level == ACCURACY else ("n_eff", 13)
            about = {"quantity": quantity, "level": level, "group": "mixed", "pilot": "2;3;5", "cases": cells}
            rows.append(about | {"s": round(value, DECIMALS), "source": f"arXiv 2606.02646 Table {table}"})
    return pd.DataFrame(rows, columns=[*FIELDS])


def _beyond(pilot: tuple[int, ...]) -> IntArray:
    return np.array([n for n in BEYOND if n > pilot[-1]])


def _row(quantity: str, level: str, pilot: tuple[int, ...], errors: FloatArray) -> dict[str, object]:
    sizes = ";".join(map(str, pilot))
    return {"quantity": quantity, "level": level, "pilot": sizes, "s": round(learned(errors), DECIMALS)}
