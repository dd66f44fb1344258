"""What the protocol costs: calls made against the naive count, and throughput against the bare engine.

    python benchmarks/generation.py [CONFIG]

Runs draws and debates of a part of a configuration (by default of config/demo.yaml) on its engine in a new folder,
twice: as the jobs of the workflow do (protocol, journal, progress bar), and as bare lists of the same requests, a list
a job, sent to the same engine with the same concurrency. A list has no rounds to wait for, so it is the most that the
engine can give. Seconds count from a job's first request to its last reply: loading the model is in neither. Each way
runs once before and once after the other, and the ratio is of their sums: noise hits both.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from results import Numbers, Row, show

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

ITEMS, SIZES = 8, (1, 2)

Items = dict[str, pa.Table]


def measured(path: Path = Path("config/demo.yaml")) -> Numbers:
    """Calls of the whole configuration, made and naive; requests of the part, and seconds that they took either way."""
    config = _part(load(path))
    items = {name: load_items(task, Path("cache")) for name, task in config.tasks.items()}
    watch = Watch()
    through = [_through(config, items, watch)]
    requests = list(watch.requests)
    bare = [_bare(config, items, requests), _bare(config, items, requests)]
    through.append(_through(config, items, watch))
    return {"config": str(path), **_calls(load(path)), "requests": len(requests), "through": through, "bare": bare}


def rows(numbers: Numbers) -> Iterator[Row]:
    made, naive = numbers["made"], numbers["naive"]
    yield Row(
        f"calls an item of {numbers['config']}, of the {naive} if every team asked for itself", f"{made / naive:.0%}"
    )
    ratio = sum(numbers["bare"]) / sum(numbers["through"])
    what = f"protocol against bare engine, within a job: {numbers['requests']} requests, twice each way"
    yield Row(what, f"{ratio:.2f}", "0.95")


class Watch:
    """Stands at the desk: notes what is asked, and when the first request came and the last reply left."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, Request]] = []
        self._first = self._last = 0.0
        ask = generate.Desk.ask

        async def note(desk: Any, model: str, request: Request) -> Response:
            self.requests.append((model, request))
            self._first = self._first or time.perf_counter()
            response = await ask(desk, model, request)
            self._last = time.perf_counter()
            return response

        generate.Desk.ask = note  # type: ignore[method-assign]

    def lap(self) -> float:
        """Seconds of the job that has ended."""
        seconds, self._first = self._last - self._first, 0.0
        return seconds


def _part(config: Config) -> Config:
    tasks = {name: task.model_copy(update={"items": ITEMS}) for name, task in config.tasks.items()}
    blocks = {
        name: block.model_copy(update={"sizes": SIZES, "conditions": ("debate",)})
        for name, block in config.experiments.items()
    }
    return config.model_copy(update={"tasks": tasks, "experiments": blocks, "replay": None})


def _calls(config: Config) -> Numbers:
    planned = plan(config)
    made = sum(map(draw_calls, planned.pools))
    made += sum(revision_calls(cell, config.protocol.nesting) for cell in planned.cells)
    naive = sum(map(naive_calls, planned.cells))
    return {"made": made, "naive": naive}


def _through(config: Config, items: Items, watch: Watch) -> float:
    """Seconds that draws and debates take in a new folder."""
    seconds, planned = 0.0, plan(config)
    with tempfile.TemporaryDirectory() as folder:
        for cell in planned.cells:
            draws = {}
            for model in sorted(set(config.teams[cell.team].members)):
                rows = generate.generate_draws(config, planned.pool(model, cell.task), items[cell.task], Path(folder))
                draws[model] = conform(rows, DRAWS, "draws")
                seconds += watch.lap()
            generate.generate_turns(config, cell, items[cell.task], draws, Path(folder))
            seconds += watch.lap()
    return seconds


def _bare(config: Config, items: Items, requests: list[tuple[str, Request]]) -> float:
    """Seconds that the same requests take as lists, job by job."""
    jobs: dict[tuple[str, str], list[tuple[str, Request]]] = {}
    for model, request in requests:
        jobs.setdefault((request.place.task, request.place.condition), []).append((model, request))
    return sum(asyncio.run(_ask_list(config, task, items[task], own)) for (task, _), own in jobs.items())


async def _ask_list(config: Config, task: str, items: pa.Table, own: list[tuple[str, Request]]) -> float:
    models = {model for model, _ in own}
    async with open_engines(config, models, task, questions(items), Path("cache")) as engines:
        started = time.perf_counter()
        await asyncio.gather(*(engines[model].complete(request) for model, request in own))
        return time.perf_counter() - started


if __name__ == "__main__":
    show(rows(measured(*map(Path, sys.argv[1:]))))
