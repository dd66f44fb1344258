"""The configuration of a run that replays an import: what others recorded, and nothing to ask."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import PurePosixPath
from typing import Any

import pandas as pd
import yaml

from headcount.config import CONDITIONS, PROBE_CONDITIONS, parse
from headcount.errors import UserError
from headcount.imports.tables import Pair
from headcount.imports.told import Names

MADE_BY = "# Made by `headcount import`"
Shape = tuple[int, int, int, int]  # n, k, updates, replicates


def configuration(
    run: str, answers: Mapping[Pair, pd.DataFrame], probes: Mapping[Pair, pd.DataFrame], names: Names
) -> dict[str, Any]:
    """A valid configuration with every cell that an import has.

    Args:
        answers, probes: what is released, by team or model and task.
        names: what models were called.
    """
    teams = _teams(answers)
    models = sorted({model for members in teams.values() for model in members} | {model for model, _ in probes})
    raw: dict[str, Any] = {
        "run": run,
        "replay": str(PurePosixPath("resources", run)),
        "models": {
            name: {"family": name, "engine": "recorded", "model": names.original("model", name)} for name in models
        },
        "teams": {team: {"members": members} for team, members in teams.items()},
        "tasks": _tasks(answers, probes),
        "experiments": dict(_experiments(answers)),
    }
    if probes:
        raw["probing"] = _probing(probes)
    parse(raw, "the import")
    return raw


def as_yaml(raw: Mapping[str, Any]) -> str:
    """A configuration's file."""
    lines = [
        f"{MADE_BY}: answers that others recorded. Nothing is asked.",
        "# Each model is a family of its own until you say which belong together.",
        yaml.safe_dump(dict(raw), sort_keys=False, width=110, default_flow_style=None),
    ]
    return "\n".join(lines)


def _teams(answers: Mapping[Pair, pd.DataFrame]) -> dict[str, list[str]]:
    """The model of each agent of each team; one name where all are of one."""
    seats: dict[str, dict[int, str]] = defaultdict(dict)
    for (team, _), rows in answers.items():
        seats[team] |= dict(rows[["agent", "model"]].drop_duplicates().itertuples(index=False))
    members = {team: [models[agent] for agent in sorted(models)] for team, models in sorted(seats.items())}
    return {team: models[:1] if len(set(models)) == 1 else models for team, models in members.items()}


def _tasks(answers: Mapping[Pair, pd.DataFrame], probes: Mapping[Pair, pd.DataFrame]) -> dict[str, Any]:
    """The tasks with the number of their items, and whether some team was asked some of them only."""
    items: dict[str, set[str]] = defaultdict(set)
    for (_, task), rows in (*answers.items(), *probes.items()):
        items[task] |= set(rows["item"])
    partial = {
        task
        for (_, task), rows in answers.items()
        for count in rows.groupby(["condition", "n", "k"])["item"].nunique()
        if count < len(items[task])
    }
    return {
        task: {"format": "recorded", "items": len(known)} | ({"partial": True} if task in partial else {})
        for task, known in sorted(items.items())
    }


def _experiments(answers: Mapping[Pair, pd.DataFrame]) -> Iterable[tuple[str, dict[str, Any]]]:
    """A block for all teams that have the same cells."""
    alike: dict[tuple[str, str, tuple[Shape, ...]], list[str]] = defaultdict(list)
    for (team, task), rows in answers.items():
        for condition, of_cell in rows.groupby("condition"):
            alike[task, str(condition), _shapes(of_cell)].append(team)
    order = sorted(alike.items(), key=lambda entry: (entry[0][0], CONDITIONS.index(entry[0][1]), entry[0][2]))
    blocks = [
        {"teams": teams, "tasks": [task], "conditions": [condition], **sizes}
        for (task, condition, shapes), teams in order
        for sizes in _blocks(condition, shapes)
    ]
    for number, block in enumerate(blocks, 1):
        yield f"{block['conditions'][0]}-{number}", block


def _shapes(rows: pd.DataFrame) -> tuple[Shape, ...]:
    found = rows.groupby(["n", "k"])[["round", "replicate"]].max().reset_index()
    return tuple((n, k, last - 1, replicates) for n, k, last, replicates in found.to_numpy(dtype=int).tolist())


def _blocks(condition: str, shapes: Sequence[Shape]) -> Iterable[dict[str, Any]]:
    """The sizes and peers of some shapes, no more than these."""
    alike: dict[tuple[Any, int, int], list[int]] = defaultdict(list)
    for n, k, updates, replicates in shapes:
        peers = "full" if condition in ("self_consistency", "self_correction") or k == n - 1 else k
        alike[peers, updates, replicates].append(n)
    for (peers, updates, replicates), sizes in alike.items():
        if condition == "self_consistency":  # agents who hear nobody make up teams of every smaller size
            sizes, updates = list(range(1, max(sizes) + 1)), 0
        yield {"sizes": sizes, "updates": updates, "peers": [peers], "replicates": replicates}


def _probing(probes: Mapping[Pair, pd.DataFrame]) -> dict[str, Any]:
    """The screens; a run has those of every model on every task."""
    models, tasks = (sorted(set(names)) for names in zip(*probes, strict=True))
    for model, task in product(models, tasks):
        if (model, task) not in probes:
            raise UserError(
                f"There are probes of {model} and probes on {task}, and none of {model} on {task}; a run has all of "
                "them. Import tasks that were probed with different models as runs of their own."
            )
    rows = pd.concat([rows[["condition", "agent"]] for rows in probes.values()])
    conditions = set(rows["condition"])
    return {
        "models": models,
        "tasks": tasks,
        "agents": int(rows["agent"].max()),
        "conditions": [condition for condition in PROBE_CONDITIONS if condition in conditions],
    }
