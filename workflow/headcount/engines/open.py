"""From a model's configuration to the engine that answers for it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from headcount.config import Config, Model
from headcount.engines.base import Engine
from headcount.engines.gpus import Gpus
from headcount.engines.hosted import connect, spending_of
from headcount.engines.questions import Question
from headcount.engines.replay import Replay
from headcount.engines.simulated import Simulated
from headcount.engines.spending import Spending
from headcount.engines.together import open_all
from headcount.errors import UserError
from headcount.sources import fetch


@asynccontextmanager
async def open_engines(
    config: Config, models: set[str], task: str, items: Mapping[str, Question], cache: Path
) -> AsyncIterator[dict[str, Engine]]:
    """The engines of some models, all open at once."""
    for name in sorted(models):
        if config.models[name].engine == "recorded":
            raise UserError(f"models.{name}: is recorded and cannot be asked. Give it the 'engine' that serves it.")
    if config.replay:
        yield {name: Replay(config.replay, name, task) for name in sorted(models)}
        return
    quote, gpus = not config.tasks[task].private, Gpus()
    async with AsyncExitStack() as stack:
        spending = stack.enter_context(spending_of(config, models, cache))
        opening = {
            name: _open(name, config.models[name], items, cache, spending, gpus, quote=quote) for name in sorted(models)
        }
        yield dict(zip(opening, await open_all(stack, opening.values()), strict=True))


@asynccontextmanager
async def _open(
    name: str,
    model: Model,
    items: Mapping[str, Question],
    cache: Path,
    spending: Spending | None,
    gpus: Gpus,
    *,
    quote: bool,
) -> AsyncIterator[Engine]:
    match model.engine:
        case "simulated":
            yield Simulated(model.population, items, model.family)
        case "llamacpp":
            from headcount.engines.llamacpp import serve

            assert model.weights is not None
            async with serve(model, fetch(model.weights, cache), items, quote=quote) as client:
                yield client
        case "api":
            async with connect(name, model, spending, quote=quote) as client:
                yield client
        case "vllm":
            from headcount.engines import vllm

            async with vllm.serve(name, model, items, cache, gpus, quote=quote) as engine:
                yield engine
