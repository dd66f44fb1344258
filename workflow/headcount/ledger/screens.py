"""The screen of a model: its flip rate by our definition and by the reference's two, and what moves it.

Ours is one definition: the default condition, the mean over rows of a row's flip rate. The reference mixes two under
one name: rows of nine sealed models are the mean of the solo and the social arm, each pooled over probes with
unanswered ones dropped; later rows are the mean over all three conditions, unanswered ones taken for no flip.
"""

import numpy as np
import pandas as pd

from headcount.ledger.flips import Unanswered, channels, flip_rates
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import Percentile, bootstrap_means, percentile_interval

DEFAULT = "default"
EPSILON = 1e-3  # arXiv 2609.35279, section 3
RATES = ["alpha", "alpha_adv", "alpha_cor", "alpha_neutral"]


def screen(probes: pd.DataFrame, unanswered: Unanswered = "drop") -> pd.DataFrame:
    """One row a model.

    Args:
        probes: see `flips`.
        unanswered: what a reply without an answer counts as, in all columns but the reference's.

    Returns:
        index `model`:
        `rows`, `probes` that count, `unparsed` (share of probes without an answer);
        `alpha_tot`, the mean of flip rates over rows; `alpha_adv`, `alpha_cor`, `alpha_neutral` pooled over probes;
        `s_soc`, `s_arg`, means over rows; `sa_of_means`, `sa_mean_of_items` and `sa_log`, see `social_share`;
        `alpha_tot_arms`, `alpha_adv_arms`, `alpha_cor_arms`: the reference's for sealed rows;
        `alpha_tot_conditions`: the reference's for later rows. All but the last are of the default condition.
    """
    default = probes[probes["condition"] == DEFAULT]
    rates = flip_rates(default, unanswered)
    groups = rates.groupby("model", sort=True, observed=True)
    found = groups[["flip_rate", "s_soc", "s_arg"]].mean().rename(columns={"flip_rate": "alpha_tot"})
    found = found.assign(rows=groups.size(), probes=groups["probes"].sum(), unparsed=_unparsed(default))
    pooled = channels(default, unanswered=unanswered).set_index("model")
    found = found.join(pooled[RATES[1:]]).join(arms_mean(channels(default, ["model", "social"])))
    found["sa_of_means"] = social_share(found["s_soc"].to_numpy(), found["s_arg"].to_numpy())
    found["sa_mean_of_items"] = _mean_of_items(rates)
    found["sa_log"] = log_social_ratio(found["s_soc"].to_numpy(), found["s_arg"].to_numpy())
    everywhere = flip_rates(probes, "no_flip").groupby("model", sort=True, observed=True)["flip_rate"].mean()
    return found.assign(alpha_tot_conditions=everywhere)


def arms_mean(arms: pd.DataFrame) -> pd.DataFrame:
    """The reference's rates of a sealed row: the mean of those of the solo and of the social arm.

    Args:
        arms: rows of `flips.channels` by model and `social`.

    Returns:
        index `model`: `alpha_tot_arms`, `alpha_adv_arms`, `alpha_cor_arms`; NaN where an arm has none.
    """
    means = {}
    for name in RATES[:3]:
        wide = arms.pivot(index="model", columns="social", values=name).reindex(columns=[False, True])
        means[f"{name}_arms"] = wide.mean(axis=1, skipna=False)
    return pd.DataFrame(means).rename(columns={"alpha_arms": "alpha_tot_arms"})


def social_share(s_soc: FloatArray, s_arg: FloatArray, epsilon: float = EPSILON) -> FloatArray:
    """S/A = s_soc / (|s_soc| + |s_arg| + epsilon), in (-1, 1).

    The paper aggregates it over questions; its table is the ratio of a model's mean contrasts. Both are reported.

    Args:
        s_soc, s_arg: any one shape.
        epsilon: keeps a ratio of nothing to nothing at 0.
    """
    return np.asarray(s_soc / (np.abs(s_soc) + np.abs(s_arg) + epsilon))


def log_social_ratio(s_soc: FloatArray, s_arg: FloatArray, epsilon: float = EPSILON) -> FloatArray:
    """ln((max(s_soc, 0) + epsilon) / (max(s_arg, 0) + epsilon)), any one shape."""
    return np.asarray(np.log((np.maximum(s_soc, 0) + epsilon) / (np.maximum(s_arg, 0) + epsilon)))


def alpha_interval(
    rates: pd.DataFrame, rng: np.random.Generator, draws: int = 1000, confidence: float = 0.95
) -> tuple[float, float]:
    """Percentile interval of one model's mean flip rate when its items are drawn anew, each with all its rows.

    Args:
        rates: rows of `flips.flip_rates` of one model.
        rng: draws the items.
        draws: how many times.
        confidence: coverage.
    """
    known = rates[rates["flip_rate"].notna()]
    items = known.groupby(["task", "item"], sort=True, observed=True)["flip_rate"]
    sums = np.stack([items.sum().to_numpy(dtype=np.float64), items.size().to_numpy(dtype=np.float64)], axis=1)
    means = bootstrap_means(sums, Percentile(draws).weights(len(sums), rng))
    low, high = percentile_interval(means[:, :1] / means[:, 1:], confidence)
    return float(low[0]), float(high[0])


def _mean_of_items(rates: pd.DataFrame) -> "pd.Series[float]":
    """Mean over a model's questions of the S/A of each question's own contrasts."""
    items = rates.groupby(["model", "task", "item"], sort=True, observed=True)[["s_soc", "s_arg"]].mean()
    share = social_share(items["s_soc"].to_numpy(), items["s_arg"].to_numpy())
    return pd.Series(share, index=items.index).groupby("model", sort=True).mean()


def _unparsed(probes: pd.DataFrame) -> "pd.Series[float]":
    asked = probes[probes["initial_correct"].notna()]
    return asked["flip"].isna().astype(float).groupby(asked["model"], sort=True, observed=True).mean()
