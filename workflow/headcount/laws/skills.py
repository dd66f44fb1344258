"""What a pilot's prediction is worth: against predictions that take no law, and on items that it has not seen."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, product
from operator import itemgetter

import numpy as np
import pyarrow as pa

from headcount.laws.audit import AUDITED, OURS, pilot_sizes
from headcount.laws.compared import COMPARED
from headcount.laws.flags import check
from headcount.laws.item_split import item_split
from headcount.laws.nulls import Side, sides
from headcount.laws.profiles import LEVELS, Profile, Row, as_table, key_of, last_series, profile
from headcount.laws.quality import held_out_errors
from headcount.laws.references import constant_correlation, skill, without_talk
from headcount.laws.series import TeamRows, split_tasks
from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.arrays import FloatArray, IntArray
from headcount.schema import SKILLS


def skills_of_run(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str] = ()) -> pa.Table:
    """Skills of a run.

    A skill has no interval: it has a most, 1, which is the truth where a law holds, and no least; its errors are
    those of a ratio. The error at the largest size, which is nearly linear in what was measured, has one.

    Args:
        teams: measures and subsets by team.
        settings: how to fit, and the seed and confidence of the intervals.
        simulated: teams whose answers no model gave.

    Returns:
        rows of SKILLS: each law of `audit.AUDITED` on each series that has a pilot (see `audit.pilot_sizes`), after
        its last round, at the answer and the pooled-agreement level.
    """
    return as_table(_rows(teams, settings, simulated), SKILLS)


def _rows(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str]) -> Iterator[Row]:
    for team, team_rows in teams.items():
        for task, group in groupby(split_tasks(team_rows), key=itemgetter(0)):
            tables = [rows for _, rows in group]
            weights, of_task = item_weights(len(tables[0].items), settings, team, task), sides(tables)
            last = [Side(rows, series) for rows in tables for series in last_series(rows)]
            for side, level in product(last, LEVELS):
                curve = profile(side.rows, side.series, level)
                pilot = pilot_sizes(curve.sizes)
                if pilot.size:
                    key = key_of(team, task, side.rows, side.series)
                    key |= {"level": level.name, "simulated": team in simulated}
                    test = _Test(curve, pilot, settings, without_talk(side, of_task, level))
                    split = item_split(curve, pilot, AUDITED, settings.c_bounds, settings.seed, team, task)
                    yield from (key | row | split[str(row["law"])] for row in test.rows(weights))


@dataclass(frozen=True)
class _Test:
    """A profile, the sizes of it that laws may see, and what it would be if nobody had revised, (sizes,)."""

    curve: Profile
    pilot: IntArray
    settings: FitSettings
    silent: FloatArray

    @property
    def held_out(self) -> IntArray:
        return self.curve.sizes[~np.isin(self.curve.sizes, self.pilot)]

    def rows(self, weights: FloatArray) -> Iterator[Row]:
        """The columns of SKILLS that name neither series nor half, a row a law."""
        n_eff, sizes = self.curve.observed(), self.curve.sizes
        seen = n_eff[np.isin(sizes, self.held_out)]
        references = self._references(n_eff)
        ends = self._ends(weights)
        for law in AUDITED:
            predicted = self._predicted(n_eff[None], law)[0]
            rmse, error = held_out_errors(seen, predicted)
            low, high = ends.get(law, (np.nan, np.nan))
            yield {
                "law": law,
                "pilot": self.pilot.tolist(),
                "held_out": self.held_out.tolist(),
                **{f"skill_{name}": skill(seen, predicted, other) for name, other in references.items()},
                **{"rmse": rmse, "error": error, "error_largest": predicted[-1] / seen[-1] - 1.0},
                **{"error_largest_low": low, "error_largest_high": high},
                "n_items": self.curve.n_items,
                "flags": check(["predicts_nothing"] if (predicted <= 0).any() else []),
            }

    def _references(self, n_eff: FloatArray) -> dict[str, FloatArray]:
        """Other predictions at the held-out sizes, by name."""
        of_pilot = n_eff[np.isin(self.curve.sizes, self.pilot)]
        return {
            "kish_two": constant_correlation(int(self.pilot[0]), float(of_pilot[0]), self.held_out),
            "null_a": self.silent[np.isin(self.curve.sizes, self.held_out)],
            "carried": np.full(self.held_out.size, of_pilot[-1]),
        }

    def _predicted(self, n_eff: FloatArray, law: str) -> FloatArray:
        """(draws, held-out sizes), from N_eff at all sizes, (draws, sizes)."""
        r = n_eff[:, np.isin(self.curve.sizes, self.pilot)] / self.pilot
        return COMPARED[law].predict(self.pilot, r, self.held_out, self.settings.c_bounds)

    def _ends(self, weights: FloatArray) -> dict[str, tuple[float, float]]:
        """Ends of the relative error at the largest size, of the laws with an interval of the run's own."""
        if self.curve.n_items < 2:
            return {}

        def estimator(means: FloatArray) -> FloatArray:
            n_eff = self.curve.n_eff(means)
            return np.stack([self._predicted(n_eff, law)[:, -1] / n_eff[:, -1] - 1.0 for law in OURS], axis=1)

        interval = self.settings.interval(self.settings.n_boot)
        low, high, _ = interval(self.curve.values, estimator, weights, self.settings.confidence)
        return dict(zip(OURS, zip(low.tolist(), high.tolist(), strict=True), strict=True))
