"""What choosing models by their screens would have done, and what it says of a family that was not seen."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger import forecasts
from headcount.ledger.families import by_family, effective_families
from headcount.ledger.reorder import reorder_audit
from headcount.ledger.selection import selection_utility
from headcount.schema import FORECASTS, REORDERINGS, SELECTION, Table
from headcount.schema.screens import BANDS, COHORT
from headcount.seeds import seed64

_NAMES = {"alpha_tot": "alpha", "initial_accuracy": "init_acc"}  # as the audits call them
_KEPT = ["model", "family", *_NAMES, "collapses", "initially_correct", "collapse", "simulated"]
_FOUR = 4  # families that a line through all but one, with an interval, needs


def reorderings(rows: pd.DataFrame) -> pd.DataFrame:
    """The reorder audit of every cohort.

    Args:
        rows: rows of `schema.MODEL_ROWS`.

    Returns:
        rows of `schema.REORDERINGS`; simulated where either model is.
    """
    frames = []
    for key, here in _cohorts(rows):
        simulated = here.set_index("model")["simulated"]
        found = reorder_audit(here).rename(columns={"other": "model_other"})
        made_up = [bool(simulated[list(pair)].any()) for pair in zip(found["model"], found["model_other"], strict=True)]
        frames.append(found.assign(**key, simulated=made_up))
    return _table(frames, REORDERINGS)


def selection(rows: pd.DataFrame) -> pd.DataFrame:
    """What choosing by the screen would have done, for every cohort.

    Args:
        rows: rows of `schema.MODEL_ROWS`.

    Returns:
        rows of `schema.SELECTION`; without a split where there is one model.
    """
    frames = []
    for key, here in _cohorts(rows):
        about = {"models": len(here), "families": here["family"].nunique(), "simulated": here["simulated"].any()}
        found: dict[str, Any] = {"effective_families": effective_families(here["family"].tolist())}
        if len(here) > 1:
            found |= vars(selection_utility(here))
        frames.append(pd.DataFrame([{**key, **about, **found}]).reindex(columns=SELECTION.schema.names))
    return _table(frames, SELECTION)


def family_forecasts(rows: pd.DataFrame, fitting: Fitting, draws: int = forecasts.DRAWS) -> pd.DataFrame:
    """Each family's collapse, forecast from the others, for every cohort.

    Args:
        rows: rows of `schema.MODEL_ROWS`.
        fitting: the seed of what is drawn. Coverages are those of `forecasts.LEVELS`.
        draws: of collapse rates, a family.

    Returns:
        rows of `schema.FORECASTS`; without a forecast where a line through the other families says nothing: with fewer
        than four families, or where the others share one alpha_tot; without bands where the others lie on a line, which
        tells nothing of how far off the next may be.
    """
    return _table([_forecast(here, fitting, draws).assign(**key) for key, here in _cohorts(rows)], FORECASTS)


def _forecast(rows: pd.DataFrame, fitting: Fitting, draws: int) -> pd.DataFrame:
    means = by_family(rows, ["alpha", "collapse"])
    of = rows.groupby("family", sort=True)
    frame = means.assign(models=of.size(), simulated=bool(rows["simulated"].any()))
    frame = frame.rename(columns={"alpha": "alpha_tot", "collapse": "observed"})
    x, y = (means[name].to_numpy(dtype=np.float64) for name in ("alpha", "collapse"))
    if x.size >= _FOUR and all(np.ptp(np.delete(x, left)) > 0 for left in range(x.size)):
        line = forecasts.leave_one_out_line(x, y).set_index(means.index)
        bands = line[list(BANDS)]
        exact = np.isclose(bands.max(axis=1), bands.min(axis=1), rtol=0, atol=1e-9)  # a line without residuals
        line.loc[exact, list(BANDS)] = np.nan
        rng = np.random.default_rng(seed64(fitting.seed, "forecasts", *sorted(rows["model"])))
        noisy = forecasts.propagated(rows, rng, draws).add_prefix("noisy_")
        frame = frame.join(line[["predicted", *BANDS]]).join(noisy)
    return frame.reset_index().reindex(columns=FORECASTS.schema.names)


def _cohorts(rows: pd.DataFrame) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Models of each cohort that have all that the audits need, columns named as they name them."""
    for key, own in rows.groupby(list(COHORT), observed=True):
        here = own[_KEPT].dropna().rename(columns=_NAMES)
        yield dict(zip(COHORT, key, strict=True)), here.sort_values("model", ignore_index=True).infer_objects()


def _table(frames: list[pd.DataFrame], table: Table) -> pd.DataFrame:
    nothing = pd.DataFrame(columns=table.schema.names).astype(object)
    return pd.concat([nothing, *frames], ignore_index=True)
