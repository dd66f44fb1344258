"""Every law on every curve of a run, side by side: is Ringelmann's the one that fits?"""

from collections.abc import Collection, Iterator, Mapping
from itertools import product

import numpy as np
import pyarrow as pa

from headcount.laws.compared import COMPARED, Law
from headcount.laws.fit import usable
from headcount.laws.profiles import LEVELS, Row, as_table, key_of, last_series, profile
from headcount.laws.quality import aicc, bic, left_out_errors
from headcount.laws.series import TeamRows, split_tasks
from headcount.measures.arrays import FloatArray, IntArray
from headcount.schema import RIVALS


def rivals_of_run(teams: Mapping[str, TeamRows], simulated: Collection[str] = ()) -> pa.Table:
    """Rows of RIVALS: each law on each series after its last round, at the answer and the pooled-agreement level.

    Args:
        teams: measures and subsets by team.
        simulated: teams whose answers no model gave.
    """
    return as_table(_rows(teams, simulated), RIVALS)


def _rows(teams: Mapping[str, TeamRows], simulated: Collection[str]) -> Iterator[Row]:
    for team, tables in teams.items():
        for task, rows in split_tasks(tables):
            for series, level in product(last_series(rows), LEVELS):
                key = key_of(team, task, rows, series) | {"level": level.name, "simulated": team in simulated}
                curve = profile(rows, series, level)
                n_eff = curve.observed()
                for name, law in COMPARED.items():
                    yield key | {"law": name} | law_row(law, curve.sizes, n_eff)


def law_row(law: Law, n: IntArray, n_eff: FloatArray) -> Row:
    """The columns of RIVALS that depend on the law.

    R2, AICc and BIC are about R for every law, also for those fitted to N_eff, so that they can be compared; RMSE and
    the error at sizes left out are about N_eff.

    Args:
        n: (sizes,), team sizes of two and more.
        n_eff: (sizes,), effective team sizes, in agents; NaN where not known.
    """
    fit = law.fit(n, n_eff / n)
    known, r = usable(n, n_eff / n)
    sse = float(((law.predict(known, r[None], known)[0] / known - r) ** 2).sum())
    left_out = np.abs(left_out_errors(known, known * r, law.predict))
    return {
        "sizes": known.astype(int).tolist(),
        "parameters": list(fit.params),
        "values": list(fit.params.values()),
        "r2": fit.r2,
        "r2_with_one": fit.r2_with_one,
        "rmse_n_eff": fit.rmse_n_eff,
        "aicc": aicc(sse, known.size, len(fit.params)),
        "bic": bic(sse, known.size, len(fit.params)),
        "left_out_error": float(left_out.mean()) if left_out.size else np.nan,
        "flags": fit.flags,
    }
