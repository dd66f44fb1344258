"""Somebody else's gate on a finished run: the debates that it must decide about, and what its decisions are worth."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.errors import UserError
from headcount.ledger.gate_outcomes import fixed_gates
from headcount.ledger.replay import Replayed, freeze, labelled
from headcount.ledger.saved_run import COHORT, MIXED, blind, team_debates
from headcount.ledger.scoring import Resampled, score
from headcount.ledger.third_party import ANSWER, read_actions, score_actions
from headcount.measures.arrays import IntArray
from headcount.publish.ledger_cells import cells
from headcount.publish.tables.gate_replay import arrange
from headcount.schema import ANSWERS, GATE_OUTCOMES, ITEMS, TRANSITIONS
from headcount.schema.ledger import ALL
from headcount.store import plain, read

BESIDE = ("oracle", "always_freeze")  # what a reader compares a gate with
CELL = ["team", "task", "condition", "n", "k", "round"]


@dataclass(frozen=True)
class Chosen:
    """Which debates of a run; a gate decides about all of them, so that denominators are the same for everybody.

    Attributes:
        results: the run's folder.
        condition: that they are of.
        n: agents; None for all sizes of two and more.
    """

    results: Path
    condition: str = "debate"
    n: int | None = None

    def debates(self) -> pd.DataFrame:
        """Debates with all peers heard, of every team, each at its cell's headline endpoint; labelled or not.

        Raises:
            UserError: where the run is not there, or has no such debate.
        """
        teams = [cells(team) for team in self._teams()]
        rows = [team[(team["condition"] == self.condition) & (team["n"] == (self.n or team["n"]))] for team in teams]
        if not sum(map(len, rows)):
            size = f" of {self.n} agents" if self.n else ""
            raise UserError(f"{self.results}: there are no debates of teams{size} in condition {self.condition!r}.")
        return pd.concat(rows, ignore_index=True)

    def _teams(self) -> Iterator[pd.DataFrame]:
        outcomes = plain(read(self.results / "gate_outcomes.parquet", GATE_OUTCOMES))
        for team, simulated in outcomes[outcomes["team"] != ALL].groupby("team")["simulated"].first().items():
            ends = read(self.results / "transitions" / f"{team}.parquet", TRANSITIONS)
            said = read(self.results / "answers" / f"{team}.parquet", ANSWERS)
            yield team_debates(ends, said, simulated=bool(simulated))


def to_decide(debates: pd.DataFrame) -> pd.DataFrame:
    """What a gate may know of each debate: `source`, `question_id`, who debates, features of rounds before the last."""
    parts = [blind(rows, int(rows["round"].iloc[0])).drop(columns="model") for _, rows in debates.groupby("round")]
    rows = pd.concat(parts, ignore_index=True)
    names = ["source", "question_id"]
    return rows[[*names, *rows.columns.drop(names)]]


def score_file(path: Path, chosen: Chosen) -> pd.DataFrame:
    """Rows as of the table `gate_replay` for a file of actions, beside the oracle and no debate at all.

    Intervals are those of the default fitting. All teams of one model stand together too.

    Args:
        path: see `ledger.third_party`.
        chosen: the debates that it decides about.

    Raises:
        UserError: where a row is wrong, missing or twice; nothing is scored then.
    """
    debates = chosen.debates()
    actions = read_actions(path, debates)
    debates = debates.assign(gold=_gold(debates, actions, chosen.results))
    scored = score_actions(debates, actions)
    rows = labelled(debates)
    if rows.empty:
        raise UserError(f"{chosen.results}: none of these debates has an answer at both ends.")
    frames = [_scored(rows, scored, place, path.name) for place in _places(rows, CELL)]
    of_one = (rows["model"] != MIXED).to_numpy()
    together = [place[of_one[place]] for place in _places(rows, COHORT)]
    frames += [_scored(rows, scored, place, path.name).assign(team=ALL, task=ALL) for place in together if place.size]
    return arrange(pd.concat(frames))


def _places(rows: pd.DataFrame, keys: list[str]) -> list[IntArray]:
    return [np.asarray(place) for place in rows.groupby(keys).indices.values()]


def _scored(rows: pd.DataFrame, scored: Replayed, place: IntArray, name: str) -> pd.DataFrame:
    here = rows.iloc[place]
    known = fixed_gates(here, int(here["round"].iloc[0]))
    theirs = Replayed(*(part[place] for part in (scored.fired, scored.initial, scored.final, scored.after)))
    gates = {name: theirs} | {gate: freeze(here, known[gate]) for gate in BESIDE}
    team, task, *_ = cell = here.iloc[0][CELL].tolist()
    frame = score(here, gates, Resampled.of(here, team, task, Fitting()))
    return frame.assign(**dict(zip(CELL, cell, strict=True)), models=0, rule=None)


def _gold(debates: pd.DataFrame, actions: Iterable[str], results: Path) -> "pd.Series[str]":
    """The right answer to each question, which only actions that answer need."""
    if not any(action.startswith(ANSWER) for action in actions):
        return pd.Series("", index=debates.index)
    items = {task: plain(read(results / "items" / f"{task}.parquet", ITEMS)) for task in debates["task"].unique()}
    known = {f"{task}/{row.item}": row.gold for task, rows in items.items() for row in rows.itertuples()}
    return debates["question_id"].map(known)
