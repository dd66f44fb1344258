"""What a job that asks models needs of a cluster: GPUs, processors, memory, minutes. All of it estimated from the plan.

A job that needs more than was estimated stops before its time is up and goes on in its next attempt, which gets more.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import ceil

from headcount.config import Config, Model, Task
from headcount.debate.costs import Cost, cell_cost, draw_calls, naive_calls, pool_cost, screen_cost
from headcount.debate.planner import Cell, Plan, Pool, Screen
from headcount.debate.speeds import READING, tokens_per_second
from headcount.errors import UserError
from headcount.items.counts import known_count

SPARE = 2  # times the estimate that a first attempt may take
FLOOR_MINUTES = 30
GPU_THREADS = 4  # processors beside a GPU: its server, and the job that asks it
BASE_MB, GPU_MB = 3000, 32_000  # of a job; of a server's process, for each GPU
REPLY_BYTES, TOKEN_BYTES = 6000, 120  # of a reply in all the forms that a job holds it in; of each of its tokens
TABLE_MB = 2000  # of a job that asks nobody, beside its rows
UNKNOWN_ITEMS = 1000  # of a file that is not here yet


@dataclass(frozen=True)
class Allocation:
    """What to ask of a cluster for one job; `hours` is how long it should take, `minutes` how long it may."""

    gpus: int
    hosted: bool
    threads: int
    mem_mb: int
    hours: float
    minutes: int


def draws_allocation(config: Config, pool: Pool, attempt: int = 1) -> Allocation:
    """What one shard of a pool of draws needs."""
    items = ceil(expected_items(config.tasks[pool.task]) / pool.shards)
    return _allocation(config, pool_cost(config, pool, items), (pool.model,), items * draw_calls(pool), attempt)


def turns_allocation(config: Config, planned: Plan, cell: Cell, attempt: int = 1) -> Allocation:
    """What one shard of a cell's revisions needs. It holds the draws of all items: noise comes from other items."""
    whole = expected_items(config.tasks[cell.task])
    items = ceil(whole / cell.shards)
    members = config.teams[cell.team].members
    held = items * naive_calls(cell) + whole * _drawn(config, planned, cell)
    return _allocation(config, cell_cost(config, cell, items), members, held, attempt)


def screen_allocation(config: Config, screen: Screen, attempt: int = 1) -> Allocation:
    """What a screen needs."""
    cost = screen_cost(config, screen, expected_items(config.tasks[screen.task]))
    return _allocation(config, cost, (screen.model,), cost.calls, attempt)


@cache
def expected_items(task: Task) -> int:
    """How many items a task will have, or a guess where its file is not here or cannot be read."""
    try:
        return known_count(task) or UNKNOWN_ITEMS
    except UserError:
        return UNKNOWN_ITEMS


def _drawn(config: Config, planned: Plan, cell: Cell) -> int:
    """Draws an item that a cell's models have."""
    members = config.teams[cell.team].members
    return sum(draw_calls(pool) for pool in planned.pools if pool.task == cell.task and pool.model in members)


def _allocation(config: Config, cost: Cost, members: tuple[str, ...], held: int, attempt: int) -> Allocation:
    models = {} if config.replay else {name: config.models[name] for name in members}
    gpus = sum(model.gpus for model in models.values())
    hours = max(
        (_hours(config, cost, model, members.count(name) / len(members)) for name, model in models.items()), default=0
    )
    start = max((model.vllm.start_seconds / 60 for model in models.values() if model.gpus), default=0)
    reply = cost.output_tokens / max(cost.calls, 1)
    return Allocation(
        gpus=gpus,
        hosted=any(model.engine == "api" for model in models.values()),
        threads=max(2, GPU_THREADS * gpus),
        mem_mb=attempt * (BASE_MB + ceil(held * _reply_bytes(reply, models.values()) / 1e6)) + GPU_MB * gpus,
        hours=hours,
        minutes=ceil(start + attempt * max(FLOOR_MINUTES, SPARE * hours * 60)),
    )


def _reply_bytes(tokens: float, models: Iterable[Model]) -> float:
    return REPLY_BYTES + (TOKEN_BYTES * tokens if any(model.logprobs for model in models) else 0)


def _hours(config: Config, cost: Cost, model: Model, share: float) -> float:
    """Hours that a model takes for its share of some calls."""
    tokens = cost.output_tokens + cost.prompt_tokens / READING
    return share * max(tokens / tokens_per_second(config, model) / 3600, _rationed_hours(cost, model))


def _rationed_hours(cost: Cost, model: Model) -> float:
    """Hours below which an account's rate limits do not let a hosted model answer."""
    used = ((cost.calls, model.requests_per_minute), (cost.prompt_tokens + cost.output_tokens, model.tokens_per_minute))
    return max((count / limit / 60 for count, limit in used if limit), default=0)


def rows_mb(rows: int, row_bytes: int, attempt: int = 1) -> int:
    """Memory of a job on a table of some rows."""
    return attempt * (TABLE_MB + ceil(rows * row_bytes / 1e6))


def pool_rows(config: Config, pool: Pool) -> int:
    """Rows of a pool's draws, over all items."""
    return expected_items(config.tasks[pool.task]) * draw_calls(pool)


def cell_rows(config: Config, cell: Cell) -> int:
    """Rows of a cell's answers, over all items: every agent of every team in every round."""
    rows = sum(shape.n * (1 + shape.updates) * shape.replicates for shape in cell.shapes)
    return expected_items(config.tasks[cell.task]) * rows
