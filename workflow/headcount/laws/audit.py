"""Can a pilot predict a big team? Laws fitted to the smallest teams of a run, and asked about the others.

The pilot shares its items, and where teams are nested its agents, with the sizes that it predicts: an audit says how
a law extrapolates, not how a pilot on other items would have done.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from headcount.laws.frames import join
from headcount.laws.last_curves import LastCurve, by_task, last_curves
from headcount.laws.profiles import Profile, Row
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings, Weights
from headcount.laws.together import Later, Together
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Sample, bootstrap_means
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
    return audits_of_curves(last_curves(teams, simulated), settings, draws)


def audits_of_curves(curves: Iterable[LastCurve], settings: FitSettings, draws: int = DRAWS) -> pa.Table:
    """`audit_run` of the curves of a run."""
    asked = list(_asked(curves, extrapolating(settings, draws), Together()))
    return join((key | part for key, audit in asked for part in audit.parts()), AUDITS)


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


def _asked(curves: Iterable[LastCurve], settings: FitSettings, together: Together) -> Iterator[tuple[Row, "_Audit"]]:
    """What names each series with a pilot, and its audit."""
    for of_task in by_task(curves):
        weights = Weights.of(of_task[0].items, settings, of_task[0].team, of_task[0].task)
        for curve in of_task:
            pilot = pilot_sizes(curve.profile.sizes)
            if pilot.size:
                yield curve.key, _Audit.of(curve.profile, pilot, weights, settings, together)


@dataclass(frozen=True)
class _Drawn:
    """Item weights of an interval on a profile, and what laws say at `_Audit.at` under each, (draws, at)."""

    sample: Sample
    confidence: float
    predicted: Mapping[str, Later]


@dataclass(frozen=True)
class _Audit:
    """A profile, the sizes of it that laws may see, and what they say of those they are asked about.

    Attributes:
        at: (at,), all sizes from 2 to the largest.
        predicted: by law, N_eff at these, (1, at).
        own, paper: under the item weights of the run's interval, and of the paper's.
    """

    profile: Profile
    pilot: IntArray
    at: IntArray
    predicted: Mapping[str, Later]
    own: _Drawn
    paper: _Drawn

    @classmethod
    def of(
        cls, curve: Profile, pilot: IntArray, weights: Weights, settings: FitSettings, together: Together
    ) -> "_Audit":
        """Asks for what it needs; has it once all that is asked of `together` is."""
        at, in_pilot = np.arange(2, curve.sizes[-1] + 1), np.isin(curve.sizes, pilot)

        def ask(means: FloatArray, laws: tuple[str, ...], c_bounds: tuple[float, float]) -> dict[str, Later]:
            r = curve.n_eff(means)[:, in_pilot] / pilot
            return {law: together.predict(law, pilot, r, at, c_bounds) for law in laws}

        def draw(how: FitSettings, given: FloatArray, laws: tuple[str, ...], c_bounds: tuple[float, float]) -> _Drawn:
            sample = how.interval(how.n_boot).sample(curve.values, given)
            return _Drawn(sample, how.confidence, ask(sample.means, laws if curve.n_items > 1 else (), c_bounds))

        every = bootstrap_means(curve.values, np.ones((1, curve.values.shape[0])))
        predicted = ask(every, AUDITED, settings.c_bounds)
        own = draw(settings, weights.own, OURS, settings.c_bounds)
        paper = draw(settings.paper, weights.paper, PAPER, settings.c_bounds_boot)
        return cls(curve, pilot, at, predicted, own, paper)

    def parts(self) -> Iterator[dict[str, Any]]:
        """The columns of AUDITS that do not name the series, (at,) of each law."""
        low, high = self._ends()
        unknown = np.full(self.at.size, np.nan)
        shared = {
            "pilot": self.pilot.tolist(),
            "n_items": self.profile.n_items,
            "n": self.at,
            "held_out": np.isin(self.at, self.profile.sizes) & ~np.isin(self.at, self.pilot),
            "observed": self._at(self.profile.observed()),
            "observed_low": low["observed"],
            "observed_high": high["observed"],
        }
        for law in AUDITED:
            ends = {"predicted_low": low.get(law, unknown), "predicted_high": high.get(law, unknown)}
            yield shared | {"law": law, "predicted": self.predicted[law]()[0]} | ends

    def _at(self, of_sizes: FloatArray) -> FloatArray:
        """Values of the sizes that were run, (sizes,), at all sizes, (at,); NaN at the others."""
        values = np.full(self.at.size, np.nan)
        values[np.searchsorted(self.at, self.profile.sizes)] = of_sizes
        return values

    def _ends(self) -> list[dict[str, FloatArray]]:
        """Low and high ends of the observed sizes and of each law that has an interval; NaN for a single item."""
        observed = [np.full(self.profile.sizes.size, np.nan)] * 2
        if self.profile.n_items > 1:
            n_eff = self.profile.n_eff(self.own.sample.means)
            observed = list(self.own.sample.ends(n_eff, self.own.confidence, self.profile.scales)[:2])
        ends = [{"observed": self._at(end)} for end in observed]
        foretold = Scales.of([FORETOLD] * self.at.size, self.at)
        for drawn in (self.own, self.paper):
            for law, predicted in drawn.predicted.items():
                of_law = drawn.sample.ends(predicted(), drawn.confidence, foretold)[:2]
                for end, values in zip(ends, of_law, strict=True):
                    end[law] = values
        return ends
