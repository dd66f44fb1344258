"""What the protocol costs: calls made against the naive count, and throughput against the bare engine.

    python benchmarks/generation.py [CONFIG]

Runs the debate cells of a configuration (by default a part of config/demo.yaml) on its engine in a new folder, twice:
as the jobs of the workflow do (protocol, journal, progress bar), and as a bare list of the same requests sent to the
same engine with the same concurrency. The bare list has no rounds to wait for, so it is the most that the engine can
give. Each way runs once before and once after the other, and the ratio is of their sums: noise hits both.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa

from headcount.config import Config, load
from headcount.debate import generate
from headcount.debate.costs import draw_calls, naive_calls, revision_calls
from headcount.debate.planner import plan
from headcount.engines.open import open_engines
from headcount.engines.questions import questions
from headcount.engines.request import Request, Response
from headcount.items.load import load_items
from headcount.schema import DRAWS
from headcount.store import conform

ITEMS, SIZES = 4, (1, 2, 3)


def main(path: Path) -> None:
    config = _part(load(path))
    _print_calls(load(path), "all of it")
    _print_calls(config, "the part that is timed")
    items = {name: load_items(task, Path("cache")) for name, task in config.tasks.items()}
    recorded: list[tuple[str, Request]] = []
    through = [_through(config, items, recorded)]
    bare = [_bare(config, items, recorded), _bare(config, items, recorded)]
    through.append(_through(config, items, []))
    print(f"\n{len(recorded)} requests, twice each way")
    print(f"through the protocol: {2 * len(recorded) / sum(through):.2f} calls/s")
    print(f"bare engine:          {2 * len(recorded) / sum(bare):.2f} calls/s")
    print(f"ratio:                {sum(bare) / sum(through):.2f} (goal: 0.95)")


def _part(config: Config) -> Config:
    tasks = {name: task.model_copy(update={"items": ITEMS}) for name, task in config.tasks.items()}
    blocks = {
        name: block.model_copy(update={"sizes": SIZES, "conditions": ("debate",)})
        for name, block in config.experiments.items()
    }
    return config.model_copy(update={"tasks": tasks, "experiments": blocks, "replay": None})


def _print_calls(config: Config, what: str) -> None:
    planned = plan(config)
    made = sum(map(draw_calls, planned.pools))
    made += sum(revision_calls(cell, config.protocol.nesting) for cell in planned.cells)
    naive = sum(map(naive_calls, planned.cells))
    print(f"calls an item, {what}: {made} made, {naive} if every team asked for itself ({made / naive:.0%})")


def _through(config: Config, items: dict[str, pa.Table], recorded: list[tuple[str, Request]]) -> float:
    """Seconds that draws and debates take in a new folder, with their requests recorded."""
    with tempfile.TemporaryDirectory() as folder, _recording(recorded):
        started, planned = time.perf_counter(), plan(config)
        draws = {
            (pool.model, pool.task): generate.generate_draws(config, pool, items[pool.task], Path(folder))
            for pool in planned.pools
        }
        for cell in planned.cells:
            own = {model: conform(rows, DRAWS, "draws") for (model, task), rows in draws.items() if task == cell.task}
            generate.generate_turns(config, cell, items[cell.task], own, Path(folder))
        return time.perf_counter() - started


class _recording:
    """Listens at the desk."""

    def __init__(self, recorded: list[tuple[str, Request]]) -> None:
        self._recorded, self._ask = recorded, generate.Desk.ask

    def __enter__(self) -> None:
        recorded, ask = self._recorded, self._ask

        async def listen(desk: Any, model: str, request: Request) -> Response:
            recorded.append((model, request))
            return await ask(desk, model, request)

        generate.Desk.ask = listen  # type: ignore[method-assign]

    def __exit__(self, *_: object) -> None:
        generate.Desk.ask = self._ask  # type: ignore[method-assign]


def _bare(config: Config, items: dict[str, pa.Table], requests: list[tuple[str, Request]]) -> float:
    """Seconds that the same requests take as a list, task by task."""

    async def ask(task: str) -> None:
        models = {model for model, _ in requests}
        async with open_engines(config, models, task, questions(items[task]), Path("cache")) as engines:
            own = [(model, request) for model, request in requests if request.place.task == task]
            await asyncio.gather(*(engines[model].complete(request) for model, request in own))

    started = time.perf_counter()
    for task in items:
        asyncio.run(ask(task))
    return time.perf_counter() - started


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "config/demo.yaml"))
