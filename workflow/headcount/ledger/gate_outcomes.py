"""What every gate would have done with a run's debates, cell by cell and with all teams and tasks taken together.

Gates of a cell share their denominator. A gate reads what is over when the last round begins (`saved_run.blind`). Two
kinds know how debates ended, and say so: the oracles are bounds, and shields are chosen on what they are scored on.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.gates import GATES, KNOWS, fire
from headcount.ledger.learned import LEARNED, Learned, learn, learnable
from headcount.ledger.replay import Replayed, freeze, labelled
from headcount.ledger.saved_run import COHORT, MIXED, blind
from headcount.ledger.scoring import LEDGER, Resampled, score
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
    drawn = {cell: Resampled.of(debates.iloc[place], *cell, fitting) for cell, place in _cells(debates)}
    if drawn:
        drawn[ALL, ALL] = Resampled.of(debates, ALL, ALL, fitting)
    frames = [
        frame.assign(**rows.iloc[0][COHORT])
        for _, rows in labelled(debates).groupby(COHORT)
        for frame in _cohort(rows.reset_index(drop=True), int(rows["round"].iloc[0]), drawn)
    ]
    nothing = pd.DataFrame(columns=GATE_OUTCOMES.schema.names).astype(object)
    return pd.concat([nothing, *frames], ignore_index=True)


def fixed_gates(rows: pd.DataFrame, endpoint: int) -> dict[str, BoolArray]:
    """Which debates each registered gate freezes; without those that would read the round that decides.

    Args:
        rows: labelled debates.
        endpoint: the round that they are judged at.
    """
    known = blind(rows, endpoint)
    names = [name for name in GATES if endpoint > 2 or name not in AFTER_R1]
    return {name: fire(name, rows if name in BOUNDS else known) for name in names}


def _cohort(rows: pd.DataFrame, endpoint: int, drawn: Mapping[tuple[str, str], Resampled]) -> Iterator[pd.DataFrame]:
    """Debates of one condition, shape and endpoint: each team and task, then all."""
    fixed = {name: freeze(rows, fired) for name, fired in fixed_gates(rows, endpoint).items()}
    learned, models = learn(rows, endpoint), _models(rows)
    for (team, task), place in _cells(rows):
        own = {name: gate for name, gate in learned.items() if gate.known[place].all()}
        rules = {name: gate.rules[str(rows["model"].iloc[place[0]])] for name, gate in own.items()}
        frame = _scored(rows, place, fixed, own, rules, drawn[team, task])
        yield frame.assign(team=team, task=task, models=frame["gate"].map(models))
    together = np.flatnonzero(_of_one_model(rows, learned))
    if together.size:
        frame = _scored(rows, together, fixed, learned, {}, drawn[ALL, ALL])
        frame = pd.concat([frame, *_not_learned(rows, frame, learned, endpoint)], ignore_index=True)
        yield frame.assign(team=ALL, task=ALL, models=frame["gate"].map(models))


def _models(rows: pd.DataFrame) -> dict[str, int]:
    """Models that each gate could be learned from; of a fixed one, those that any could."""
    found = {name: int(learnable(rows, method)["model"].nunique()) for name, method in LEARNED.items()}
    return dict.fromkeys(KNOWN, found["learned_r0_stump"]) | found


def _of_one_model(rows: pd.DataFrame, learned: Mapping[str, Learned]) -> BoolArray:
    """Debates, (rows,), of teams of one model: with enough debates where a gate was learned, so that all are scored on
    the same."""
    own = (rows["model"] != MIXED).to_numpy()
    return learned["learned_r0_stump"].known if "learned_r0_stump" in learned else own


def _cells(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, str], IntArray]]:
    """Teams and tasks, and the places of their debates."""
    names = rows["team"].astype(str) + "\0" + rows["task"].astype(str)
    for cell, place in names.groupby(names).indices.items():
        team, task = str(cell).split("\0")
        yield (team, task), np.asarray(place)


def _scored(
    rows: pd.DataFrame,
    place: IntArray,
    fixed: Mapping[str, Replayed],
    learned: Mapping[str, Learned],
    rules: Mapping[str, str],
    drawn: Resampled,
) -> pd.DataFrame:
    """All gates on some of the rows, and shields that are chosen on just these."""
    here = rows.iloc[place]
    shields = in_sample_shields(here)
    replays = dict(fixed) | {name: gate.replayed for name, gate in learned.items()}
    own = {name: replay.at(place) for name, replay in replays.items()}
    frame = score(here, own | {name: replay for name, (replay, _) in shields.items()}, drawn)
    told = dict(rules) | {name: rule for name, (_, rule) in shields.items()}
    return frame.assign(knows=frame["gate"].map(KNOWN), rule=frame["gate"].map(told))


def _not_learned(
    rows: pd.DataFrame, frame: pd.DataFrame, learned: Mapping[str, Learned], endpoint: int
) -> Iterator[pd.DataFrame]:
    """Rows of gates that there were too few models for: the ledger, and no count."""
    probed = bool(rows["probe_mean_fr"].notna().any())  # where nothing was, nobody asks for a gate that reads probes
    for name, method in LEARNED.items():
        if name not in learned and method.applies(endpoint) and (probed or not method.probed):
            row = frame[[*LEDGER, "n_items", "simulated"]].iloc[:1]
            yield row.assign(gate=name, knows=method.knows, rule=None)
