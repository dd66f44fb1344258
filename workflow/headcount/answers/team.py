"""All answers of a team: its cells from their texts, private and recorded tasks from a release of answers alone."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.answers.table import Replies, answer_cell, check_complete
from headcount.config import Config, Team
from headcount.debate.planner import Cell, plan
from headcount.errors import UserError
from headcount.schema import ANSWERS, DRAWS, ITEMS, TURNS, VERDICTS, numbered
from headcount.store import conform, read

_NUMBERED = numbered(ANSWERS, "item", "request", "answer")


def team_answers(config: Config, team: str, results: Path) -> pa.Table:
    """Rows of ANSWERS of all the cells of a team.

    Args:
        results: the run's folder, which holds items, draws, turns, and verdicts on programs.
    """
    cells = [cell for cell in plan(config).cells if cell.team == team]
    told = [cell for cell in cells if not config.replays_answers(cell.task)]
    parts = [_from_texts(config, cell, results) for cell in told]
    for task in sorted({cell.task for cell in cells} - {cell.task for cell in told}):
        of_task = sorted((cell for cell in cells if cell.task == task), key=lambda cell: cell.condition)
        parts += _released(config, of_task)  # in the order of ANSWERS, which spares sorting millions of rows
    return conform(pa.concat_tables(parts), ANSWERS, f"answers of {team}")


def _from_texts(config: Config, cell: Cell, results: Path) -> pa.Table:
    models = sorted(set(config.teams[cell.team].members))
    draws = {model: read(results / "draws" / model / f"{cell.task}.parquet", DRAWS) for model in models}
    turns = None
    if cell.condition != "self_consistency":
        turns = read(results / "turns" / cell.team / cell.task / f"{cell.condition}.parquet", TURNS)
    verdicts = None
    if config.tasks[cell.task].format == "humaneval":
        verdicts = read(results / "verdicts" / cell.team / f"{cell.task}.parquet", VERDICTS)
    items = read(results / "items" / f"{cell.task}.parquet", ITEMS)
    rows = answer_cell(config, cell, items, Replies(draws, turns, verdicts))
    return conform(rows, _NUMBERED, f"answers of {cell.team}")


def _released(config: Config, cells: list[Cell]) -> Iterator[pa.Table]:
    """The released answers of the cells of one team and task."""
    assert config.replay is not None
    team, task = cells[0].team, cells[0].task
    path = config.replay / "answers" / team / f"{task}.parquet"
    released = read(path, _NUMBERED)
    items = config.tasks[task].items if config.tasks[task].format == "recorded" else None
    known = items or len(released["item"].unique())
    for cell in cells:
        here = pc.and_(pc.equal(released["task"], task), pc.equal(released["condition"], cell.condition)).to_numpy()
        together = released.slice(int(here.argmax()) if here.size else 0, int(here.sum()))  # sorted, so without a copy
        rows = _of_shapes(config, cell, together, known, path)
        _check_seats(cell, config.teams[team], rows, path)
        yield rows


def _of_shapes(config: Config, cell: Cell, rows: pa.Table, items: int, path: Path) -> pa.Table:
    """Those of a cell's shapes, of which a release may hold more.

    Of recorded agents who heard nobody the largest team alone is taken: they make up all smaller teams.
    """
    task = config.tasks[cell.task]
    if task.format == "recorded" and cell.condition == "self_consistency":
        cell = replace(cell, shapes=(max(cell.shapes),))
    n, k, turn, replicate = (rows[name].to_numpy() for name in ("n", "k", "round", "replicate"))
    wanted = np.zeros(rows.num_rows, np.bool_)
    for shape in cell.shapes:
        own = (n == shape.n) & (k == shape.k) & (turn <= shape.updates + 1) & (replicate <= shape.replicates)
        asked = max(len(rows["item"].filter(pa.array(own)).unique()), 1) if task.partial else items
        found = {(shape.n, shape.k): int(own.sum())}
        check_complete(replace(cell, shapes=(shape,)), found, asked, f"Ask for teams that {path} holds")
        wanted |= own
    return rows if wanted.all() else rows.filter(pa.array(wanted))


def _check_seats(cell: Cell, team: Team, rows: pa.Table, path: Path) -> None:
    """Each agent's answers are those of the model that the configuration puts in its seat."""
    seats = pa.table({"agent": rows["agent"], "model": rows["model"].cast(pa.string())})
    distinct = seats.group_by(["agent", "model"]).aggregate([]).sort_by("agent")
    for agent, model in zip(*distinct.to_pydict().values(), strict=True):
        if model != team.member(agent):
            raise UserError(
                f"{path}: agent {agent} is {model!r}, and teams.{cell.team}.members has {team.member(agent)!r} there. "
                f"Name the members in the order of the release."
            )
