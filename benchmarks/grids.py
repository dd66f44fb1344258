"""Parts of the benchmark's grid: some of its items, of its teams, or other numbers of replicates."""

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

CONFIG = Path(__file__).resolve().parents[1] / "config" / "benchmark.yaml"
FEWEST = 4  # items of a task
Written = dict[str, Any]  # a configuration as YAML has it


@dataclass(frozen=True)
class Grid:
    """A part of the grid.

    Attributes:
        items: share of each task's items.
        teams: the first so many teams; none: all.
        replicates: resamples behind a percentile interval.
    """

    items: float = 1.0
    teams: int | None = None
    replicates: int = 1000


def config_of(grid: Grid) -> Written:
    """The configuration of a part, without what nobody asks for any more."""
    config: Written = copy.deepcopy(yaml.safe_load(CONFIG.read_text()))
    for task in config["tasks"].values():
        task["items"] = max(FEWEST, round(task["items"] * grid.items))
    config["fitting"]["bootstrap"] = grid.replicates
    if grid.teams is not None:
        _keep_teams(config, list(config["teams"])[: grid.teams])
    return config


def written(config: Written, path: Path) -> None:
    """A configuration as a file."""
    path.write_text(yaml.safe_dump(config, sort_keys=False))


def _keep_teams(config: Written, teams: list[str]) -> None:
    for name, block in list(config["experiments"].items()):
        block["teams"] = [team for team in block["teams"] if team in teams]
        if not block["teams"]:
            del config["experiments"][name]
    config["teams"] = {team: config["teams"][team] for team in teams}
    members = {model for team in config["teams"].values() for model in team["members"]}
    config["models"] = {name: model for name, model in config["models"].items() if name in members}
    asked = {task for block in config["experiments"].values() for task in block["tasks"]}
    config["tasks"] = {name: task for name, task in config["tasks"].items() if name in asked}
