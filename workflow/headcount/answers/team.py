"""All answers of a team: its cells from their texts, private and recorded tasks from a release of answers alone."""

from dataclasses import asdict, replace
from pathlib import Path

import pandas as pd
import pyarrow as pa

from headcount.answers.table import Replies, answer_cell, check_complete
from headcount.config import Config, Team
from headcount.debate.planner import Cell, plan
from headcount.errors import UserError
from headcount.schema import ANSWERS, DRAWS, ITEMS, TURNS, VERDICTS
from headcount.store import conform, plain, read


def team_answers(config: Config, team: str, results: Path) -> pa.Table:
    """Rows of ANSWERS of all the cells of a team.

    Args:
        results: the run's folder, which holds items, draws, turns, and verdicts on programs.
    """
    cells = [
        _from_release(config, cell) if config.replays_answers(cell.task) else _from_texts(config, cell, results)
        for cell in plan(config).cells
        if cell.team == team
    ]
    return conform(pd.concat(cells), ANSWERS, f"answers of {team}")


def _from_texts(config: Config, cell: Cell, results: Path) -> pd.DataFrame:
    models = sorted(set(config.teams[cell.team].members))
    draws = {model: read(results / "draws" / model / f"{cell.task}.parquet", DRAWS) for model in models}
    turns = None
    if cell.condition != "self_consistency":
        turns = read(results / "turns" / cell.team / cell.task / f"{cell.condition}.parquet", TURNS)
    verdicts = None
    if config.tasks[cell.task].format == "humaneval":
        verdicts = read(results / "verdicts" / cell.team / f"{cell.task}.parquet", VERDICTS)
    items = read(results / "items" / f"{cell.task}.parquet", ITEMS)
    return answer_cell(config, cell, items, Replies(draws, turns, verdicts))


def _from_release(config: Config, cell: Cell) -> pd.DataFrame:
    """The released answers of a cell: those of its shapes, of which a release may hold more.

    Of recorded agents who heard nobody the largest team alone is taken: they make up all smaller teams.
    """
    assert config.replay is not None
    path, task = config.replay / "answers" / cell.team / f"{cell.task}.parquet", config.tasks[cell.task]
    released = plain(read(path, ANSWERS))
    recorded = task.format == "recorded"
    items = (recorded and task.items) or released["item"].nunique()
    if recorded and cell.condition == "self_consistency":
        cell = replace(cell, shapes=(max(cell.shapes),))
    rows = released[(released["task"] == cell.task) & (released["condition"] == cell.condition)]
    rows = rows.merge(pd.DataFrame([asdict(shape) for shape in cell.shapes]), on=["n", "k"])
    rows = rows[(rows["round"] <= rows["updates"] + 1) & (rows["replicate"] <= rows["replicates"])]
    for shape in cell.shapes:
        own = rows[(rows["n"] == shape.n) & (rows["k"] == shape.k)]
        asked = max(own["item"].nunique(), 1) if task.partial else items
        check_complete(replace(cell, shapes=(shape,)), own, asked, f"Ask for teams that {path} holds")
    _check_seats(cell, config.teams[cell.team], rows, path)
    return rows.drop(columns=["updates", "replicates"])


def _check_seats(cell: Cell, team: Team, rows: pd.DataFrame, path: Path) -> None:
    """Each agent's answers are those of the model that the configuration puts in its seat."""
    for agent, model in rows[["agent", "model"]].drop_duplicates().sort_values("agent").itertuples(index=False):
        if model != team.member(agent):
            raise UserError(
                f"{path}: agent {agent} is {model!r}, and teams.{cell.team}.members has {team.member(agent)!r} there. "
                f"Name the members in the order of the release."
            )
