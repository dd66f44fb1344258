"""Every law on every curve of a run, side by side: is Ringelmann's the one that fits, and is it wrong?"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

import numpy as np
import pyarrow as pa

from headcount.laws.bends import BENDS
from headcount.laws.compared import COMPARED, Law
from headcount.laws.fit import usable
from headcount.laws.flags import check
from headcount.laws.headline import headline
from headcount.laws.misfit import Noise, misfit, noise_of
from headcount.laws.profiles import LEVELS, Profile, Row, as_table, key_of, last_series, profile
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


def _rows(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str]) -> Iterator[Row]:
    for team, tables in teams.items():
        for task, rows in split_tasks(tables):
            weights = item_weights(len(rows.items), settings, team, task)
            for series, level in product(last_series(rows), LEVELS):
                key = key_of(team, task, rows, series) | {"level": level.name, "simulated": team in simulated}
                curve = profile(rows, series, level)
                noise = noise_of(curve, settings.seed, team, task)
                yield from (key | row for row in _curve_rows(curve, noise, headline(curve, weights, settings)))


def _curve_rows(curve: Profile, noise: Noise, headlines: Mapping[str, Row]) -> Iterator[Row]:
    """The columns of RIVALS that do not name the series, a row a law."""
    n_eff = curve.observed()
    known, r = usable(curve.sizes, n_eff / curve.sizes)
    errors = noise.at(np.isin(curve.sizes, known))
    misfits = {law: misfit(law, known, r, errors) for law in COMPARED}
    left_out = {name: left_out_error(law, curve.sizes, n_eff) for name, law in COMPARED.items()}
    best = {
        "best_by_q": best_law({law: told.q + 2 * BENDS[law].parameters for law, told in misfits.items()}),
        "best_by_left_out": best_law(left_out),
    }
    doubts = [] if errors.regular or known.size < 2 else ["covariance_singular"]
    for name, law in COMPARED.items():
        told = misfits[name]
        row = law_row(law, curve.sizes, n_eff, doubts) | {"left_out_error": left_out[name]}
        yield row | {"law": name, "q": told.q, "q_df": told.df, "q_p": told.p} | best | headlines[name]


def best_law(values: Mapping[str, float]) -> str | None:
    """The law with the lowest value; of several equal ones (to nine digits) that with the fewest parameters.

    Returns:
        its name; None where no law has a value.
    """
    known = [law for law, value in values.items() if math.isfinite(value)]
    return min(known, key=lambda law: (round(values[law], 9), BENDS[law].parameters), default=None)


def left_out_error(law: Law, n: IntArray, n_eff: FloatArray) -> float:
    """Mean |relative error| of N_eff at a size, as each is left out of the fit in turn; NaN without a size."""
    known, r = usable(n, n_eff / n)
    errors = np.abs(left_out_errors(known, known * r, law.predict))
    return float(errors.mean()) if errors.size else math.nan


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
