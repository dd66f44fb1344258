"""Can a pilot predict a big team? Laws fitted to the smallest teams of a run, and asked about the others.

The pilot shares its items, and where teams are nested its agents, with the sizes that it predicts: an audit says how
a law extrapolates, not how a pilot on other items would have done.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pyarrow as pa

from headcount.laws.compared import COMPARED
from headcount.laws.profiles import LEVELS, Profile, Row, as_table, key_of, last_series, profile
from headcount.laws.series import TeamRows, split_tasks
from headcount.laws.settings import FitSettings, Weights
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import bootstrap_means
from headcount.measures.scales import Scale, Scales
from headcount.schema import AUDITS

PILOT = (2, 3, 5)  # arXiv 2606.02646, section 4
DRAWS = 1000  # arXiv 2606.02646, C.7: behind an envelope of extrapolation
# The paper does not say whether the power law and the logistic of its Table 13 were fitted to N_eff or to R: both. Its
# errors of 32 and 73 % speak for R: of the nine curves with its printed (c, beta), fits to R miss the held-out sizes by
# 17 and 66 %, fits to N_eff by 1 and 9 %.
AUDITED = ("ringelmann", "ringelmann_free", "kish", "power", "power_on_r", "logistic", "logistic_on_r")
# Forms whose refits are worth their time: that with the paper's bounds has the paper's interval, the others the run's.
PAPER, OURS = ("ringelmann",), ("ringelmann_free", "kish")
FORETOLD = Scale("share", 0.0, np.nan)  # below 1 where a law bends too much


def audit_run(
    teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str] = (), draws: int = DRAWS
) -> pa.Table:
    """Audits of a run.

    Args:
        teams: measures and subsets by team.
        settings: how to fit, and the seed and confidence of the intervals.
        simulated: teams whose answers no model gave.
        draws: item resamples behind an interval; none if `settings` asks for none.

    Returns:
        rows of AUDITS, for each series after its last round, at the answer and the pooled-agreement level: every size
        from 2 to the largest, so that curves can be drawn; `held_out` marks the sizes that were run and are not in the
        pilot. A series with fewer than three sizes has nothing to hold out, and no row.
    """
    settings = extrapolating(settings, draws)
    return as_table(_rows(teams, settings, simulated), AUDITS)


def pilot_sizes(sizes: IntArray) -> IntArray:
    """The sizes that a law is fitted to.

    Those of {2, 3, 5} that were run, if they are at least two and not all (arXiv 2606.02646, section 4); else the
    smallest three of all sizes, or two of three, so that one is left to predict (ours; on the grid 3, 6, 9, 15, 30 of
    mixed teams, which has no {2, 3, 5}: 3, 6 and 9).

    Args:
        sizes: (sizes,), of two and more, ascending.

    Returns:
        ascending; empty with fewer than three sizes.
    """
    small = sizes[np.isin(sizes, PILOT)]
    if 2 <= small.size < sizes.size:
        return small
    return sizes[: min(3, sizes.size - 1)] if sizes.size > 2 else sizes[:0]


def extrapolating(settings: FitSettings, draws: int = DRAWS) -> FitSettings:
    """Settings with the draws that an extrapolation needs. The first of them are those of the run's other intervals."""
    return replace(settings, n_boot=max(draws, settings.n_boot) if settings.n_boot else 0)


def _rows(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str]) -> Iterator[Row]:
    for team, tables in teams.items():
        for task, rows in split_tasks(tables):
            weights = Weights.of(len(rows.items), settings, team, task)
            for series, level in product(last_series(rows), LEVELS):
                curve = profile(rows, series, level)
                pilot = pilot_sizes(curve.sizes)
                if pilot.size:
                    key = key_of(team, task, rows, series) | {"level": level.name, "simulated": team in simulated}
                    audit = _Audit(curve, pilot, np.arange(2, curve.sizes[-1] + 1))
                    yield from (key | row for row in audit.rows(weights, settings))


@dataclass(frozen=True)
class _Audit:
    """A profile, the sizes of it that laws may see, and the sizes they are asked about."""

    profile: Profile
    pilot: IntArray
    at: IntArray

    def rows(self, weights: Weights, settings: FitSettings) -> Iterator[Row]:
        """The columns of AUDITS that do not name the series."""
        every = np.ones((1, self.profile.values.shape[0]))
        numbers = self._numbers(bootstrap_means(self.profile.values, every), AUDITED, settings.c_bounds)
        point = self._named(numbers[0], AUDITED)
        low, high = self._ends(weights, settings)
        unknown = np.full(self.at.size, np.nan)
        shared = {"pilot": self.pilot.tolist(), "n_items": self.profile.n_items}
        held_out = np.isin(self.at, self.profile.sizes) & ~np.isin(self.at, self.pilot)
        for law in AUDITED:
            columns = {
                "n": self.at,
                "held_out": held_out,
                "observed": point["observed"],
                "observed_low": low["observed"],
                "observed_high": high["observed"],
                "predicted": point[law],
                "predicted_low": low.get(law, unknown),
                "predicted_high": high.get(law, unknown),
            }
            for values in zip(*columns.values(), strict=True):
                yield shared | {"law": law} | dict(zip(columns, values, strict=True))

    def _numbers(self, means: FloatArray, laws: tuple[str, ...], c_bounds: tuple[float, float]) -> FloatArray:
        """N_eff at each size of the profile, then as each law predicts it; (draws, sizes + laws x at)."""
        n_eff = self.profile.n_eff(means)
        r = n_eff[:, np.isin(self.profile.sizes, self.pilot)] / self.pilot
        return np.concatenate(
            [n_eff, *(COMPARED[law].predict(self.pilot, r, self.at, c_bounds) for law in laws)], axis=1
        )

    def _named(self, numbers: FloatArray, laws: tuple[str, ...]) -> dict[str, FloatArray]:
        """A row of `_numbers` by name, each (at,); what was seen is NaN at sizes not run."""
        n_eff, *predicted = np.split(numbers, [self.profile.sizes.size + self.at.size * i for i in range(len(laws))])
        observed = np.full(self.at.size, np.nan)
        observed[np.searchsorted(self.at, self.profile.sizes)] = n_eff
        return {"observed": observed, **dict(zip(laws, predicted, strict=True))}

    def _ends(self, weights: Weights, settings: FitSettings) -> list[dict[str, FloatArray]]:
        """Low and high ends of the observed sizes and of each law that has an interval; NaN for a single item."""
        ours = self._interval(OURS, weights.own, settings, settings.c_bounds)
        theirs = self._interval(PAPER, weights.paper, settings.paper, settings.c_bounds_boot)
        return [other | own for own, other in zip(ours, theirs, strict=True)]

    def _interval(
        self, laws: tuple[str, ...], weights: FloatArray, settings: FitSettings, c_bounds: tuple[float, float]
    ) -> list[dict[str, FloatArray]]:
        def estimator(means: FloatArray) -> FloatArray:
            return self._numbers(means, laws, c_bounds)

        seen = self.profile.scales
        foretold = [Scales.of([FORETOLD] * self.at.size, self.at) for _ in laws]
        low, high, _ = settings.interval(settings.n_boot)(
            self.profile.values, estimator, weights, settings.confidence, Scales.join([seen, *foretold])
        )
        some = self.profile.n_items > 1
        return [self._named(end if some else np.full_like(end, np.nan), laws) for end in (low, high)]
