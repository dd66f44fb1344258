"""How well a run's debates tell, before they end, that a right majority will be lost: team by team, and together.

Questions are drawn once for a team, and once for all teams of one model: all its conditions, sizes, endpoints and sets
of features share the draws, as in `measures.intervals`. Draws of a cohort's own would move the ends of intervals by
Monte Carlo error alone, and no area.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.localisation import AtRisk, By, areas, at_risk, with_each_once
from headcount.ledger.parts import Part, ranked, stacked
from headcount.ledger.probe_features import PRE_DEBATE_PROBED, PROBED
from headcount.ledger.saved_run import COHORT, MIXED, QUESTION, numbered
from headcount.ledger.trajectories import PRE_DEBATE, ROUND_1, before
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import Percentile, shared_weights
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
    debates = numbered(debates)
    drawn, (risked, _) = _drawn(debates, fitting), at_risk(debates)
    cohorts = risked.groupby(COHORT, observed=True)
    parts = (part for key, rows in cohorts for part in _cohort(rows, key, drawn, fitting))
    return stacked(parts, LOCALISATION.schema.names, "features")


@dataclass(frozen=True)
class _Drawn:
    """Questions drawn anew.

    Attributes:
        questions: all of a team's, numbered in order of name.
        weights: (1 + draws, questions), from `with_each_once`.
    """

    questions: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, question: IntArray, team: str, fitting: Fitting) -> "_Drawn":
        """Of the questions of a team's debates, (debates,)."""
        questions = np.unique(question)
        weights = shared_weights(Percentile(fitting.bootstrap), questions.size, fitting.seed, team, ALL)
        return cls(questions, with_each_once(weights))

    def areas(self, risked: AtRisk, by: By, seed: int, confidence: float) -> dict[str, FloatArray]:
        """See `localisation.areas`; questions of these debates are numbered as `questions` are."""
        own = replace(risked, question=np.searchsorted(self.questions, risked.question))
        return areas(own, self.weights, np.random.default_rng(seed), by, confidence=confidence)


def _drawn(debates: pd.DataFrame, fitting: Fitting) -> dict[str, _Drawn]:
    """The draws of each team, and under ALL those of all."""
    question, (team, names) = debates[QUESTION].to_numpy(), ranked(debates["team"])
    of_team = {name: question[team == number] for number, name in enumerate(names.tolist())}
    return {name: _Drawn.of(own, name, fitting) for name, own in (of_team | {ALL: question}).items() if own.size}


def _cohort(
    risked: pd.DataFrame, key: tuple[Any, ...], drawn: Mapping[str, _Drawn], fitting: Fitting
) -> Iterator[Part]:
    """Each team, then all teams of one model; nothing of those who were never right at first."""
    probed = risked["probe_mean_fr"].notna().to_numpy()
    sets = feature_sets(int(key[-1]), probed=bool(probed.any()))
    every = AtRisk.of(risked, risked["final_correct"].to_numpy() == 0, risked[QUESTION].to_numpy(), sets)
    for team, by, place, simulated in _groups(risked):
        few = int(probed[place].sum())
        own = every.at(place, feature_sets(int(key[-1]), probed=few > 0))
        about = dict(zip(COHORT, key, strict=True)) | {"team": team, "folds": by, "probed": few}
        found: dict[str, object] = {"features": list(own.sets)}
        if _enough(own):
            found |= drawn[team].areas(own, by, seed64(fitting.seed, team, by, *key), fitting.confidence)
        yield found | _sizes(own) | about | {"simulated": simulated}


def _groups(risked: pd.DataFrame) -> Iterator[tuple[str, By, IntArray, bool]]:
    """Who is told of together: a name, the folds, places, and whether no model gave some of these debates."""
    team, names = ranked(risked["team"])
    simulated = risked["simulated"].to_numpy()
    for number, name in enumerate(names.tolist()):
        place = np.flatnonzero(team == number)
        yield name, "question", place, bool(simulated[place].any())
    of_one = np.flatnonzero(risked["model"] != MIXED)
    if of_one.size:
        yield ALL, "question", of_one, bool(simulated[of_one].any())
        if risked["model"].iloc[of_one].nunique() > 1:
            yield ALL, "question_and_model", of_one, bool(simulated[of_one].any())


def _enough(risked: AtRisk) -> bool:
    collapses = int(risked.collapse.sum())
    return min(collapses, risked.collapse.size - collapses) >= FEW


def _sizes(risked: AtRisk) -> dict[str, int]:
    collapses, items = int(risked.collapse.sum()), np.unique(risked.question).size
    return {"debates": risked.collapse.size, "collapses": collapses, "n_items": items}
