"""How well a run's debates tell, before they end, that a right majority will be lost: team by team, and together."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.localisation import AtRisk, By, areas, at_risk
from headcount.ledger.parts import Part, ranked, stacked
from headcount.ledger.probe_features import PRE_DEBATE_PROBED, PROBED
from headcount.ledger.saved_run import COHORT, MIXED
from headcount.ledger.trajectories import PRE_DEBATE, ROUND_1, before
from headcount.measures.arrays import IntArray
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
    parts = (part for key, rows in debates.groupby(COHORT) for part in _cohort(rows, key, fitting))
    return stacked(parts, LOCALISATION.schema.names, "features")


def _cohort(rows: pd.DataFrame, key: tuple[Any, ...], fitting: Fitting) -> Iterator[Part]:
    """Each team, then all teams of one model; nothing of those who were never right at first."""
    risked, collapse = at_risk(rows)
    probed = risked["probe_mean_fr"].notna().to_numpy()
    every = AtRisk.of(risked, collapse, feature_sets(int(key[-1]), probed=bool(probed.any())))
    for team, by, place, simulated in _groups(rows, risked):
        few = int(probed[place].sum())
        own = every.at(place, feature_sets(int(key[-1]), probed=few > 0))
        about = dict(zip(COHORT, key, strict=True)) | {"team": team, "folds": by, "probed": few}
        seed = seed64(fitting.seed, team, by, *key)
        yield _localised(own, by, seed, fitting) | about | {"simulated": simulated}


def _groups(rows: pd.DataFrame, risked: pd.DataFrame) -> Iterator[tuple[str, By, IntArray, bool]]:
    """Who is told of together: a name, the folds, places among those at risk, and whether no model answered."""
    team, names = ranked(risked["team"])
    simulated = set(rows.loc[rows["simulated"], "team"])
    for number, name in enumerate(names.tolist()):
        yield name, "question", np.flatnonzero(team == number), name in simulated
    of_one = rows[rows["model"] != MIXED]
    place = np.flatnonzero(risked["model"] != MIXED)
    if place.size:
        any_simulated = bool(of_one["simulated"].any())
        yield ALL, "question", place, any_simulated
        if of_one["model"].nunique() > 1:
            yield ALL, "question_and_model", place, any_simulated


def _localised(risked: AtRisk, by: By, seed: int, fitting: Fitting) -> dict[str, object]:
    """A row for each set of features."""
    size, collapses = risked.collapse.size, int(risked.collapse.sum())
    items = int(risked.question.max(initial=-1)) + 1
    found: dict[str, object] = {"features": list(risked.sets)}
    if min(collapses, size - collapses) >= FEW:
        found |= areas(risked, np.random.default_rng(seed), by, draws=fitting.bootstrap, confidence=fitting.confidence)
    return found | {"debates": size, "collapses": collapses, "n_items": items}
