"""Whether the screens of a run come back: with other probes, other agents, another pass, other questions."""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.flips import PERSON, coded, flip_rates
from headcount.ledger.reliability import cronbach_alpha, icc, icc_interval, split_half
from headcount.ledger.screen_rates import ITEM
from headcount.ledger.screens import DEFAULT
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import percentile_interval
from headcount.schema import RELIABILITY
from headcount.schema.ledger import ALL
from headcount.seeds import seed64

OF_A_MODEL = ("cronbach_alpha", "split_half_probes", "inter_agent", "test_retest")
OF_MODELS = ("split_half_questions", "split_half_questions_ranks")


class _Found(NamedTuple):
    """A reliability, its interval, and of how many units measured how many times."""

    value: float
    low: float
    high: float
    units: int
    parts: int


def screen_reliability(probes: pd.DataFrame, fitting: Fitting, simulated: Collection[str] = ()) -> pd.DataFrame:
    """Reliabilities of flip rates in the default condition, all tasks together, unanswered probes dropped.

    Args:
        probes: see `flips`, of all models.
        fitting: how sure we are: coverage, number of resamples, and their seed.
        simulated: models that are none.

    Returns:
        rows of `schema.RELIABILITY`, null where there is too little to compare:
        of each model `cronbach_alpha` over its eight probes and `split_half_probes` (units: an agent on a question),
        `inter_agent` and `test_retest`, ICC(2,1) with agents and passes for raters; under the name ALL
        `split_half_questions` with models for units, and the same by rank. Split halves have no interval: Cronbach's
        alpha is their mean if probes vary alike (Cronbach 1951), and has one.
    """
    default = probes[probes["condition"] == DEFAULT]
    frames = [
        _table(_of_model(rows, str(model), fitting), rows).assign(model=model, simulated=model in simulated)
        for model, rows in default.groupby("model", sort=True, observed=True)
    ]
    if len(default):
        together = _table(_of_models(default, fitting), default)
        frames.append(together.assign(model=ALL, simulated=bool(default["model"].isin(list(simulated)).any())))
    nothing = pd.DataFrame(columns=RELIABILITY.schema.names).astype(object)
    return pd.concat([nothing, *frames], ignore_index=True)


def _table(found: dict[str, _Found], rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        [{"quantity": name, **one._asdict(), "n_items": len(rows.drop_duplicates(ITEM))} for name, one in found.items()]
    )


def _of_model(probes: pd.DataFrame, model: str, fitting: Fitting) -> dict[str, _Found]:
    def rng(quantity: str) -> np.random.Generator:
        return np.random.default_rng(seed64(fitting.seed, "reliability", model, quantity))

    flips = probes.assign(flip=coded(probes))[probes["initial_correct"].notna().to_numpy()]
    battery = flips.pivot(index=PERSON, columns=["strength", "social"], values="flip")
    values, item = battery.to_numpy(dtype=np.float64), _items(battery)
    rates = flip_rates(probes)
    agents = rates.pivot(index=[*ITEM, "replicate"], columns="agent", values="flip_rate")
    passes = rates.pivot(index=[*ITEM, "agent"], columns="replicate", values="flip_rate")
    halves = split_half(values, rng("split_half_probes"))
    return {
        "cronbach_alpha": _drawn_anew(cronbach_alpha, values, item, rng("cronbach_alpha"), fitting),
        "split_half_probes": _Found(halves, np.nan, np.nan, *values.shape),
        "inter_agent": _raters(agents, rng("inter_agent"), fitting),
        "test_retest": _raters(passes, rng("test_retest"), fitting),
    }


def _of_models(probes: pd.DataFrame, fitting: Fitting) -> dict[str, _Found]:
    """Another half of the questions: does it tell models apart alike?"""
    means = flip_rates(probes).groupby(["model", *ITEM], observed=True)["flip_rate"].mean()
    values = means.unstack(ITEM).to_numpy(dtype=np.float64)
    rng = np.random.default_rng(seed64(fitting.seed, "reliability", ALL))
    return {
        name: _Found(split_half(values, rng, ranks=name.endswith("ranks")), np.nan, np.nan, *values.shape)
        for name in OF_MODELS
    }


def _raters(ratings: pd.DataFrame, rng: np.random.Generator, fitting: Fitting) -> _Found:
    values = ratings.to_numpy(dtype=np.float64)
    known = int(np.isfinite(values).all(axis=1).sum()) if values.size else 0
    ends = icc_interval(values, rng, _items(ratings), fitting.bootstrap, fitting.confidence)
    return _Found(icc(values), *ends, known, values.shape[1])


def _drawn_anew(
    statistic: Callable[[FloatArray], float],
    values: FloatArray,
    item: IntArray,
    rng: np.random.Generator,
    fitting: Fitting,
) -> _Found:
    """A statistic of rows, and its percentile interval when questions are drawn anew, each with all its rows."""
    rows = [np.flatnonzero(item == one) for one in range(int(item.max(initial=-1)) + 1)]
    draws = [statistic(values[place]) for place in _draws(rows, rng, fitting.bootstrap)]
    low, high = percentile_interval(np.array(draws, dtype=np.float64)[:, None], fitting.confidence)
    whole = int(np.isfinite(values).all(axis=1).sum())  # units with every reply, which alone are correlated
    return _Found(statistic(values), float(low[0]), float(high[0]), whole, values.shape[1])


def _draws(rows: list[IntArray], rng: np.random.Generator, count: int) -> Iterator[IntArray]:
    for _ in range(count if len(rows) > 1 else 0):
        yield np.concatenate([rows[one] for one in rng.integers(0, len(rows), len(rows))])


def _items(frame: pd.DataFrame) -> IntArray:
    """Which question each row of a pivoted frame is of, (rows,), from 0."""
    names = frame.index.get_level_values("task").astype(str) + "\0" + frame.index.get_level_values("item").astype(str)
    return np.unique(np.asarray(names, dtype=str), return_inverse=True)[1]
