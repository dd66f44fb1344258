"""How often intervals hold what is true, how wide they are, and how far off the estimates are."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from headcount.calibration.datasets import draw
from headcount.calibration.linearised import influence_error, moved
from headcount.calibration.offers import OFFERS, RESAMPLED, Draws, Ends
from headcount.calibration.parameters import PARAMETERS, Parameter, estimate, scales_of, truth
from headcount.calibration.truths import POPULATIONS, Population
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import Interval, Jackknife, Percentile

AT_ONCE = 50  # data sets
GROUPS = 100
RESAMPLED_SHARE = 0.25  # of the data sets are bootstrapped too, which takes most of the time

Say = Callable[[str], None]


def part(name: str, data_sets: int, rng: np.random.Generator, say: Say) -> pd.DataFrame:
    """A population and a number of items, by a name of `parts.STUDIES`."""
    population, items = name.rsplit("-", 1)
    rows = coverage(POPULATIONS[population], int(items), data_sets, rng, say)
    rows.insert(0, "population", population)
    rows.insert(1, "items", int(items))
    return rows


def coverage(population: Population, items: int, data_sets: int, rng: np.random.Generator, say: Say) -> pd.DataFrame:
    """Every offer on data sets of a population.

    Args:
        population: how agents answer.
        items: of each data set.
        data_sets: how many there are; a quarter of them is bootstrapped too.
        rng: of everything drawn.
        say: takes a line about the progress.

    Returns:
        a row for each parameter and offer: `summary`'s columns, level, parameter and offer.
    """
    true = truth(population, rng)
    say(f"truth known; {data_sets} data sets of {items} items")
    points: list[tuple[FloatArray, FloatArray]] = []
    ends: dict[str, list[Ends]] = {}
    for done, count, resampled in _batches(data_sets):
        draws, bounded = _draws(draw(population, count, items, rng), resampled, rng)
        points.append((draws.point, bounded))
        for name, offered in _offered(draws).items():
            ends.setdefault(name, []).append(draws.scales.clip(*offered))
        say(f"{done + count} of {data_sets}")
    free, bounded = (np.concatenate(part) for part in zip(*points, strict=True))
    frames = []
    for name, parts in ends.items():
        low, high = (np.concatenate(part) for part in zip(*parts, strict=True))
        point = bounded if name == "percentile_bounded" else free
        frames.append(summary(PARAMETERS, true, point, low, high).assign(offer=name))
    return pd.concat(frames, ignore_index=True)


def summary(
    parameters: Sequence[Parameter], true: FloatArray, point: FloatArray, low: FloatArray, high: FloatArray
) -> pd.DataFrame:
    """Bias and root mean squared error of an estimate, coverage and width of its interval, with Monte Carlo errors.

    Args:
        true: (parameters,).
        point: (sets, parameters).
        low, high: (fewer or as many sets, parameters); an interval without ends does not cover.

    Returns:
        a row for each parameter that the offer has an interval for: level, parameter, truth; bias, rmse, coverage,
        width, each with its `_se`; `without`, the share of data sets without an interval; `of_no_width`; data_sets.
    """
    rows = []
    for place, parameter in enumerate(parameters):
        known = np.isfinite(low[:, place]) & np.isfinite(high[:, place])
        if known.any():
            aim, wide = true[place], (high - low)[known, place]
            slack = 1e-9 * max(1.0, abs(aim))  # an end on a bound holds a truth on that bound
            held = known & (low[:, place] - slack <= aim) & (aim <= high[:, place] + slack)
            error = point[np.isfinite(point[:, place]), place] - aim
            row = {"level": parameter.level, "parameter": parameter.name, "truth": aim}
            row |= _with_error("bias", error) | _root_mean_square(error)
            row |= _with_error("coverage", held) | _with_error("width", wide)
            row |= {"without": 1.0 - known.mean(), "of_no_width": (wide < slack).mean(), "data_sets": len(low)}
            rows.append(row)
    return pd.DataFrame(rows)


def _batches(data_sets: int) -> Iterator[tuple[int, int, bool]]:
    """How many data sets are done, how many are next, and whether they are bootstrapped."""
    for done in range(0, data_sets, AT_ONCE):
        yield done, min(AT_ONCE, data_sets - done), done < RESAMPLED_SHARE * data_sets


def _draws(data: FloatArray, resampled: bool, rng: np.random.Generator) -> tuple[Draws, FloatArray]:
    """What offers need of data sets (sets, items, columns), and the estimates with beta in [0, 1]."""
    items, means = data.shape[1], data.mean(axis=1)
    tried = {
        "point": means[None],
        "left": _reweighted(data, Jackknife(GROUPS), rng),
        "moved": moved(means),
        "free": _reweighted(data, Percentile(), rng) if resampled else means[:0, None],
    }
    known = _estimates(tried)
    draws = Draws(
        items=items,
        scales=scales_of(PARAMETERS, items),
        proportions=np.array([parameter.level == "accuracy" for parameter in PARAMETERS]),
        point=known["point"][0],
        left=known["left"],
        influence=influence_error(data, known["moved"]),
        free=known["free"] if resampled else None,
        bounded=estimate(tried["free"], "ringelmann") if resampled else None,
    )
    return draws, estimate(means, "ringelmann")


def _estimates(tried: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Estimates of several stacks of means (draws, sets, columns): all fitted together, since calls are not free."""
    ends = np.cumsum([len(means) for means in tried.values()])
    parts = np.split(estimate(np.concatenate([means for means in tried.values() if means.size])), ends[:-1])
    return dict(zip(tried, parts, strict=True))


def _reweighted(data: FloatArray, interval: Interval, rng: np.random.Generator) -> FloatArray:
    """Means (draws, sets, columns) under an interval's item weights, the same for all data sets of a batch."""
    weights = interval.weights(data.shape[1], rng)
    return np.asarray(np.einsum("di,sic->dsc", weights / weights.sum(axis=1, keepdims=True), data, optimize=True))


def _offered(draws: Draws) -> Mapping[str, Ends]:
    offers = OFFERS | (RESAMPLED if draws.free is not None else {})
    return {name: offer(draws) for name, offer in offers.items()}


def _with_error(name: str, values: FloatArray) -> dict[str, float]:
    """Mean of values, one a data set, and its Monte Carlo standard error."""
    if not values.size:
        return {name: np.nan, f"{name}_se": np.nan}
    spread = values.std(ddof=1) if values.size > 1 else np.nan
    return {name: float(values.mean()), f"{name}_se": float(spread / np.sqrt(values.size))}


def _root_mean_square(error: FloatArray) -> dict[str, float]:
    """Root mean square, and its error by linearisation."""
    square = _with_error("square", error**2)
    root = np.sqrt(square["square"])
    return {"rmse": float(root), "rmse_se": float(square["square_se"] / (2.0 * root)) if root > 0 else 0.0}
