"""Small runs on the simulated engine: configurations, items, whole runs, and what was asked."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from headcount.config import Config, parse
from headcount.debate.generate import generate_draws, generate_turns
from headcount.debate.journal import stored
from headcount.debate.planner import plan
from headcount.debate.protocol import Debate, DrawKey, Reply, Setting, draw, in_turn, strangers
from headcount.engines.questions import questions
from headcount.engines.request import Request, Response
from headcount.engines.simulated import Simulated
from headcount.schema import DRAWS, ITEMS, TURNS
from headcount.store import conform, write


def small_config(
    *,
    sizes: tuple[int, ...] = (1, 2, 3),
    conditions: tuple[str, ...] = ("debate",),
    models: Mapping[str, Mapping[str, Any]] | None = None,
    members: tuple[str, ...] = ("m",),
    experiments: Mapping[str, Any] | None = None,
    **sections: Any,
) -> Config:
    """One team `t` on one task `a`; `sections` are other sections, and `experiments` replaces the one block."""
    block = {"teams": ["t"], "tasks": ["a"], "conditions": list(conditions), "sizes": list(sizes)}
    settings = {name: {"family": "f", "engine": "simulated", **more} for name, more in (models or {"m": {}}).items()}
    raw = {
        "run": "small",
        "models": settings,
        "teams": {"t": {"members": list(members)}},
        "tasks": {"a": {"format": "arithmetic"}},
        "experiments": experiments or {"e": block},
    }
    return parse(raw | sections, "small")


def block(**keys: Any) -> dict[str, Any]:
    """An experiment block on team `t` and task `a`."""
    return {"teams": ["t"], "tasks": ["a"], "conditions": ["debate"]} | keys


def small_items(count: int, *, options: int = 0) -> pa.Table:
    """Items q0, q1, ...: free-form, or with a number of options and the first of them right."""
    rows = [
        {
            "item": f"q{i}",
            "question": f"What is item {i}?",
            "choices": [f"option {i}-{j}" for j in range(options)] or None,
            "gold": "A" if options else str(100 + i),
            "metadata": "{}",
        }
        for i in range(count)
    ]
    return conform(pa.Table.from_pylist(rows, schema=ITEMS.schema), ITEMS, "items")


@dataclass(frozen=True)
class Run:
    """The tables of a run: draws by (model, task), turns by (team, task, condition)."""

    draws: dict[tuple[str, str], pa.Table]
    turns: dict[tuple[str, str, str], pa.Table]


def run(config: Config, items: pa.Table, cache: Path) -> Run:
    """A whole run of task `a`, as the scripts make it."""
    planned = plan(config)
    draws = {(p.model, p.task): conform(generate_draws(config, p, items, cache), DRAWS, "draws") for p in planned.pools}
    by_model = {model: table for (model, _), table in draws.items()}
    turns = {
        (cell.team, cell.task, cell.condition): conform(
            generate_turns(config, cell, items, by_model, cache), TURNS, "turns"
        )
        for cell in planned.cells
        if cell.condition != "self_consistency"
    }
    return Run(draws, turns)


def write_run(made: Run, items: pa.Table, results: Path) -> None:
    """A run's files, where the workflow puts them."""
    write(results / "items" / "a.parquet", items, ITEMS)
    for (model, task), table in made.draws.items():
        write(results / "draws" / model / f"{task}.parquet", table, DRAWS)
    for (team, task, condition), table in made.turns.items():
        write(results / "turns" / team / task / f"{condition}.parquet", table, TURNS)


def keys_in(cache: Path, model: str = "m") -> list[str]:
    """The request keys of all replies in a cache, repeated where they stand twice."""
    return [str(row["key"]) for row in stored(cache / model / "a", model, "a")]


@dataclass(frozen=True)
class Asked:
    """What the protocol asked, in order, with the replies in their places."""

    requests: list[Request]
    replies: list[Reply]

    def prompt(self, **place: Any) -> str:
        """The prompt at the one place that has these values."""
        (found,) = [r for r in self.requests if all(getattr(r.place, k) == v for k, v in place.items())]
        return found.messages[-1][1]

    def text(self, **place: Any) -> str:
        """The reply at the one place that has these values."""
        (found,) = [r for r in self.replies if all(getattr(r.place, k) == v for k, v in place.items())]
        return found.response.text


def ask_all(config: Config, items: pa.Table) -> dict[str, Asked]:
    """Every request of a run with nothing shared, by condition; `draws` is round 1."""
    return asyncio.run(_ask_all(config, items))


async def _ask_all(config: Config, items: pa.Table) -> dict[str, Asked]:
    setting, planned = Setting(config, questions(items)), plan(config)
    engines = {name: Simulated(model.population, setting.items) for name, model in config.models.items()}
    requests: list[Request] = []

    async def ask(model: str, request: Request) -> Response:
        requests.append(request)
        return await engines[model].complete(request)

    first = [
        r for pool in planned.pools for item in setting.items.values() for r in await draw(setting, pool, item, ask)
    ]
    asked = {"draws": Asked(requests.copy(), first)}
    known = {DrawKey(r.model, r.place.item, r.place.replicate, r.place.n, r.place.agent): r for r in first}
    for cell in planned.cells:
        requests.clear()
        debate = Debate(setting, cell, known, ask, strangers(known))
        replies = await in_turn(setting.items.values(), debate.item, 4)
        asked[cell.condition] = Asked(requests.copy(), replies)
    return asked
