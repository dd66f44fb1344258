"""What every gate would have done with a run's debates, cell by cell and with all teams and tasks taken together.

Gates of a cell share their denominator. A gate reads what is over when the last round begins (`saved_run.blind`). Two
kinds know how debates ended, and say so: the oracles are bounds, and shields are chosen on what they are scored on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from headcount.config import Fitting
from headcount.ledger.gates import GATES, KNOWS, fire
from headcount.ledger.learned import LEARNED, Learned, learn, learnable
from headcount.ledger.parts import Part, ranked, stacked
from headcount.ledger.replay import Replayed, freezes, labelled, together
from headcount.ledger.saved_run import COHORT, MIXED, QUESTION, blind, numbered
from headcount.ledger.scoring import LEDGER, Resampled, scored
from headcount.ledger.shields import IN_SAMPLE, in_sample_shields
from headcount.measures.arrays import BoolArray, IntArray
from headcount.schema import GATE_OUTCOMES
from headcount.schema.ledger import ALL, Knows

BOUNDS = tuple(name for name, knows in KNOWS.items() if knows == "end")
AFTER_R1 = tuple(name for name, knows in KNOWS.items() if knows == "round_1")  # they act before R2

_LEARNED: dict[str, Knows] = {name: method.knows for name, method in LEARNED.items()}
_SHIELDS: dict[str, Knows] = dict.fromkeys(IN_SAMPLE, "in_sample")
KNOWN: dict[str, Knows] = KNOWS | _LEARNED | _SHIELDS  # what each gate of a run decides by


def gate_outcomes(debates: pd.DataFrame, fitting: Fitting) -> pd.DataFrame:
    """Replay every gate on every cell.

    Args:
        debates: rows of `saved_run.team_debates` of all teams.
        fitting: how sure we are: coverage, number of resamples, and their seed.

    Returns:
        rows of `schema.GATE_OUTCOMES`. Cells are of a team and task. Under the name ALL stand all teams of one model:
        those with enough debates where a gate is learned, else whoever there is. A gate that could not be learned has
        a row there without counts; one that reads probes, where any question was probed.
    """
    debates = numbered(debates)
    drawn = {cell: _drawn(debates, place, cell, fitting) for cell, place in _cells(debates)}
    if drawn:
        drawn[ALL, ALL] = _drawn(debates, np.arange(len(debates)), (ALL, ALL), fitting)
    parts = (
        {**part, **dict(zip(COHORT, key, strict=True))}
        for key, rows in labelled(debates).groupby(COHORT, observed=True)
        for part in _cohort(rows.reset_index(drop=True), int(rows["round"].iloc[0]), drawn)
    )
    found = stacked(parts, [name for name in GATE_OUTCOMES.schema.names if name != "knows"], "gate")
    return found.assign(knows=found["gate"].map(KNOWN))


def _drawn(debates: pd.DataFrame, place: IntArray, cell: tuple[str, str], fitting: Fitting) -> Resampled:
    return Resampled.named(np.unique(debates[QUESTION].to_numpy()[place]), *cell, fitting)


def fixed_gates(rows: pd.DataFrame, endpoint: int) -> dict[str, BoolArray]:
    """Which debates each registered gate freezes; without those that would read the round that decides.

    Args:
        rows: labelled debates.
        endpoint: the round that they are judged at.
    """
    known = blind(rows, endpoint)
    names = [name for name in GATES if endpoint > 2 or name not in AFTER_R1]
    return {name: fire(name, rows if name in BOUNDS else known) for name in names}


def _cohort(rows: pd.DataFrame, endpoint: int, drawn: Mapping[tuple[str, str], Resampled]) -> Iterator[Part]:
    """Debates of one condition, shape and endpoint: each team and task, then all."""
    fixed = freezes(rows, fixed_gates(rows, endpoint))
    learned, models = learn(rows, endpoint), _models(rows)
    debates = _Debates.of(rows)
    for (team, task), place in _cells(rows):
        own = {name: gate for name, gate in learned.items() if gate.known[place].all()}
        rules = {name: gate.rules[str(debates.model[place[0]])] for name, gate in own.items()}
        part = _scored(debates, place, _replays(fixed, own), rules, drawn[team, task])
        yield _named(part, team, task, models)
    of_one = np.flatnonzero(_of_one_model(rows, learned))
    if of_one.size:
        part = _scored(debates, of_one, _replays(fixed, learned), {}, drawn[ALL, ALL])
        for some in (part, *_not_learned(rows, part, learned, endpoint)):
            yield _named(some, ALL, ALL, models)


def _models(rows: pd.DataFrame) -> dict[str, int]:
    """Models that each gate could be learned from; of a fixed one, those that any could."""
    found = {probed: int(rows["model"].iloc[learnable(rows, probed=probed)].nunique()) for probed in (False, True)}
    return dict.fromkeys(KNOWN, found[False]) | {name: found[method.probed] for name, method in LEARNED.items()}


def _of_one_model(rows: pd.DataFrame, learned: Mapping[str, Learned]) -> BoolArray:
    """Debates, (rows,), of teams of one model: with enough debates where a gate was learned, so that all are scored on
    the same."""
    own = (rows["model"] != MIXED).to_numpy()
    return learned["learned_r0_stump"].known if "learned_r0_stump" in learned else own


def _cells(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, str], IntArray]]:
    """Teams and tasks, and the places of their debates."""
    (team, teams), (task, tasks) = (ranked(rows[name]) for name in ("team", "task"))
    cell = team * tasks.size + task
    order = np.argsort(cell, kind="stable")
    for place in np.split(order, np.flatnonzero(np.diff(cell[order])) + 1):
        if place.size:
            yield (str(teams[team[place[0]]]), str(tasks[task[place[0]]])), place


@dataclass(frozen=True)
class _Debates:
    """Debates of a cohort, and columns of theirs as arrays."""

    rows: pd.DataFrame
    model: NDArray[np.object_]
    question: IntArray
    probed: BoolArray
    simulated: BoolArray

    @classmethod
    def of(cls, rows: pd.DataFrame) -> "_Debates":
        model, question, simulated = (rows[name].to_numpy() for name in ("model", QUESTION, "simulated"))
        return cls(rows, model, question, rows["probe_mean_fr"].notna().to_numpy(), simulated)


def _replays(fixed: Mapping[str, Replayed], learned: Mapping[str, Learned]) -> dict[str, Replayed]:
    return dict(fixed) | {name: gate.replayed for name, gate in learned.items()}


def _scored(
    debates: _Debates,
    place: IntArray,
    replays: Mapping[str, Replayed],
    rules: Mapping[str, str],
    drawn: Resampled,
) -> dict[str, object]:
    """All gates on some of the rows, and shields that are chosen on just these."""
    shields = in_sample_shields(debates.rows.iloc[place]) if debates.probed[place].any() else {}
    own = {name: replay.at(place) for name, replay in replays.items()}
    own |= {name: replay for name, (replay, _) in shields.items()}
    told = dict(rules) | {name: rule for name, (_, rule) in shields.items()}
    question = np.searchsorted(drawn.questions, debates.question[place])
    about = {"gate": list(own), "rule": [told.get(name) for name in own]}
    about["simulated"] = bool(debates.simulated[place].any())
    return about | scored(together(list(own.values())), question, drawn)


def _named(part: Part, team: str, task: str, models: Mapping[str, int]) -> dict[str, object]:
    of_gates = [models[name] for name in cast(list[str], part["gate"])]
    return dict(part) | {"team": team, "task": task, "models": of_gates}


def _not_learned(
    rows: pd.DataFrame, part: Part, learned: Mapping[str, Learned], endpoint: int
) -> Iterator[dict[str, object]]:
    """Rows of gates that there were too few models for: the ledger, and no count."""
    probed = bool(rows["probe_mean_fr"].notna().any())  # where nothing was, nobody asks for a gate that reads probes
    for name, method in LEARNED.items():
        if name not in learned and method.applies(endpoint) and (probed or not method.probed):
            yield {column: part[column] for column in (*LEDGER, "simulated")} | {"gate": [name]}
