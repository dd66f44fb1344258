"""Human groups under the laws of LLM teams: how much of one person each member of a group still is.

The paper sets debates beside three studies of human groups (arXiv 2606.02646, app. B). The data
(resources/published/human_groups.csv) are the means per person that are usually quoted. The paper prints none, and
they were not checked against a primary source; for rope pulling no other figure is known to us for N = 4 to 7. Of its
third study, crisis mapping (Mao et al. 2016), the paper prints no number by size, and it is left out here.

Such means have no items behind them, so there is nothing to resample and *no interval*. What stands in its place is
the range of an estimate as each size in turn is left out: how much hangs on one size, not how sure one may be.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from headcount.errors import UserError
from headcount.laws.alternatives import fit_latane, fit_latane_slope
from headcount.laws.estimate import fit_kish
from headcount.laws.fit import Fit
from headcount.measures.arrays import FloatArray

FITTED: tuple[tuple[str, Callable[[FloatArray, FloatArray], Fit]], ...] = (
    ("t", fit_latane_slope),
    ("t", fit_latane),
    ("rho", fit_kish),
)
# What app. B prints, by its name in prose_scalars.csv; it prints one t, and does not say of which reading.
PRINTED = {
    ("rope_1913", "t"): "human_ringelmann1913_t",
    ("rope_1913", "rho"): "human_ringelmann1913_c",
    ("shouting_1979", "t"): "human_latane1979_t",
    ("shouting_1979", "rho"): "human_latane1979_c",
    ("shouting_1979_pressure", "t"): "human_latane1979_t",
    ("shouting_1979_pressure", "rho"): "human_latane1979_c",
}


def efficiency(groups: pd.DataFrame) -> pd.DataFrame:
    """What each person gives in a group of n, as a share of what one alone gives: R(N), 1 at N = 1.

    Args:
        groups: columns group, n and per_person (in any unit, of one group the same), numbers or text.

    Returns:
        group, n and r, by group and n.

    Raises:
        UserError: where a group has no person alone to compare with.
    """
    rows = groups[["group", "n", "per_person"]].astype({"n": int, "per_person": float})
    alone = rows[rows["n"] == 1].set_index("group")["per_person"]
    strangers = sorted(set(rows["group"]) - set(alone.index))
    if strangers:
        raise UserError(f"human groups: {strangers[0]} has no row for n = 1. Add what one person alone gives.")
    rows["r"] = rows["per_person"] / rows["group"].map(alone)
    return rows[["group", "n", "r"]].sort_values(["group", "n"], ignore_index=True)


def fit_human_groups(groups: pd.DataFrame, scalars: pd.DataFrame) -> pd.DataFrame:
    """Latane's exponent, by both readings, and Kish's correlation of each human group, beside what is printed.

    Rope pulling gives both printed numbers, t = .55 and c = .12, if t is the slope with a free amplitude. Shouting
    does not give the printed c = .35: the quoted percentages give .331, and at most .339 within their rounding. Mean
    sound pressures quoted from the same experiment give .345 (.31 to .38 within theirs), so the paper may have used
    those. Both stand here.

    Args:
        groups: rows of human_groups.csv.
        scalars: rows of prose_scalars.csv, as text.

    Returns:
        one row a group and law: group, law, parameter, value; low_without_one and high_without_one, the range of the
        value as each size is left out (NaN if no two sizes are left for a slope); r2 over sizes of two and more;
        sizes; and printed, "" where nothing is.
    """
    text = scalars.set_index("name")["value"]
    rows = efficiency(groups)
    fits = pd.DataFrame([row for group, here in rows.groupby("group") for row in _fits(str(group), here)])
    names = [PRINTED.get(key) for key in zip(fits["group"], fits["parameter"], strict=True)]
    return fits.assign(printed=[str(text.get(name, "")) if name else "" for name in names])


def _fits(group: str, rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    n, r = (rows.loc[rows["n"] > 1, name].to_numpy(dtype=float) for name in ("n", "r"))
    for parameter, fitted in FITTED:
        whole = fitted(n, r)
        without = [fitted(np.delete(n, place), np.delete(r, place)).params[parameter] for place in range(n.size)]
        known = [value for value in without if np.isfinite(value)]
        yield {
            "group": group,
            "law": whole.law,
            "parameter": parameter,
            "value": whole.params[parameter],
            "low_without_one": min(known, default=np.nan),
            "high_without_one": max(known, default=np.nan),
            "r2": whole.r2,
            "sizes": [int(size) for size in n],
        }
