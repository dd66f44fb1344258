"""What every gate would have done with a run's debates, cell by cell and with all teams and tasks taken together.

Gates of a cell share their denominator. A gate reads what is over when the last round begins (`saved_run.blind`); the
two oracles alone read how debates ended.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.gates import GATES, fire
from headcount.ledger.learned import LEARNED, Learned, eligible_models, learn
from headcount.ledger.replay import freeze, labelled
from headcount.ledger.saved_run import COHORT, MIXED, blind
from headcount.ledger.scoring import LEDGER, Resampled, score
from headcount.measures.arrays import BoolArray, IntArray
from headcount.schema import GATE_OUTCOMES
from headcount.schema.ledger import ALL

BOUNDS = ("oracle", "anti_oracle")  # they read how debates ended
AFTER_R1 = ("r1_majority_changed", "any_r1_flip", "r1_aware")  # they read R1, and act before R2


def gate_outcomes(debates: pd.DataFrame, fitting: Fitting) -> pd.DataFrame:
    """Replay every gate on every cell.

    Args:
        debates: rows of `saved_run.team_debates` of all teams.
        fitting: how sure we are: coverage, number of resamples, and their seed.

    Returns:
        rows of `schema.GATE_OUTCOMES`. Cells are of a team and task. Under the name ALL stand all teams of one model:
        those with enough debates where a gate is learned, else whoever there is. A gate that could not be learned has
        a row there without counts.
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
    fired, learned = fixed_gates(rows, endpoint), learn(rows, endpoint)
    models = len(eligible_models(rows))
    for (team, task), place in _cells(rows):
        own = {name: gate for name, gate in learned.items() if gate.known[place].all()}
        frame = _scored(rows, fired | _fired(own), place, drawn[team, task])
        rules = frame["gate"].map({name: gate.rule(str(rows["model"].iloc[place[0]])) for name, gate in own.items()})
        yield frame.assign(team=team, task=task, models=models, rule=rules)
    together = next(iter(learned.values())).known if learned else (rows["model"] != MIXED).to_numpy()
    if together.any():
        frame = _scored(rows, fired | _fired(learned), np.flatnonzero(together), drawn[ALL, ALL])
        frames = [frame, *_not_learned(frame, learned, endpoint)]
        yield pd.concat(frames).assign(team=ALL, task=ALL, models=models, rule=None)


def _cells(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, str], IntArray]]:
    """Teams and tasks, and the places of their debates."""
    names = rows["team"].astype(str) + "\0" + rows["task"].astype(str)
    for cell, place in names.groupby(names).indices.items():
        team, task = str(cell).split("\0")
        yield (team, task), np.asarray(place)


def _scored(rows: pd.DataFrame, fired: Mapping[str, BoolArray], place: IntArray, drawn: Resampled) -> pd.DataFrame:
    here = rows.iloc[place]
    return score(here, {name: freeze(here, mask[place]) for name, mask in fired.items()}, drawn)


def _fired(learned: Mapping[str, Learned]) -> dict[str, BoolArray]:
    return {name: gate.fired for name, gate in learned.items()}


def _not_learned(frame: pd.DataFrame, learned: Mapping[str, Learned], endpoint: int) -> Iterator[pd.DataFrame]:
    """Rows of gates that there were too few models for: the ledger, and no count."""
    for name, features in LEARNED.items():
        if features(endpoint) and name not in learned:
            yield frame[[*LEDGER, "n_items", "simulated"]].iloc[:1].assign(gate=name)
