"""The screens of a run: every rate of every model, on each task and on all, under three readings, with intervals.

A rate is a ratio of sums over questions. Questions are drawn anew, each with all its agents, conditions and passes,
and all rates of a draw are made from the same sums.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.flips import UNANSWERED, Unanswered, channels, coded, flip_rates
from headcount.ledger.screens import DEFAULT, log_social_ratio, social_share
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import Percentile, percentile_interval
from headcount.schema import SCREENS
from headcount.schema.ledger import ALL
from headcount.seeds import seed64

ITEM = ["task", "item"]
ARMS = {False: "solo", True: "social"}
_CHANNELS = {"alpha": ("n_flip", "n_probes"), "alpha_adv": ("n_adv", "n_right"), "alpha_cor": ("n_cor", "n_wrong")}
_NEUTRAL = {"alpha_neutral": ("n_neutral", "n_wrong")}
_DROPPED = "dropped_"  # rates of arms without unanswered probes, whatever the reading: what the paper's are made of

Ratio = tuple["pd.Series[float]", "pd.Series[float]"]  # numerators and denominators, by task and item
Ratios = dict[str, Ratio]


def screen_rates(probes: pd.DataFrame, fitting: Fitting, simulated: Collection[str] = ()) -> pd.DataFrame:
    """Screens of all models.

    Args:
        probes: see `flips`, of all models.
        fitting: how sure we are: coverage, number of resamples, and their seed.
        simulated: models that are none.

    Returns:
        rows of `schema.SCREENS`; none of a rate that is counted among nothing. Quantities are those of
        `screens.screen`; `alpha_solo`, `alpha_adv_social`, ... of an arm, pooled over its probes; `alpha_weak_solo`,
        ... of a strength in an arm; `alpha_tot_anti_social`, ... under another system prompt. With fewer than two
        questions there are no `low` and `high`.
    """
    frames = [
        frame.assign(model=model, unanswered=unanswered, simulated=model in simulated)
        for model, own in probes.groupby("model", sort=True, observed=True)
        for unanswered in UNANSWERED
        for frame in _screened(own, str(model), unanswered, fitting)
    ]
    nothing = pd.DataFrame(columns=SCREENS.schema.names).astype(object)
    return pd.concat([nothing, *frames], ignore_index=True)


def item_ratios(probes: pd.DataFrame, unanswered: Unanswered) -> Ratios:
    """What each question adds to each rate of one model, above and below the line; see `screen_rates` for the names."""
    rows = flip_rates(probes, unanswered)
    default = rows[rows["condition"] == DEFAULT]
    found = {name: _of_rows(default, column) for name, column in _MEANS.items()}
    found["sa_mean_of_items"] = _shares_of_items(default)
    found["alpha_tot_conditions"] = _of_rows(flip_rates(probes, "no_flip"), "flip_rate")
    for condition, own in rows[rows["condition"] != DEFAULT].groupby("condition", sort=True, observed=True):
        found[f"alpha_tot_{condition}"] = _of_rows(own, "flip_rate")
    asked = probes[probes["condition"] == DEFAULT]
    return found | _of_kinds(asked, unanswered) | {f"{_DROPPED}{k}": v for k, v in _of_arms(_kinds(asked, "drop"))}


def with_derived(ratios: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Ratios, (draws,) each, with what is made of several: S/A of mean contrasts, and means of two arms."""
    s_soc, s_arg = ratios["s_soc"], ratios["s_arg"]
    arms = {
        f"{'alpha_tot' if name == 'alpha' else name}_arms": (
            (ratios[f"{_DROPPED}{name}_solo"] + ratios[f"{_DROPPED}{name}_social"]) / 2
        )
        for name in _CHANNELS
    }
    made = {"sa_of_means": social_share(s_soc, s_arg), "sa_log": log_social_ratio(s_soc, s_arg)}
    return {name: one for name, one in ratios.items() if not name.startswith(_DROPPED)} | made | arms


_MEANS = {"alpha_tot": "flip_rate", "s_soc": "s_soc", "s_arg": "s_arg"}


def _screened(probes: pd.DataFrame, model: str, unanswered: Unanswered, fitting: Fitting) -> Iterator[pd.DataFrame]:
    """A model's rates on each task and on all."""
    ratios = item_ratios(probes, unanswered)
    sums = pd.DataFrame({(name, side): part for name, pair in ratios.items() for side, part in enumerate(pair)})
    default = probes[probes["condition"] == DEFAULT]
    for task in [*sorted(probes["task"].unique()), ALL]:
        items = sums if task == ALL else sums[sums.index.get_level_values("task") == task]
        own = default if task == ALL else default[default["task"] == task]
        rng = np.random.default_rng(seed64(fitting.seed, model, task))
        rates = _rates(list(ratios), items.fillna(0.0).to_numpy(dtype=np.float64), rng, fitting)
        yield rates.assign(task=task, **_about(own, unanswered))


def _about(default: pd.DataFrame, unanswered: Unanswered) -> dict[str, Any]:
    """How much was asked, and how much of it has no answer."""
    flip = coded(default, unanswered)
    first = default["initial_correct"].notna()
    agents = default[[*ITEM, "replicate", "agent"]]
    rows, everybody = len(agents[first].drop_duplicates()), len(agents.drop_duplicates())
    unparsed = float(default["flip"][first].isna().mean()) if rows else 0.0
    unread = 1 - rows / everybody if everybody else 0.0
    return {"rows": rows, "probes": int(np.isfinite(flip).sum()), "unparsed": unparsed, "unread": unread}


def _rates(names: Sequence[str], items: FloatArray, rng: np.random.Generator, fitting: Fitting) -> pd.DataFrame:
    """Value, low and high of every quantity that has a value; items as in `_quantities`."""
    n = len(items)
    value = _quantities(names, items, np.ones((1, n)))
    weights = Percentile(fitting.bootstrap if n > 1 else 0).weights(max(n, 1), rng)
    drawn = _quantities(names, items, weights[:, :n])
    low, high = percentile_interval(np.stack(list(drawn.values()), axis=1), fitting.confidence)
    point = [float(one[0]) for one in value.values()]
    frame = pd.DataFrame({"quantity": list(value), "value": point, "low": low, "high": high, "n_items": n})
    return frame.dropna(subset="value")


def _quantities(names: Sequence[str], items: FloatArray, weights: FloatArray) -> dict[str, FloatArray]:
    """Every quantity, (draws,).

    Args:
        names: of ratios.
        items: (items, 2 names), numerator and denominator of each in turn.
        weights: (draws, items).
    """
    sums = weights @ items
    above, below = sums[:, ::2], sums[:, 1::2]
    ratios = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return with_derived(dict(zip(names, ratios.T, strict=True)))


def _of_rows(rows: pd.DataFrame, column: str) -> Ratio:
    """A mean over rows of `flip_rates`: of those that have a value."""
    groups = rows.groupby(ITEM, sort=True, observed=True)[column]
    return groups.sum(), groups.count().astype(float)


def _shares_of_items(rows: pd.DataFrame) -> Ratio:
    """S/A of each question's own mean contrasts."""
    means = rows.groupby(ITEM, sort=True, observed=True)[["s_soc", "s_arg"]].mean()
    share = pd.Series(social_share(means["s_soc"].to_numpy(), means["s_arg"].to_numpy()), index=means.index)
    return share, share.notna().astype(float)


def _kinds(probes: pd.DataFrame, unanswered: Unanswered) -> pd.DataFrame:
    """Counts of `channels` of each question, strength and arm."""
    return channels(probes, [*ITEM, "strength", "social"], unanswered)


def _of_kinds(probes: pd.DataFrame, unanswered: Unanswered) -> Ratios:
    """Rates pooled over probes: of all, of each arm, of each strength in an arm."""
    counts = _kinds(probes, unanswered)
    found = {name: _summed(counts, *pair) for name, pair in (_CHANNELS | _NEUTRAL).items() if name != "alpha"}
    for (strength, social), own in counts.groupby(["strength", "social"], sort=True, observed=True):
        found[f"alpha_{strength}_{ARMS[bool(social)]}"] = _summed(own, *_CHANNELS["alpha"])
    return found | dict(_of_arms(counts))


def _of_arms(counts: pd.DataFrame) -> Iterator[tuple[str, Ratio]]:
    for social, arm in ARMS.items():
        own = counts[counts["social"].astype(bool) == social]
        yield from ((f"{name}_{arm}", _summed(own, *pair)) for name, pair in _CHANNELS.items())


def _summed(counts: pd.DataFrame, above: str, below: str) -> Ratio:
    sums = counts.groupby(ITEM, sort=True, observed=True)[[above, below]].sum()
    return sums[above].astype(float), sums[below].astype(float)
