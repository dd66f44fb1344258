"""Somebody else's gate on a finished run: the debates that it must decide about, and what its decisions are worth."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.errors import UserError
from headcount.ledger.gate_outcomes import fixed_gates
from headcount.ledger.gates import KNOWS
from headcount.ledger.probe_features import read_probe_features
from headcount.ledger.replay import Replayed, freeze, labelled
from headcount.ledger.saved_run import COHORT, MIXED, OF_TRANSITIONS, blind, team_debates
from headcount.ledger.scoring import Resampled, score
from headcount.ledger.third_party import read_actions, score_actions
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

        Returns:
            rows of `team_debates` with `gold`, the right answer, null where it is not at hand.

        Raises:
            UserError: where the run is not there, or has no such debate.
        """
        teams = list(self._teams())
        chosen = [own[(own["condition"] == self.condition) & (own["n"] == (self.n or own["n"]))] for own, _ in teams]
        if not sum(map(len, chosen)):
            size = f" of {self.n} agents" if self.n else ""
            raise UserError(f"{self.results}: there are no debates of teams{size} in condition {self.condition!r}.")
        rows: pd.DataFrame = pd.concat(chosen, ignore_index=True)
        gold = _gold(self.results, set(rows["task"]), pd.concat([right for _, right in teams]))
        return rows.assign(gold=rows["question_id"].map(gold))

    def _teams(self) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """Each team's debates, and the right answers that its agents gave."""
        outcomes = plain(read(self.results / "gate_outcomes.parquet", GATE_OUTCOMES))
        for team, simulated in outcomes[outcomes["team"] != ALL].groupby("team")["simulated"].first().items():
            ends = read(self.results / "transitions" / f"{team}.parquet", TRANSITIONS, OF_TRANSITIONS)
            said = read(self.results / "answers" / f"{team}.parquet", ANSWERS, ["model", "answer", "correct"])
            models = sorted(said["model"].unique().to_pylist())
            probed = read_probe_features(self._probes(models))
            right = plain(said.filter(said["correct"]).select(["task", "item", "answer"])).drop_duplicates()
            own = models[0] if len(models) == 1 else MIXED
            yield cells(team_debates(ends, own, probed, simulated=bool(simulated))), right

    def _probes(self, models: Iterable[str]) -> list[Path]:
        """The files of probes of a team's models; a run has those of the models that it screened."""
        return [path for model in models for path in sorted((self.results / "probes" / model).glob("*.parquet"))]


def to_decide(debates: pd.DataFrame) -> pd.DataFrame:
    """What a gate may know of each debate: `source`, `question_id`, who debates, features of what was before the last
    round; those that no debate has, as of probes where there were none, are left out."""
    parts = [blind(rows, int(rows["round"].iloc[0])).drop(columns="model") for _, rows in debates.groupby("round")]
    rows = pd.concat(parts, ignore_index=True).dropna(axis="columns", how="all")
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
    gates = {name: scored.at(place)} | {gate: freeze(here, known[gate]) for gate in BESIDE}
    team, task, *_ = cell = here.iloc[0][CELL].tolist()
    frame = score(here, gates, Resampled.of(here, team, task, Fitting()))
    knows = frame["gate"].map(KNOWS).fillna("file")
    return frame.assign(**dict(zip(CELL, cell, strict=True)), knows=knows, models=0, rule=None)


def _gold(results: Path, tasks: Iterable[str], given: pd.DataFrame) -> "pd.Series[str]":
    """The right answers that are at hand, by question: those of the items, else of agents who gave the only right one.

    Items of private and recorded tasks are not among a run's files. A program has no right answer but its tests.

    Args:
        given: `task`, `item`, `answer`: right answers of agents.
    """
    known = given.groupby(["task", "item"])["answer"].agg(["first", "nunique"]).reset_index()
    known = known[known["nunique"] == 1].rename(columns={"first": "gold"})[["task", "item", "gold"]]
    for task in tasks:
        path = results / "items" / f"{task}.parquet"
        if path.exists():
            items = plain(read(path, ITEMS)).assign(task=task)
            told = items[items["choices"].notna() | items["gold"].map(_is_number)]
            known = pd.concat([known[known["task"] != task], told[["task", "item", "gold"]]])
    return pd.Series(known["gold"].to_numpy(), index=known["task"] + "/" + known["item"])


def _is_number(text: str) -> bool:
    try:
        return Fraction(text) is not None
    except (ValueError, ZeroDivisionError):
        return False
