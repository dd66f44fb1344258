"""Prediction intervals of a pilot: the error of its items, and that of the law beyond the sizes that it saw."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from headcount.laws.forms import ringelmann
from headcount.laws.pilot_error import ACCURACY, PilotErrors, distance, size_deviation
from headcount.laws.pilot_fit import Pilot
from headcount.laws.projection import majority_accuracy
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import bootstrap_means, clipped, jackknife_error


@dataclass(frozen=True)
class Ends:
    """Estimates with their intervals, each (values,); ends are NaN where there are none."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True)
class Prediction:
    """What a pilot says.

    Attributes:
        at: (at,), the sizes that it is asked about.
        seen_at: (sizes,), the sizes that were run, of two and more.
        seen_n_eff, seen_accuracy: what was seen there, with intervals of the items alone.
        parameters: c and beta, likewise. beta is NaN where c is 0.
        n_eff, accuracy: predictions at `at`, with prediction intervals.
        projection: (at,), accuracy by `majority_accuracy`, p of all the pilot's agents and N_eff of the law.
        items, law: (at,), margins of ln N_eff: half the width that each of the two errors gives by itself.
        unbounded: (at,), N_eff before it was kept between 1 and N.
    """

    at: IntArray
    seen_at: IntArray
    seen_n_eff: Ends
    seen_accuracy: Ends
    parameters: Ends
    n_eff: Ends
    accuracy: Ends
    projection: FloatArray
    items: FloatArray
    law: FloatArray
    unbounded: FloatArray


def predict(
    pilot: Pilot, at: IntArray, weights: FloatArray, errors: PilotErrors, group: str, confidence: float
) -> Prediction:
    """N_eff and team accuracy of teams of any size, from a pilot.

        ln N_eff(N) -+ sqrt((t se)^2 + (z sd)^2) ,   accuracy(N) -+ the same ,

    se from the delete-group jackknife with t of its degrees of freedom, sd from `pilot_error`, z of the normal
    distribution (ours). Ends are kept within what a team can be: N_eff from 1 to N, accuracy from 0 to 1.

    Args:
        at: (at,), team sizes.
        weights: (groups, items), of `intervals.Jackknife`; none: no intervals.
        errors: what past predictions were off by.
        group: alone, talk or mixed.
        confidence: coverage of every interval.
    """
    numbers = _numbers(pilot, at, pilot.seen)
    left_out = _numbers(pilot, at, bootstrap_means(pilot.values, weights)) if len(weights) else numbers
    of_seen, of_law, of_size, of_right = (_margin(part, confidence) for part in left_out)
    seen, parameters, log_size, right = (part[0] for part in numbers)
    n_eff = np.clip(np.exp(log_size), 1.0, at)
    law, missed = (ndtri(0.5 + confidence / 2) * sd for sd in _deviations(pilot, at, seen, errors, group))
    whole = np.hypot(of_size, law)
    return Prediction(
        at=at,
        seen_at=pilot.profile.sizes,
        **_seen(pilot, seen, of_seen),
        parameters=_parameters(parameters, of_law),
        n_eff=Ends(n_eff, *clipped(n_eff * np.exp(-whole), n_eff * np.exp(whole), 1.0, at.astype(np.float64))),
        accuracy=_kept(np.clip(right, 0.0, 1.0), np.hypot(of_right, missed), 0.0, 1.0),
        projection=majority_accuracy(pilot.agents(pilot.seen), n_eff),
        items=of_size,
        law=law,
        unbounded=np.exp(log_size),
    )


def _deviations(
    pilot: Pilot, at: IntArray, seen: FloatArray, errors: PilotErrors, group: str
) -> tuple[FloatArray, FloatArray]:
    """Standard deviations that are owed to the law: of ln N_eff, and of the accuracy; (at,) each."""
    tried, largest = tuple(pilot.sizes.tolist()), float(pilot.sizes[-1])
    last = float(seen[np.searchsorted(pilot.profile.sizes, pilot.sizes[-1])])
    of_size = size_deviation(errors.scale("n_eff", pilot.profile.level.name, group, tried), at, largest, last)
    return of_size, errors.scale("accuracy", ACCURACY, group, tried) * distance(at, largest)


def _seen(pilot: Pilot, seen: FloatArray, margin: FloatArray) -> dict[str, Ends]:
    sizes = pilot.profile.sizes
    (n_eff, right), (of_size, of_right) = (np.split(part, [sizes.size]) for part in (seen, margin))
    most = sizes.astype(np.float64)
    return {"seen_n_eff": _kept(n_eff, of_size, 1.0, most), "seen_accuracy": _kept(right, of_right, 0.0, 1.0)}


def _parameters(values: FloatArray, margin: FloatArray) -> Ends:
    """c and beta within their ranges; beta is not known where c is 0."""
    kept = _kept(values, margin, np.array([0.0, -1.0]), np.array([np.inf, 1.0]))
    unknown = np.array([False, values[0] <= 1e-9])
    return Ends(*(np.where(unknown, np.nan, end) for end in (kept.value, kept.low, kept.high)))


def _numbers(pilot: Pilot, at: IntArray, means: FloatArray) -> list[FloatArray]:
    """What was seen, (c, beta), ln N_eff and accuracy at some sizes; each (draws, ...)."""
    parameters = pilot.parameters(means)
    c, beta = np.split(parameters, 2, axis=1)
    n = at.astype(np.float64)
    return [pilot.observed(means), parameters, np.log(n * ringelmann(n, c, beta)), pilot.accuracy(means, at)]


def _margin(left_out: FloatArray, confidence: float) -> FloatArray:
    """t se, one a column; NaN with fewer than two groups to leave out."""
    t = stdtrit(max(len(left_out) - 1, 1), 0.5 + confidence / 2)
    return np.asarray(t * jackknife_error(left_out))


def _kept(value: FloatArray, margin: FloatArray, least: FloatArray | float, most: FloatArray | float) -> Ends:
    return Ends(value, *clipped(value - margin, value + margin, least, most))
