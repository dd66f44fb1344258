"""What a pilot's prediction is worth: against predictions that take no law, and on items that it has not seen."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from headcount.laws.audit import AUDITED, OURS, pilot_sizes
from headcount.laws.flags import check
from headcount.laws.item_split import ask_item_split
from headcount.laws.last_curves import LastCurve, by_task, last_curves
from headcount.laws.profiles import Profile, Row, as_table
from headcount.laws.quality import held_out_errors
from headcount.laws.references import constant_correlation, skill, without_talk
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings, item_weights
from headcount.laws.together import Later, Together
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Sample
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
    return skills_of_curves(last_curves(teams, simulated), settings)


def skills_of_curves(curves: Iterable[LastCurve], settings: FitSettings) -> pa.Table:
    """`skills_of_run` of the curves of a run."""
    return as_table(_rows(curves, settings), SKILLS)


def _rows(curves: Iterable[LastCurve], settings: FitSettings) -> Iterator[Row]:
    for key, test, split in list(_asked(curves, settings, Together())):
        halves = split()
        yield from (key | row | halves[str(row["law"])] for row in test.rows())


def _asked(
    curves: Iterable[LastCurve], settings: FitSettings, together: Together
) -> Iterator[tuple[Row, "_Test", Callable[[], dict[str, dict[str, float]]]]]:
    """What names each series with a pilot, its test, and what halves of its items say."""
    for of_task in by_task(curves):
        team, task = of_task[0].team, of_task[0].task
        weights = item_weights(of_task[0].items, settings, team, task)
        for curve in of_task:
            pilot = pilot_sizes(curve.profile.sizes)
            if pilot.size:
                words = settings.c_bounds, settings.seed, team, task
                split = ask_item_split(together, curve.profile, pilot, AUDITED, *words)
                silent = without_talk(curve.side, curve.of_task, curve.profile.level)
                yield curve.key, _Test.of(curve.profile, pilot, silent, weights, settings, together), split


@dataclass(frozen=True)
class _Test:
    """A profile, the sizes of it that laws may see, and what laws make of them.

    Attributes:
        silent: what N_eff would be if nobody had revised, (sizes,).
        predicted: by law, N_eff at the held-out sizes, (1, held-out sizes).
        drawn: the same under each item weight, (draws, held-out sizes), of the laws with an interval of the run's own.
        sample: of items.
    """

    curve: Profile
    pilot: IntArray
    settings: FitSettings
    silent: FloatArray
    predicted: Mapping[str, Later]
    drawn: Mapping[str, Later]
    sample: Sample

    @classmethod
    def of(
        cls,
        curve: Profile,
        pilot: IntArray,
        silent: FloatArray,
        weights: FloatArray,
        settings: FitSettings,
        together: Together,
    ) -> "_Test":
        """Asks for what it needs; has it once all that is asked of `together` is."""
        sample = settings.interval(settings.n_boot).sample(curve.values, weights)
        in_pilot = np.isin(curve.sizes, pilot)

        def ask(law: str, n_eff: FloatArray) -> Later:
            r = n_eff[:, in_pilot] / pilot
            return together.predict(law, pilot, r, curve.sizes[~in_pilot], settings.c_bounds)

        predicted = {law: ask(law, curve.observed()[None]) for law in AUDITED}
        drawn = {law: ask(law, curve.n_eff(sample.means)) for law in (OURS if curve.n_items > 1 else ())}
        return cls(curve, pilot, settings, silent, predicted, drawn, sample)

    @property
    def held_out(self) -> IntArray:
        return self.curve.sizes[~np.isin(self.curve.sizes, self.pilot)]

    def rows(self) -> Iterator[Row]:
        """The columns of SKILLS that name neither series nor half, a row a law."""
        n_eff, sizes = self.curve.observed(), self.curve.sizes
        seen = n_eff[np.isin(sizes, self.held_out)]
        references = self._references(n_eff)
        for law in AUDITED:
            predicted = self.predicted[law]()[0]
            rmse, error = held_out_errors(seen, predicted)
            low, high = self._ends(law)
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

    def _ends(self, law: str) -> tuple[float, float]:
        """Ends of the relative error at the largest size; NaN for a law without an interval of the run's own."""
        if law not in self.drawn:
            return np.nan, np.nan
        largest = self.curve.n_eff(self.sample.means)[:, -1:]
        error = self.drawn[law]()[:, -1:] / largest - 1.0
        low, high, _ = self.sample.ends(error, self.settings.confidence)
        return float(low[0]), float(high[0])
