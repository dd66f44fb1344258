"""How laws are fitted and how sure we are: one choice for all numbers of a run."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from headcount.config import Fitting
from headcount.laws.estimate import C_BOUNDS
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import INTERVALS, Interval, shared_weights


@dataclass(frozen=True)
class FitSettings:
    """How laws are fitted and how sure we are.

    Attributes:
        n_boot: item resamples behind a percentile interval; 0: no intervals of either kind.
        confidence: coverage of every interval.
        seed: of the resamples, and of the groups that a jackknife leaves out.
        c_bounds: range of c.
        c_bounds_boot: range of c in the paper's resamples (arXiv 2606.02646, C.7: narrower there).
        missing_limit: series with a larger share of missing answers are flagged.
        interval: makes the interval from the number of resamples.
    """

    n_boot: int = 300
    confidence: float = 0.95
    seed: int = 0
    c_bounds: tuple[float, float] = C_BOUNDS
    c_bounds_boot: tuple[float, float] = (0.0, 5.0)
    missing_limit: float = 0.05
    interval: Callable[[int], Interval] = INTERVALS["jackknife_t"]

    @classmethod
    def of(cls, fitting: Fitting) -> "FitSettings":
        """What a run's configuration says."""
        return cls(
            n_boot=fitting.bootstrap,
            confidence=fitting.confidence,
            seed=fitting.seed,
            missing_limit=fitting.missing_limit,
            interval=INTERVALS[fitting.interval],
        )

    @property
    def paper(self) -> "FitSettings":
        """The same with the paper's interval, for the readings that are its own: percentiles of the item bootstrap."""
        return replace(self, interval=INTERVALS["percentile"])

    @property
    def label(self) -> str:
        """Name and level of the interval, as tables have it."""
        return f"{self.interval(self.n_boot).name}_{100 * self.confidence:g}"


@lru_cache(maxsize=64)  # each task asks again for each kind of its rows, and for each table made of them
def item_weights(items: int, settings: FitSettings, team: str, task: str) -> FloatArray:
    """Item weights, (draws, items), not to be written to: one set for all that a team does on a task."""
    if not settings.n_boot:
        return np.empty((0, items))
    weights = shared_weights(settings.interval(settings.n_boot), items, settings.seed, team, task)
    weights.flags.writeable = False
    return weights


@dataclass(frozen=True)
class Weights:
    """Item weights of a team on a task, (draws, items): for the run's interval, and for the paper's own readings."""

    own: FloatArray
    paper: FloatArray

    @classmethod
    def of(cls, items: int, settings: FitSettings, team: str, task: str) -> "Weights":
        """One set of each for all that a team does on a task."""
        return cls(*(item_weights(items, how, team, task) for how in (settings, settings.paper)))
