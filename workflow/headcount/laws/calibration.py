"""Agreement as confidence, for every team of a run: how often a team is right by the share of its leading answer."""

from collections.abc import Collection, Iterator, Mapping

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.panels import as_table
from headcount.laws.series import TaskRows, split_series
from headcount.measures.arrays import IntArray
from headcount.measures.calibration import Reliability, confidence_from_agreement, pooled, wilson
from headcount.measures.seats import Seats, seat
from headcount.schema import CALIBRATION

ALL_BINS = 0


def calibration_run(
    answers: Mapping[str, pa.Table], confidence: float = 0.95, simulated: Collection[str] = ()
) -> pa.Table:
    """Bins of every team of a run, at each size and round.

    Args:
        answers: rows of `schema.ANSWERS` by team, of one model or several.
        confidence: coverage of the intervals (Wilson's; a repetition of an item counts as another item).
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.CALIBRATION`: bins from 1 on, empty ones left out, and bin 0 for all of them, whose error is the
        expected calibration error.
    """
    frames = []
    for team, table in answers.items():
        seats = seat(table)
        for task in sorted(set(table["task"].cast(pa.string()).to_pylist())):
            frames += [
                frame.assign(team=team, task=task, simulated=team in simulated)
                for frame in _of_task(seats, table, task, confidence)
            ]
    return as_table(frames, CALIBRATION)


def _of_task(seats: Seats, table: pa.Table, task: str, confidence: float) -> Iterator[pd.DataFrame]:
    first = seats.first()
    names = {name: table[name].take(pa.array(first)).cast(pa.string()).to_pylist() for name in ("task", "condition")}
    teams = np.flatnonzero(np.array(names["task"], dtype=object) == task)
    shapes = {name: seats.keys[name][teams].astype(np.float64) for name in ("n", "k", "round")}
    condition = [names["condition"][team] for team in teams.tolist()]
    rows = TaskRows("first", [], np.zeros(teams.size, np.int64), condition, shapes)
    for series in split_series(rows):
        for place, size in enumerate(series.sizes.tolist()):
            here = teams[series.rows[series.size == place]]
            key = {"condition": series.condition, "peers": series.peers, "round": series.round, "n": size}
            yield _bins(seats, here, confidence).assign(**key)


def _bins(seats: Seats, teams: IntArray, confidence: float) -> pd.DataFrame:
    ballots = seats.ballots
    parts = confidence_from_agreement(ballots.counts[teams], ballots.correct[teams], seats.keys["n"][teams])
    frame = _frame(parts, confidence).assign(bin=np.arange(parts.teams.size) + 1, error=parts.error)
    whole = _frame(pooled(parts), confidence).assign(bin=ALL_BINS, error=parts.calibration_error)
    return pd.concat([whole, frame[frame["items"] > 0]])


def _frame(parts: Reliability, confidence: float) -> pd.DataFrame:
    low, high = wilson(parts.accuracy, parts.teams, confidence)
    columns = {"share_low": parts.low, "share_high": parts.high, "items": parts.teams, "share": parts.share}
    columns |= {"accuracy": parts.accuracy, "accuracy_low": low, "accuracy_high": high}
    return pd.DataFrame(columns | {"unanimous_wrong": parts.unanimous_wrong})
