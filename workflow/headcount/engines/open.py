"""From a model's configuration to the engine that answers for it."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from headcount.config import Config, Model
from headcount.engines.base import Engine
from headcount.engines.client import Client
from headcount.engines.questions import Question
from headcount.engines.replay import Replay
from headcount.engines.simulated import Simulated
from headcount.errors import UserError
from headcount.sources import fetch


@asynccontextmanager
async def open_engines(
    config: Config, models: set[str], task: str, items: Mapping[str, Question], cache: Path
) -> AsyncIterator[dict[str, Engine]]:
    """The engines of some models, all open at once."""
    async with AsyncExitStack() as stack:
        engines: dict[str, Engine] = {}
        for name in sorted(models):
            if config.models[name].engine == "recorded":
                raise UserError(f"models.{name}: is recorded and cannot be asked. Give it the 'engine' that serves it.")
            if config.replay:
                engines[name] = Replay(config.replay, name, task)
            else:
                engines[name] = await stack.enter_async_context(
                    _open(name, config.models[name], items, cache, quote=not config.tasks[task].private)
                )
        yield engines


@asynccontextmanager
async def _open(
    name: str, model: Model, items: Mapping[str, Question], cache: Path, *, quote: bool
) -> AsyncIterator[Engine]:
    match model.engine:
        case "simulated":
            yield Simulated(model.population, items)
        case "llamacpp":
            from headcount.engines.llamacpp import serve

            assert model.weights is not None
            async with serve(model, fetch(model.weights, cache), items, quote=quote) as client:
                yield client
        case "api":
            async with _hosted(name, model, quote=quote) as client:
                yield client
        case "vllm":
            raise UserError(
                f"models.{name}.engine: 'vllm' does not run yet; a running vLLM server can be asked as 'api'."
            )


def _hosted(name: str, model: Model, *, quote: bool) -> Client:
    key = os.environ.get(model.key_env, "").strip() if model.key_env else None
    if model.key_env and not key:
        raise UserError(f"models.{name}.key_env: the environment variable {model.key_env} is not set.")
    assert model.url is not None
    return Client(
        model.url,
        key=key,
        concurrency=model.concurrency,
        retries=model.retries,
        timeout=model.timeout,
        max_requests=model.max_requests,
        quote=quote,
        extra=lambda _: {"logprobs": True, "top_logprobs": 1} if model.logprobs else {},
    )
