"""How well a run's debates tell, before they end, that a right majority will be lost: team by team, and together."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.localisation import By, at_risk, localise
from headcount.ledger.probe_features import PRE_DEBATE_PROBED, PROBED
from headcount.ledger.saved_run import COHORT, MIXED
from headcount.ledger.trajectories import PRE_DEBATE, ROUND_1, before
from headcount.schema import LOCALISATION
from headcount.schema.ledger import ALL
from headcount.seeds import seed64

FEW = 10  # collapses, or debates that stayed right: with fewer a fold has next to none, and an area tells of the folds


def feature_sets(endpoint: int, *, probed: bool) -> dict[str, list[str]]:
    """Sets by name: each round with more than the one before, then with probes; the round that decides is in none.

    No rate of probes that needs the right answer is among them.

    Args:
        endpoint: the round that debates are judged at.
        probed: with the sets that read probes.
    """
    rounds = {"first_answers": PRE_DEBATE, "round_1": ROUND_1, "all_but_last": before(endpoint)}
    sets = {name: rounds[name] for name in list(rounds)[: endpoint - 1]}
    if probed:
        early = [*PRE_DEBATE, *PRE_DEBATE_PROBED]
        both = {"probes": early, "probes_round_1": list(dict.fromkeys([*ROUND_1, *early, *PROBED]))}
        sets |= {name: both[name] for name in list(both)[: endpoint - 1]}
    return sets


def localisation(debates: pd.DataFrame, fitting: Fitting) -> pd.DataFrame:
    """Areas under the curve of every condition, shape and endpoint.

    Args:
        debates: rows of `saved_run.team_debates` of all teams.
        fitting: coverage, number of resamples, and their seed.

    Returns:
        rows of `schema.LOCALISATION`, of sets with probes where any question was probed; without an area where fewer
        than FEW collapsed or stayed right. Under the name ALL stand all teams of one model; there folds are made of
        questions, and of questions and models too: scores then come from other questions and other models.
    """
    frames = [frame for key, rows in debates.groupby(COHORT) for frame in _cohort(rows, key, fitting)]
    nothing = pd.DataFrame(columns=LOCALISATION.schema.names).astype(object)
    return pd.concat([nothing, *frames], ignore_index=True)


def _cohort(rows: pd.DataFrame, key: tuple[Any, ...], fitting: Fitting) -> Iterator[pd.DataFrame]:
    for team, own in rows.groupby("team"):
        yield from _localised(own, str(team), "question", key, fitting)
    of_one = rows[rows["model"] != MIXED]
    if len(of_one):
        yield from _localised(of_one, ALL, "question", key, fitting)
    if of_one["model"].nunique() > 1:
        yield from _localised(of_one, ALL, "question_and_model", key, fitting)


def _localised(rows: pd.DataFrame, team: str, by: By, key: tuple[Any, ...], fitting: Fitting) -> Iterator[pd.DataFrame]:
    """A row for each set of features; none where no debate was right at first."""
    risked, collapsed = at_risk(rows)
    if risked.empty:
        return
    probed = int(risked["probe_mean_fr"].notna().sum())
    sets = feature_sets(int(key[-1]), probed=probed > 0)
    found = pd.DataFrame({"features": list(sets)}).assign(debates=len(risked), collapses=int(collapsed.sum()))
    if min(collapsed.sum(), (~collapsed).sum()) >= FEW:
        rng = np.random.default_rng(seed64(fitting.seed, team, by, *key))
        found = localise(rows, sets, rng, by, draws=fitting.bootstrap, confidence=fitting.confidence)
    about = dict(zip(COHORT, key, strict=True)) | {"team": team, "folds": by}
    items, simulated = risked["question_id"].nunique(), bool(rows["simulated"].any())
    yield found.reindex(columns=_FOUND).assign(**about, probed=probed, n_items=items, simulated=simulated)


_FOUND = ["features", "auc", "low", "high", "gain", "gain_low", "gain_high", "debates", "collapses"]
