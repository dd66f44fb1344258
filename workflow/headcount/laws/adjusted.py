"""Teams that talked, adjusted by the luck of their first answers: a control variate (ours).

The first n agents are one team of n. Round 1 tells by how much it differs from the mean over all teams of n, and what
agents say after talk is much like what they said before. So of each item's value f_i after talk is taken away what
carries over of the difference before:

    f_i - b_i d_i ,   d_i = r1team_i - U_i ,   b_i = sum_j (d_j - dbar) (f_j - fbar) / sum_j (d_j - dbar)^2 ,

r1team_i being the same team's value in round 1, U_i the mean over all teams of n (SUBSETS), and sums and means over all
items j but i. d_i has mean 0 over which agents come first, and b_i knows nothing of it, so the mean over items
estimates what it did before. (With one b learned from all items it would be off by the order of 1/items: items on
which agents agree have small d_i and small errors at once. Of 40 simulated items that was a seventh of the standard
error.) The variance is about 1 - cor(f, d)^2 times as large.

b_i is estimated once and held fixed when items are resampled or left out. How uncertain it is shows in the adjusted
values themselves, nearly: intervals take the variance for 1.5 % too small with 12 items, and .3 % with 50 (simulated).
"""

from collections.abc import Mapping

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.correctness import share

FEW = 10  # items, below which nothing is adjusted
KEPT = ("replicate", "n", "k", "round", "n_valid", "pairs")  # columns that stay as they are
_MEANS = {  # and the name in SUBSETS
    "n_eff_answer": "n_eff_answer",
    "n_eff_agreement": "n_eff_agreement",
    "expected_correct": "team_correct",
}
_SHARES = {"equal_pairs": "pairs", "correct_pairs": "pairs", "n_correct": "n_valid"}
_NOTHING = 1e-14  # a variance that rounding left where there is none
_SHARE = 1e-9  # of the spread of all items: what rounding left where one item has all of it

Columns = Mapping[str, FloatArray]


def slopes(f: FloatArray, d: FloatArray) -> FloatArray:
    """How much of a difference in round 1 carries over: least squares of f on d and a constant, without each item.

    Args:
        f, d: (items,).

    Returns:
        (items,), b of all other items; 0 with fewer than `FEW` items, and where d does not vary.
    """
    if f.size < FEW:
        return np.zeros(f.size)
    f, d = f - f.mean(), d - d.mean()  # sums without item i of what has sum 0 are minus item i
    weight, total = f.size / (f.size - 1.0), float(d @ d)
    spread, cross = total - weight * d**2, float(d @ f) - weight * d * f
    varies = spread > max(_SHARE * total, _NOTHING * f.size)
    return np.asarray(np.where(varies, cross / np.where(varies, spread, 1.0), 0.0))


def adjust(f: FloatArray, d: FloatArray, item: IntArray, cell: IntArray) -> FloatArray:
    """f - b d, with b of each cell and item, from means over replicates.

    Args:
        f, d: (rows,); where d is NaN nothing is taken away.
        item: (rows,), place of each row's item.
        cell: (rows,), code of what is adjusted together: one condition, number of peers, size and round.

    Returns:
        (rows,), NaN where f is.
    """
    adjusted = f.copy()
    both = np.flatnonzero(np.isfinite(f) & np.isfinite(d))
    both = both[np.argsort(cell[both], kind="stable")]
    for here in np.split(both, np.flatnonzero(np.diff(cell[both])) + 1):
        count = np.bincount(item[here])
        known = count > 0
        f_mean, d_mean = (np.bincount(item[here], values[here])[known] / count[known] for values in (f, d))
        of = (np.cumsum(known) - 1)[item[here]]
        adjusted[here] -= slopes(f_mean, d_mean)[of] * d[here]
    return adjusted


def adjusted_columns(
    later: Columns, first: Columns, every: Columns, item: IntArray, cell: IntArray
) -> dict[str, FloatArray]:
    """Measures of teams after talk, adjusted.

    Effective sizes and accuracy are adjusted as they are. Of pairs and agents it is their share: of pairs that are
    equal or both right, of agents that are right. Counts are these shares of the pairs and agents that a row has, so
    that what is pooled over items, as agreement and the correlation of correctness are, is a function of adjusted
    means, each of them unbiased where nobody is missing. Shares are no longer held to [0, 1], nor sizes to [1, n].

    Args:
        later: columns of MEASURES, (rows,), of teams after talk.
        first: the same of these teams in round 1.
        every: columns of SUBSETS, (rows,), of all teams of n in round 1; NaN where there are none.
        item, cell: as in `adjust`.

    Returns:
        the columns in `KEPT`, n_eff_answer, n_eff_agreement, expected_correct, agreement, equal_pairs, correct_pairs
        and n_correct.
    """
    columns = {name: later[name] for name in KEPT}
    for name, of_all in _MEANS.items():
        columns[name] = adjust(later[name], first[name] - every[of_all], item, cell)
    for name, whole in _SHARES.items():
        f, r1team, u = (share(rows[name], rows[whole]) for rows in (later, first, every))
        adjusted = adjust(f, r1team - u, item, cell)
        columns[name] = np.where(later[whole] > 0, adjusted * later[whole], 0.0)
        if name == "equal_pairs":
            columns["agreement"] = adjusted
    return columns
