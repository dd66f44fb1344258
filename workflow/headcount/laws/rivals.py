"""Every law on every curve of a run, side by side: is Ringelmann's the one that fits, and is it wrong?"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa

from headcount.laws.bends import BENDS
from headcount.laws.compared import COMPARED, Law
from headcount.laws.fit import usable
from headcount.laws.flags import check
from headcount.laws.headline import headline
from headcount.laws.misfit import Noise, misfit, noise_of
from headcount.laws.profiles import LEVELS, Row, as_table, key_of, last_series, profile
from headcount.laws.quality import aicc, bic, left_out_errors
from headcount.laws.series import TeamRows, split_tasks
from headcount.laws.settings import FitSettings, item_weights
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
    return as_table(_rows(teams, settings, simulated), RIVALS)


@dataclass(frozen=True)
class _Curve:
    """A series at a level, what it is called, and what there is to be said of it whatever the law.

    Attributes:
        n_eff: (sizes,), in agents; NaN where not known.
        known, r: the sizes that have a value, and their efficiencies.
        noise: of the efficiencies at those sizes.
        headlines: by law, the columns of RIVALS for rho(10) and N_eff(30).
    """

    key: Row
    sizes: IntArray
    n_eff: FloatArray
    known: FloatArray
    r: FloatArray
    noise: Noise
    headlines: Mapping[str, Row]


def _rows(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str]) -> Iterator[Row]:
    curves = list(_curves(teams, settings, simulated))
    for curve, left_out in zip(curves, _left_out(curves), strict=True):
        yield from (curve.key | row for row in _curve_rows(curve, left_out))


def _curves(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str]) -> Iterator[_Curve]:
    for team, tables in teams.items():
        for task, rows in split_tasks(tables):
            weights = item_weights(len(rows.items), settings, team, task)
            for series, level in product(last_series(rows), LEVELS):
                key = key_of(team, task, rows, series) | {"level": level.name, "simulated": team in simulated}
                curve = profile(rows, series, level)
                n_eff = curve.observed()
                known, r = usable(curve.sizes, n_eff / curve.sizes)
                noise = noise_of(curve, settings.seed, team, task).at(np.isin(curve.sizes, known))
                yield _Curve(key, curve.sizes, n_eff, known, r, noise, headline(curve, weights, settings))


def _left_out(curves: Sequence[_Curve]) -> list[dict[str, float]]:
    """Mean |relative error| of N_eff as each size is left out in turn, by law, of each curve; NaN without a size.

    Curves of equal sizes are fitted together: one at a time they would take most of the job.
    """
    found: list[dict[str, float]] = [{} for _ in curves]
    alike: dict[tuple[float, ...], list[int]] = {}
    for place, curve in enumerate(curves):
        alike.setdefault(tuple(curve.known.tolist()), []).append(place)
    for sizes, places in alike.items():
        n_eff = np.stack([curves[place].known * curves[place].r for place in places])
        for name, law in COMPARED.items():
            errors = np.full((len(places), 1), math.nan)
            if sizes:
                errors = np.abs(left_out_errors(np.array(sizes), n_eff, law.predict))
            for place, error in zip(places, errors.mean(axis=1).tolist(), strict=True):
                found[place][name] = error
    return found


def _curve_rows(curve: _Curve, left_out: Mapping[str, float]) -> Iterator[Row]:
    """The columns of RIVALS that do not name the series, a row a law."""
    misfits = {law: misfit(law, curve.known, curve.r, curve.noise) for law in COMPARED}
    best = {
        "best_by_q": best_law({law: told.q + 2 * BENDS[law].parameters for law, told in misfits.items()}),
        "best_by_left_out": best_law(left_out),
    }
    doubts = [] if curve.noise.regular or curve.known.size < 2 else ["covariance_singular"]
    for name, law in COMPARED.items():
        told = misfits[name]
        row = law_row(law, curve.sizes, curve.n_eff, doubts) | {"left_out_error": left_out[name]}
        yield row | {"law": name, "q": told.q, "q_df": told.df, "q_p": told.p} | best | curve.headlines[name]


def best_law(values: Mapping[str, float]) -> str | None:
    """The law with the lowest value; of several equal ones (to nine digits) that with the fewest parameters.

    Returns:
        its name; None where no law has a value.
    """
    known = [law for law, value in values.items() if math.isfinite(value)]
    return min(known, key=lambda law: (round(values[law], 9), BENDS[law].parameters), default=None)


def law_row(law: Law, n: IntArray, n_eff: FloatArray, doubts: Sequence[str] = ()) -> Row:
    """How near a law comes to a curve, as columns of RIVALS.

    R2, AICc and BIC are about R for every law, also for those fitted to N_eff, so that they can be compared; RMSE is
    about N_eff.

    Args:
        n: (sizes,), team sizes of two and more.
        n_eff: (sizes,), effective team sizes, in agents; NaN where not known.
        doubts: flags of the curve, whatever the law.
    """
    fit = law.fit(n, n_eff / n)
    known, r = usable(n, n_eff / n)
    sse = float(((law.predict(known, r[None], known)[0] / known - r) ** 2).sum())
    return {
        "sizes": known.astype(int).tolist(),
        "parameters": list(fit.params),
        "values": list(fit.params.values()),
        "r2": fit.r2,
        "r2_with_one": fit.r2_with_one,
        "rmse_n_eff": fit.rmse_n_eff,
        "aicc": aicc(sse, known.size, len(fit.params)),
        "bic": bic(sse, known.size, len(fit.params)),
        "flags": check([*fit.flags, *doubts]),
    }
