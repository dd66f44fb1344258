"""Which requests a finished run is made of, and what answered each: its draws, turns, and replies of its screens."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from headcount.config import Config
from headcount.debate.planner import Plan, plan
from headcount.schema import DRAWS, PROBE_REPLIES, TURNS
from headcount.store import read


def asked_pairs(config: Config) -> list[tuple[str, str]]:
    """Models and the tasks that each is asked, be it for a team or for a screen."""
    planned = plan(config)
    pairs = {(pool.model, pool.task) for pool in planned.pools}
    pairs |= {(screen.model, screen.task) for screen in planned.screens}
    return sorted((model, task) for model, task in pairs if config.tasks[task].format != "recorded")


def asked_tasks(planned: Plan) -> list[str]:
    """The tasks of a run, be they for teams or for screens; recorded ones too."""
    return sorted({cell.task for cell in planned.cells} | {screen.task for screen in planned.screens})


def asked(config: Config, results: Path, model: str, task: str) -> dict[str, str | None]:
    """Request and server of each distinct reply of a model to a task that the run is made of.

    Args:
        results: the run's folder.
    """
    found: dict[str, str | None] = {}
    for rows in _stages(config, results, model, task):
        servers = rows["server"].cast(pa.string()).to_pylist()
        found |= zip(rows["request"].to_pylist(), servers, strict=True)
    return found


def _stages(config: Config, results: Path, model: str, task: str) -> Iterator[pa.Table]:
    planned = plan(config)
    if any((pool.model, pool.task) == (model, task) for pool in planned.pools):
        yield read(results / "draws" / model / f"{task}.parquet", DRAWS)
    for cell in planned.cells:
        if cell.task == task and cell.condition != "self_consistency" and model in config.teams[cell.team].members:
            turns = read(results / "turns" / cell.team / task / f"{cell.condition}.parquet", TURNS)
            yield turns.filter(pc.equal(turns["model"], model))
    for screen in planned.screens:
        if (screen.model, screen.task) == (model, task):
            yield read(results / f"{screen.purpose}_replies" / model / f"{task}.parquet", PROBE_REPLIES)
