"""The two stages that ask models: draws of a model, and revisions of a cell. Paid text goes to the journal first."""

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from headcount.config import Config
from headcount.debate.costs import draw_calls, revision_calls, screen_calls
from headcount.debate.deadline import stop_in_time
from headcount.debate.desk import Desk
from headcount.debate.journal import COMMIT_SECONDS, Journal
from headcount.debate.planner import Cell, Pool, Screen
from headcount.debate.probes import ProbeReply, Screening, chosen
from headcount.debate.progress import Progress
from headcount.debate.protocol import Ask, Debate, DrawKey, Draws, Reply, Setting, draw, in_turn, strangers
from headcount.debate.shards import Shard
from headcount.engines.open import open_engines
from headcount.engines.questions import Question, questions
from headcount.engines.request import Place, Response
from headcount.schema import DRAWS, PROBE_REPLIES, TURNS

WHOLE = Shard()
R = TypeVar("R", Reply, ProbeReply)
Work = Callable[[Ask], Callable[[Question], Awaitable[list[R]]]]


def generate_draws(config: Config, pool: Pool, items: pa.Table, cache: Path, shard: Shard = WHOLE) -> pa.Table:
    """Round 1 of a model on a task: rows of DRAWS.

    Args:
        items: the task's questions, rows of ITEMS.
        cache: where the journals are.
        shard: which of the items to ask.
    """
    setting = Setting(config, questions(shard.of(items)))

    def work(ask: Ask) -> Callable[[Question], Awaitable[list[Reply]]]:
        return lambda item: draw(setting, pool, item, ask)

    calls = draw_calls(pool) * len(setting.items)
    title, part = shard.named(f"draws of {pool.model} on {pool.task}"), shard.named("draws")
    replies = _run(setting, {pool.model}, pool.task, part, work, Progress(title, calls), cache)
    keys = ("item", "replicate", "n", "agent")
    return pa.Table.from_pylist([_row(reply, keys) for reply in replies], schema=DRAWS.schema)


def generate_turns(
    config: Config, cell: Cell, items: pa.Table, draws: Mapping[str, pa.Table], cache: Path, shard: Shard = WHOLE
) -> pa.Table:
    """The revisions of a cell: rows of TURNS.

    Args:
        items: the task's questions, rows of ITEMS.
        draws: rows of DRAWS, by model, of all the items: noise comes from other items than those of a shard.
        shard: which of the items to ask.
    """
    setting, known = Setting(config, questions(shard.of(items))), _known(draws, cell.task)

    def work(ask: Ask) -> Callable[[Question], Awaitable[list[Reply]]]:
        return Debate(setting, cell, known, ask, strangers(known)).item

    calls = revision_calls(cell, config.protocol.nesting) * len(setting.items)
    title = shard.named(f"{cell.condition} of {cell.team} on {cell.task}")
    part = shard.named(f"{cell.team}-{cell.condition}")
    models = set(config.teams[cell.team].members)
    replies = _run(setting, models, cell.task, part, work, Progress(title, calls), cache)
    keys = ("item", "replicate", "n", "k", "round", "agent")
    rows = [_row(reply, keys) | {"model": reply.model} for reply in replies]
    return pa.Table.from_pylist(rows, schema=TURNS.schema)  # given, since there may be no row: nobody heard anybody


def generate_probes(config: Config, screen: Screen, items: pa.Table, cache: Path) -> pa.Table:
    """The replies of a screened model to first questions, repairs and probes: rows of PROBE_REPLIES.

    Args:
        items: the task's questions, rows of ITEMS.
        cache: where the journals are.
    """
    setting = Setting(config, questions(chosen(items, screen.items)))

    def work(ask: Ask) -> Callable[[Question], Awaitable[list[ProbeReply]]]:
        return Screening(setting, screen, ask).item

    calls = screen_calls(screen) * len(setting.items)
    progress = Progress(f"{screen.purpose.replace('_', ' ')}s of {screen.model} on {screen.task}", calls)
    replies = _run(setting, {screen.model}, screen.task, screen.purpose, work, progress, cache)
    rows = [
        _row(reply, ("item", "replicate", "agent")) | {"condition": condition, "probe": probe, "alternative": other}
        for reply, condition, probe, other in replies
    ]
    return pa.Table.from_pylist(rows, schema=PROBE_REPLIES.schema)


def _run(
    setting: Setting, models: set[str], task: str, part: str, work: Work[R], progress: Progress, cache: Path
) -> list[R]:
    """Work through all items with engines and journals open; whatever ends it, what was paid for is kept."""

    async def main() -> list[R]:
        _stop_on_sigterm()
        async with AsyncExitStack() as stack:
            own = f"{setting.config.run}-{part}"  # two runs at once must not write to one file
            journals = {} if setting.config.replay else _journals(models, task, own, cache)
            for journal in journals.values():
                stack.callback(journal.close)
            engines = await stack.enter_async_context(open_engines(setting.config, models, task, setting.items, cache))
            desk = Desk(engines, journals, stack.enter_context(progress))
            stack.push_async_callback(desk.close)
            in_flight = setting.config.protocol.items_in_flight
            async with asyncio.TaskGroup() as group:
                keepers = [group.create_task(keep) for keep in (_commit_often(journals.values()), stop_in_time())]
                replies = await in_turn(setting.items.values(), work(desk.ask), in_flight)
                for keeper in keepers:
                    keeper.cancel()
            return replies

    try:
        return asyncio.run(main())
    except BaseExceptionGroup as problems:
        raise _first(problems) from None
    except asyncio.CancelledError:
        raise SystemExit("Stopped by SIGTERM. What was answered is kept; run again to go on.") from None


def _stop_on_sigterm() -> None:
    """SIGTERM, which a cluster sends before it kills, cancels the current task; only a main thread can hear it."""
    current = asyncio.current_task()
    if current and threading.current_thread() is threading.main_thread():
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, current.cancel)


async def _commit_often(journals: Iterable[Journal]) -> None:
    while True:
        await asyncio.sleep(COMMIT_SECONDS)
        for journal in journals:
            journal.commit()


def _first(problems: BaseExceptionGroup) -> BaseException:
    """Many items fail for one reason: the first says it."""
    problem = problems.exceptions[0]
    return _first(problem) if isinstance(problem, BaseExceptionGroup) else problem


def _journals(models: set[str], task: str, part: str, cache: Path) -> dict[str, Journal]:
    return {name: Journal(cache / name / task, name, task, part) for name in sorted(models)}


def _row(reply: Reply, keys: Iterable[str]) -> dict[str, object]:
    response = reply.response
    place = reply.place._asdict()
    return {name: place[name] for name in keys} | {
        "request": reply.key,
        "text": response.text,
        "finish_reason": response.finish_reason,
        "token_ends": response.token_ends,
        "token_logprobs": response.token_logprobs,
        "prompt_tokens": response.prompt_tokens,
        "completion_tokens": response.completion_tokens,
        "server": response.server,
    }


def _known(draws: Mapping[str, pa.Table], task: str) -> Draws:
    """The draws of some models, as the replies they were."""
    return {
        DrawKey(model, row["item"], row["replicate"], row["n"], row["agent"]): _reply(model, task, row)
        for model, table in draws.items()
        for row in table.to_pylist()
    }


def _reply(model: str, task: str, row: dict[str, Any]) -> Reply:
    place = Place(model, task, "draws", row["item"], row["replicate"], row["n"], 0, 1, row["agent"])
    ends, logprobs = (None if row[name] is None else tuple(row[name]) for name in ("token_ends", "token_logprobs"))
    counts = row["prompt_tokens"], row["completion_tokens"]
    response = Response(row["text"], row["finish_reason"], *counts, ends, logprobs, row["server"])
    return Reply(place, model, row["request"], response)
