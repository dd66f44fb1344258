"""A row a model: what its screen says, and what its debates did, all tasks together.

Statistics across models are of one cohort: debates of teams of one model, of N agents of whom each hears k, judged at
one round. Which one: of the rounds that the most models reached, the last.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from headcount.ledger.labels import LABELS
from headcount.ledger.proportions import proportions
from headcount.ledger.screen_rates import ITEM
from headcount.ledger.tally import RATES, tally
from headcount.schema import MODEL_ROWS
from headcount.schema.ledger import ALL
from headcount.schema.screens import COHORT, SCREEN_MEASURES

_DEBATE = ["model", *COHORT, "task", "item", "replicate"]


def model_rows(
    screens: pd.DataFrame,
    debates: pd.DataFrame,
    items: pd.DataFrame,
    families: Mapping[str, str],
    confidence: float = 0.95,
) -> pd.DataFrame:
    """The screened models that debated.

    Args:
        screens: rows of `schema.SCREENS`.
        debates: rows of `schema.TRANSITIONS` of teams of one model, with a column `model`. A debate that two teams of
            a model share counts once.
        items: `model`, `task` and `item` that were probed.
        families: of models.
        confidence: coverage of intervals.

    Returns:
        rows of `schema.MODEL_ROWS`.
    """
    measured = _measured(screens)
    here = debates[(debates["condition"] == "debate") & (debates["n"] > 1) & debates["model"].isin(measured.index)]
    here = here.sort_values("team").drop_duplicates(_DEBATE)
    probed = {str(model): _questions(own) for model, own in items.groupby("model", observed=True)}
    nothing = pd.DataFrame(columns=MODEL_ROWS.schema.names).astype(object)
    rows = [
        {**key, **measured.loc[model], **_outcomes(own, confidence), **_overlap(own, probed[model])}
        | {"model": model, "family": families[model]}
        for key, own in _cohorts(here)
        for model, own in ((str(model), each) for model, each in own.groupby("model", observed=True))
    ]
    return pd.concat([nothing, pd.DataFrame(rows)], ignore_index=True)


def _measured(screens: pd.DataFrame) -> pd.DataFrame:
    """Index `model`: measures, the interval of the first, probes."""
    rows = screens[(screens["task"] == ALL) & (screens["unanswered"] == "drop")]
    wide = rows.pivot(index="model", columns="quantity", values="value").reindex(columns=list(SCREEN_MEASURES))
    total = rows[rows["quantity"] == "alpha_tot"].set_index("model")
    about = rows.groupby("model")[["probes", "simulated"]].first()
    return wide.join(about).assign(alpha_tot_low=total["low"], alpha_tot_high=total["high"])


def _cohorts(debates: pd.DataFrame) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    for (condition, n, k), own in debates.groupby(list(COHORT[:3]), observed=True):
        models = own.groupby("round")["model"].nunique()
        end = int(models.index[models == models.max()].max())
        yield {"condition": condition, "n": n, "k": k, "round": end}, own[own["round"] == end]


def _outcomes(debates: pd.DataFrame, confidence: float) -> dict[str, object]:
    """Counts and rates of the ledger of some debates, complete cases."""
    counts = np.array([(debates["transition"] == name).sum() for name in LABELS], dtype=np.float64)
    events, base = (dict(zip(RATES, part, strict=True)) for part in tally(counts))
    rates = {name: events[name] / base[name] if base[name] else np.nan for name in _KEPT}
    collapse = proportions(np.array([events["collapse"]]), np.array([base["collapse"]]), confidence).iloc[0]
    twice = debates["answered_twice"].sum()
    return {
        **rates,
        **{"collapse_low": collapse["wilson_low"], "collapse_high": collapse["wilson_high"]},
        **{"debates": base["net"], "initially_correct": base["collapse"], "unlabelled": events["unlabelled"]},
        **{"collapses": events["collapse"], "corrections": events["correction"]},
        "revision": debates["changed_answers"].sum() / twice if twice else np.nan,
    }


_KEPT = ("collapse", "correction", "initial_accuracy", "final_accuracy", "raw_collapse")


def _overlap(debates: pd.DataFrame, probed: set[tuple[str, str]]) -> dict[str, int]:
    """How many questions were probed, debated, and both: what is measured on other questions may be another thing."""
    debated = _questions(debates)
    return {"items_probed": len(probed), "items_debated": len(debated), "items_both": len(probed & debated)}


def _questions(rows: pd.DataFrame) -> set[tuple[str, str]]:
    return set(rows[ITEM].astype(str).itertuples(index=False, name=None))
