"""How big must a pilot be? Predictions of teams of 30 from pilots of some sizes and items, against what is true.

Populations are drawn anew for every number of items, independently of those that the law's error was learned from
(`calibration.pilot_error`). A pilot sees one team of each size on each item, the first n agents, as in the workflow.
"""

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from headcount.calibration.pilot_cases import pilot, truth
from headcount.calibration.pilot_populations import draw_case, measures
from headcount.laws.levels import ANSWER, POOLED_AGREEMENT
from headcount.laws.pilot_error import PilotErrors
from headcount.laws.pilot_fit import Pilot
from headcount.laws.pilot_prediction import Ends, Prediction, predict
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import Jackknife

ITEMS = (24, 50, 100, 200, 500, 1000)
PILOTS = ((2, 3), (2, 3, 5), (2, 3, 5, 7), (2, 5, 10))
SIZES = np.array(sorted({n for sizes in PILOTS for n in sizes}))
TARGET = 30
CONFIDENCE = 0.95
LEVELS = (ANSWER, POOLED_AGREEMENT)
CASES = 150  # of each kind; fewer where fewer data sets are asked for
ERRORS = Path("resources/calibration/pilot_error.csv")

_KEYS = ["group", "quantity", "level", "pilot", "items"]
_WITHIN = {"covered": "within", "covered_items_alone": "within_items"}


def part(name: str, data_sets: int, rng: np.random.Generator, say: Callable[[str], None]) -> pd.DataFrame:
    """Errors and coverage of one number of items.

    Args:
        name: items_{number}.
        data_sets: at most so many populations of each kind; each gives one data set.
    """
    items, errors = int(name.removeprefix("items_")), PilotErrors.read(ERRORS)
    rows: list[dict[str, object]] = []
    for number, group in product(range(min(CASES, data_sets)), ("alone", "talk")):
        rows += list(_of_case(group, items, errors, rng))
        if number % 50 == 49 and group == "talk":
            say(f"{number + 1} populations of each kind")
    return summary(pd.DataFrame(rows))


def summary(predictions: pd.DataFrame) -> pd.DataFrame:
    """Errors and coverage over populations, of each pilot, level and kind.

    Args:
        predictions: columns of _KEYS, predicted, low, high, low_items, high_items (of the items' error alone) and true.

    Returns:
        error: the median of |ln(predicted / true)|, of the accuracy |predicted - true|; bias: the mean of the same with
        its sign; covered and covered_items_alone: shares; half_width: median, on the same scale.
    """
    sizes = predictions["quantity"] == "n_eff"
    scaled = predictions[["predicted", "low", "high", "low_items", "high_items", "true"]].copy()
    scaled.loc[sizes] = np.log(scaled[sizes].to_numpy())
    error = scaled["predicted"] - scaled["true"]
    table = predictions[_KEYS].assign(
        error=error.abs(),
        bias=error,
        within=_inside(scaled, "low", "high"),
        within_items=_inside(scaled, "low_items", "high_items"),
        half_width=(scaled["high"] - scaled["low"]) / 2,
    )
    groups = table.groupby(_KEYS, sort=False)
    count = groups.size()
    found = groups[["error", "half_width"]].median().assign(bias=groups["bias"].mean())
    found["bias_se"] = groups["bias"].std() / np.sqrt(count)
    for share, inside in _WITHIN.items():
        found[share] = groups[inside].mean()
        found[f"{share}_se"] = np.sqrt(found[share] * (1.0 - found[share]) / count)
    return found.assign(cases=count).reset_index()


def predicted_with(one: Pilot, weights: FloatArray, errors: PilotErrors, group: str) -> tuple[Prediction, Prediction]:
    """What a pilot says of the target with the law's error in its intervals, and with that of the items alone."""
    nothing = PilotErrors({key: dict.fromkeys(known, 0.0) for key, known in errors.scales.items()})
    at = np.array([TARGET])
    said, alone = (predict(one, at, weights, known, group, CONFIDENCE) for known in (errors, nothing))
    return said, alone


def _of_case(group: str, items: int, errors: PilotErrors, rng: np.random.Generator) -> Iterator[dict[str, object]]:
    case = draw_case(rng, group == "talk")
    true = truth(case, np.array([TARGET]), rng)
    seen = measures(case, SIZES, items, rng)
    weights = Jackknife().weights(items, rng)
    for level, sizes in product(LEVELS, PILOTS):
        one = pilot(seen, SIZES, sizes, level)
        said, alone = predicted_with(one, weights, errors, group)
        key = {"group": group, "pilot": ";".join(map(str, sizes)), "items": items}
        told = {("n_eff", level.name): (said.n_eff, alone.n_eff)}
        if level is ANSWER:
            told["accuracy", "accuracy"] = said.accuracy, alone.accuracy
        for (quantity, name), (whole, part_of) in told.items():
            yield key | {"quantity": quantity, "level": name, "true": float(true[name][0])} | _row(whole, part_of)


def _row(whole: Ends, of_items: Ends) -> dict[str, object]:
    ends = {"predicted": whole.value, "low": whole.low, "high": whole.high}
    ends |= {"low_items": of_items.low, "high_items": of_items.high}
    return {name: float(value[0]) for name, value in ends.items()}


def _inside(scaled: pd.DataFrame, low: str, high: str) -> "pd.Series[bool]":
    return (scaled[low] <= scaled["true"] + 1e-9) & (scaled["true"] <= scaled[high] + 1e-9)
