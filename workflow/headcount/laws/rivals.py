"""Every law on every curve of a run, side by side: is Ringelmann's the one that fits, and is it wrong?"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from headcount.laws.bends import BENDS
from headcount.laws.compared import COMPARED, Law
from headcount.laws.fit import Fit, usable
from headcount.laws.flags import check
from headcount.laws.headline import ask_headline
from headcount.laws.last_curves import LastCurve, by_task, last_curves
from headcount.laws.misfit import Misfit, Noise, misfits, noise_of
from headcount.laws.profiles import Row, as_table
from headcount.laws.quality import aicc, bic, left_out_errors
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings, item_weights
from headcount.laws.together import Together
from headcount.measures.arrays import FloatArray, IntArray
from headcount.schema import RIVALS


def rivals_of_run(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str] = ()) -> pa.Table:
    """Rows of RIVALS: each law on each series after its last round, at the answer and the pooled-agreement level.

    Args:
        teams: measures and subsets by team.
        settings: how to fit, and the seed and confidence of the intervals. The covariance behind `q` is the
            jackknife's whatever the intervals are.
        simulated: teams whose answers no model gave.
    """
    return rivals_of_curves(last_curves(teams, simulated), settings)


def rivals_of_curves(curves: Iterable[LastCurve], settings: FitSettings) -> pa.Table:
    """`rivals_of_run` of the curves of a run."""
    return as_table(_rows(curves, settings), RIVALS)


@dataclass(frozen=True)
class _Curve:
    """A series at a level, what it is called, and what there is to be said of it whatever the law.

    Attributes:
        n_eff: (sizes,), in agents; NaN where not known.
        known, r: the sizes that have a value, and their efficiencies.
        noise: of the efficiencies at those sizes.
        headlines: rho(10) and N_eff(30) of each law, when all are asked for.
    """

    key: Row
    sizes: IntArray
    n_eff: FloatArray
    known: FloatArray
    r: FloatArray
    noise: Noise
    headlines: Callable[[], Mapping[str, Row]]


@dataclass(frozen=True)
class _Told:
    """A law on a curve: its fit, its test, and mean |relative error| as each size is left out in turn."""

    fit: Fit
    misfit: Misfit
    left_out: float


def _rows(curves: Iterable[LastCurve], settings: FitSettings) -> Iterator[Row]:
    asked = list(_curves(curves, settings))
    for curve, told in zip(asked, _compared(asked), strict=True):
        yield from (curve.key | row for row in _curve_rows(curve, told))


def _curves(curves: Iterable[LastCurve], settings: FitSettings) -> Iterator[_Curve]:
    together = Together()
    for of_task in by_task(curves):
        team, task = of_task[0].team, of_task[0].task
        weights = item_weights(of_task[0].items, settings, team, task)
        for each in of_task:
            curve = each.profile
            n_eff = curve.observed()
            known, r = usable(curve.sizes, n_eff / curve.sizes)
            noise = noise_of(curve, settings.seed, team, task).at(np.isin(curve.sizes, known))
            headlines = ask_headline(curve, weights, settings, together)
            yield _Curve(each.key, curve.sizes, n_eff, known, r, noise, headlines)


def _compared(curves: Sequence[_Curve]) -> list[dict[str, _Told]]:
    """Each law on each curve. Curves of equal sizes are fitted together: one at a time they would take an age."""
    found: list[dict[str, _Told]] = [{} for _ in curves]
    alike: dict[tuple[object, ...], list[int]] = {}
    for place, curve in enumerate(curves):
        alike.setdefault((tuple(curve.sizes.tolist()), tuple(curve.known.tolist())), []).append(place)
    for places in alike.values():
        for law in COMPARED:
            for place, told in zip(places, _told(law, [curves[place] for place in places]), strict=True):
                found[place][law] = told
    return found


def _told(law: str, curves: Sequence[_Curve]) -> Iterator[_Told]:
    """A law on curves that have values at the same sizes."""
    sizes, known, r = curves[0].sizes, curves[0].known, np.stack([curve.r for curve in curves])
    fits = COMPARED[law].fits(sizes, np.stack([curve.n_eff for curve in curves]) / sizes)
    tests = misfits(law, known, r, [curve.noise for curve in curves])
    errors = np.full((len(curves), 1), math.nan)
    if known.size:
        errors = np.abs(left_out_errors(known, known * r, COMPARED[law].predict))
    return map(_Told, fits, tests, errors.mean(axis=1).tolist())


def _curve_rows(curve: _Curve, told: Mapping[str, _Told]) -> Iterator[Row]:
    """The columns of RIVALS that do not name the series, a row a law."""
    best = {
        "best_by_q": best_law({law: each.misfit.q + 2 * BENDS[law].parameters for law, each in told.items()}),
        "best_by_left_out": best_law({law: each.left_out for law, each in told.items()}),
    }
    doubts = [] if curve.noise.regular or curve.known.size < 2 else ["covariance_singular"]
    headlines = curve.headlines()
    for name, each in told.items():
        row = law_row(COMPARED[name], each.fit, curve.known, curve.r, doubts) | {"left_out_error": each.left_out}
        test = {"q": each.misfit.q, "q_df": each.misfit.df, "q_p": each.misfit.p}
        yield row | {"law": name} | test | best | headlines[name]


def best_law(values: Mapping[str, float]) -> str | None:
    """The law with the lowest value; of several equal ones (to nine digits) that with the fewest parameters.

    Returns:
        its name; None where no law has a value.
    """
    known = [law for law, value in values.items() if math.isfinite(value)]
    return min(known, key=lambda law: (round(values[law], 9), BENDS[law].parameters), default=None)


def law_row(law: Law, fit: Fit, n: FloatArray, r: FloatArray, doubts: Sequence[str] = ()) -> Row:
    """How near a law comes to a curve, as columns of RIVALS.

    R2, AICc and BIC are about R for every law, also for those fitted to N_eff, so that they can be compared; RMSE is
    about N_eff.

    Args:
        fit: of the law to the curve.
        n: (sizes,), team sizes of two and more.
        r: (sizes,), efficiencies, none missing.
        doubts: flags of the curve, whatever the law.
    """
    sse = float(((law.n_eff(n, *fit.params.values()) / n - r) ** 2).sum())
    return {
        "sizes": n.astype(int).tolist(),
        "parameters": list(fit.params),
        "values": list(fit.params.values()),
        "r2": fit.r2,
        "r2_with_one": fit.r2_with_one,
        "rmse_n_eff": fit.rmse_n_eff,
        "aicc": aicc(sse, n.size, len(fit.params)),
        "bic": bic(sse, n.size, len(fit.params)),
        "flags": check([*fit.flags, *doubts]),
    }
