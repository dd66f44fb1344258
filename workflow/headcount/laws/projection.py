"""How often a big team would be right, told from small ones: a normal approximation to the vote, and beside it one in
which items differ.

Two numbers of a pilot go in: how its agents correlate, and how often one of them is right. The latter may be taken
after the last revision, or in round 1. The text of arXiv 2606.02646, K.3 has "mean solo accuracy", which is round 1;
its Table 18 can only be reached with the accuracy after revision (GSM-Hard, printed .249: .249 from .271, .040 from the
solo accuracy .100). Both are given.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy.special import ndtr

from headcount.laws.audit import DRAWS, extrapolating
from headcount.laws.compared import COMPARED
from headcount.laws.joined import TeamNumbers, joined_tasks
from headcount.laws.profiles import Row, as_table, key_of, last_series
from headcount.laws.series import Series, TaskRows, TeamRows, item_means, n_items
from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.diversity import n_eff_from_correlation
from headcount.measures.intervals import bootstrap_means
from headcount.measures.scales import SHARE, Scales
from headcount.schema import PROJECTIONS

LARGEST_PILOT = 5  # arXiv 2606.02646, K.3: rho and p from teams of at most 5
_PARTS = ("n_eff_answer", "n_correct", "n_valid", "first_n_correct", "first_n_valid", "team_correct")


def majority_accuracy(p: FloatArray, n_eff: FloatArray) -> FloatArray:
    """Chance that most of N_eff independent voters are right, by the normal approximation.

    P = Phi((p - 1/2) / sqrt(p (1 - p) / N_eff)) (arXiv 2606.02646, K.3). Voters choose between right and wrong, so
    wrong answers that scatter, as in free-form tasks, are taken for one; and all items are as hard as their mean.

    Args:
        p: chance that one voter is right; any shape.
        n_eff: effective team size, in agents; any shape that broadcasts with p.

    Returns:
        the broadcast shape, in [0, 1]: 0 or 1 where p is; NaN where either is unknown.
    """
    p, n_eff = np.asarray(p, dtype=np.float64), np.asarray(n_eff, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return np.asarray(ndtr((p - 0.5) / np.sqrt(p * (1.0 - p) / n_eff)))


def project(p: FloatArray, rho: FloatArray, n: IntArray) -> FloatArray:
    """Accuracy of a team of n whose agents are right with chance p and correlate by rho, whatever the size.

    N_eff = N / (1 + (N - 1) rho) in `majority_accuracy` (arXiv 2606.02646, K.3).

    Args:
        p, rho: (draws,).
        n: (sizes,).

    Returns:
        (draws, sizes).
    """
    return majority_accuracy(p[:, None], n_eff_from_correlation(n, rho[:, None]))


def beta_binomial_accuracy(p: float, rho: float, n: IntArray) -> FloatArray:
    """Chance that most of n voters are right, when items differ in difficulty; a tie is right half the time.

    The number X of right voters is beta-binomial with mean n p and intraclass correlation rho: P(X > n/2) +
    P(X = n/2) / 2 (ours; the distribution is Williams's, 1975),

        P(X = x) = C(n, x) prod_{i < x} (p q + i rho) prod_{i < n - x} ((1 - p) q + i rho) / prod_{i < n} (q + i rho)

    with q = 1 - rho. The limits are a binomial at rho = 0 and one voter at rho = 1; below 0 and above 1 is taken for
    these.

    Args:
        p: chance that one voter is right.
        rho: correlation between any two.
        n: (sizes,).

    Returns:
        (sizes,), in [0, 1]; NaN where p or rho is unknown.
    """
    if not (np.isfinite(p) and np.isfinite(rho)):
        return np.full(n.size, np.nan)
    if rho >= 1.0 or p <= 0.0 or p >= 1.0:
        return np.full(n.size, float(p))
    rho = max(rho, 0.0)
    seat, right = np.arange(n.max()), np.arange(n.max() + 1)
    of_right, of_wrong, of_all, factorial = (
        np.concatenate([[0.0], np.cumsum(np.log(each))])
        for each in (
            p * (1.0 - rho) + seat * rho,
            (1.0 - p) * (1.0 - rho) + seat * rho,
            1.0 - rho + seat * rho,
            seat + 1.0,
        )
    )
    wrong = n[:, None] - right
    some = np.maximum(wrong, 0)
    log = (of_right - factorial)[right] + (of_wrong - factorial)[some] + (factorial - of_all)[n][:, None]
    share = (np.sign(right - wrong) + 1.0) / 2.0
    return np.asarray(np.where(wrong >= 0, np.exp(log) * share, 0.0).sum(axis=1))


def small_sizes(sizes: IntArray) -> IntArray:
    """The sizes that rho and p are taken from.

    Those of at most 5 (arXiv 2606.02646, K.3; of 3, 6, 9, 15, 30 that is 3 alone), or the smallest if none is; one size
    is always left to predict.

    Args:
        sizes: (sizes,), of two and more, ascending.

    Returns:
        ascending; empty with fewer than two sizes.
    """
    small = max(int((sizes <= LARGEST_PILOT).sum()), 1)
    return sizes[: max(min(small, sizes.size - 1), 0)]


def projections_of_run(
    teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str] = (), draws: int = DRAWS
) -> pa.Table:
    """Projections of a run.

    rho is Kish's law on the pilot's N_eff at the answer level; p is of all valid answers of the pilot's agents.

    Args:
        teams: measures by team.
        settings: how to fit, and the seed and confidence of the intervals.
        simulated: teams whose answers no model gave.
        draws: item resamples behind an interval; none if `settings` asks for none.

    Returns:
        rows of PROJECTIONS, for each condition's full series after its last round: every size from 2 to the largest.
        A series with one size has nothing to predict, and no row.
    """
    return as_table(_rows(teams, extrapolating(settings, draws), simulated), PROJECTIONS)


def _rows(teams: Mapping[str, TeamRows], settings: FitSettings, simulated: Collection[str]) -> Iterator[Row]:
    for team, tables in teams.items():
        for task, rows in joined_tasks(TeamNumbers(tables.measures)):
            weights = item_weights(len(rows.items), settings, team, task)
            for series in last_series(rows):
                key = key_of(team, task, rows, series) | {"simulated": team in simulated}
                yield from (key | row for row in _series_rows(rows, series, weights, settings))


def _series_rows(rows: TaskRows, series: Series, weights: FloatArray, settings: FitSettings) -> Iterator[Row]:
    """The columns of PROJECTIONS that do not name the series."""
    sizes = series.sizes[series.sizes >= 2]
    pilot = small_sizes(sizes)
    if not pilot.size:
        return
    parts = np.stack([rows.columns[name][series.rows] for name in _PARTS], axis=1)
    means = item_means(rows, series, parts)[:, series.sizes >= 2]
    values, at = means.reshape(len(rows.items), -1), np.arange(2, sizes[-1] + 1)
    items = n_items(rows, series)

    def pilots(drawn: FloatArray, c_bounds: tuple[float, float]) -> "_Pilots":
        return _Pilots.of(drawn.reshape(-1, sizes.size, len(_PARTS))[:, : pilot.size], pilot, c_bounds)

    def estimator(drawn: FloatArray) -> FloatArray:
        small = pilots(drawn, settings.c_bounds_boot)
        return project(small.agents, small.rho, at)

    every = bootstrap_means(values, np.ones((1, len(rows.items))))
    point = pilots(every, settings.c_bounds)
    scales = Scales.of([SHARE] * at.size)
    low, high, _ = settings.interval(settings.n_boot)(values, estimator, weights, settings.confidence, scales)
    observed = dict(zip(sizes.tolist(), every.reshape(sizes.size, -1)[:, -1].tolist(), strict=True))
    predicted, from_solo = (project(p, point.rho, at)[0] for p in (point.agents, point.solo))
    scattered = beta_binomial_accuracy(float(point.agents[0]), float(point.rho[0]), at)
    for i, n in enumerate(at.tolist()):
        yield {
            "n": n,
            "pilot": pilot.tolist(),
            "held_out": n in observed and n not in pilot,
            "rho": float(point.rho[0]),
            "agent_accuracy": float(point.agents[0]),
            "solo_accuracy": float(point.solo[0]),
            "predicted": predicted[i],
            "predicted_low": low[i] if items > 1 else np.nan,
            "predicted_high": high[i] if items > 1 else np.nan,
            "predicted_from_solo": from_solo[i],
            "predicted_beta_binomial": scattered[i],
            "observed": observed.get(n, np.nan),
            "n_items": items,
        }


@dataclass(frozen=True)
class _Pilots:
    """What is told from a pilot, for each draw of items.

    Attributes:
        rho: (draws,), the constant correlation that its N_eff are nearest to.
        agents: (draws,), accuracy of its agents' valid answers after the last revision.
        solo: (draws,), the same in round 1.
    """

    rho: FloatArray
    agents: FloatArray
    solo: FloatArray

    @staticmethod
    def of(means: FloatArray, sizes: IntArray, c_bounds: tuple[float, float]) -> "_Pilots":
        """From means of `_PARTS`, (draws, sizes, parts), at the pilot's sizes."""
        rho = COMPARED["kish"].estimate(sizes.astype(np.float64), means[:, :, 0] / sizes, c_bounds)[:, 0]
        total = means.sum(axis=1)
        with np.errstate(invalid="ignore"):  # nobody answered: 0 / 0
            return _Pilots(rho, total[:, 1] / total[:, 2], total[:, 3] / total[:, 4])
