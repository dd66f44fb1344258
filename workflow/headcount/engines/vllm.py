"""The vLLM engine: servers that this job starts on its GPUs, asks, and ends."""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

from headcount.config import Model
from headcount.config_sources import HubSource
from headcount.engines.base import Engine
from headcount.engines.child import Child, running
from headcount.engines.client import Client
from headcount.engines.gpus import Gpus, names
from headcount.engines.request import Request, Response
from headcount.engines.together import open_all
from headcount.engines.vllm_build import find_build
from headcount.engines.vllm_ready import free_port, ready
from headcount.engines.vllm_server import Server
from headcount.engines.vllm_weights import as_folder
from headcount.errors import UserError


@asynccontextmanager
async def serve(
    name: str, model: Model, items: Collection[str], cache: Path, gpus: Gpus, *, quote: bool
) -> AsyncIterator[Engine]:
    """The servers of a model, once they are up, as one engine; afterwards they are gone.

    Args:
        name: the model's section of the configuration.
        items: what will be asked about. All of an item goes to one server, which then remembers its question.
        gpus: the job's, of which the model takes its own.
        quote: whether errors may quote what a server says while it is asked.
    """
    build, copies = find_build(), model.vllm.data_parallel
    devices = (
        gpus.take(model.vllm.tensor_parallel, copies, f"models.{name}.vllm") if not build.on_cpu else [[]] * copies
    )
    folder = await as_folder(model, build, cache)
    logs = [cache / name / f"vllm-{socket.gethostname()}-{os.getpid()}-{copy}.log" for copy in range(1, copies + 1)]
    async with AsyncExitStack() as stack:
        servers = await open_all(
            stack,
            (
                _serve_one(name, model, Server(model, model.model or name, folder, build, own), log, cap, quote=quote)
                for own, log, cap in zip(devices, logs, _shares(model.max_requests, copies), strict=True)
            ),
        )
        try:
            yield _Spread(dict(zip(items, cycle(servers), strict=False)))
        finally:
            for server in servers:
                server.child.let_go()  # all stop at once; the stack waits for them


@asynccontextmanager
async def _serve_one(
    name: str, model: Model, server: Server, log: Path, cap: int | None, *, quote: bool
) -> AsyncIterator["_Watched"]:
    key = secrets.token_urlsafe(24)
    async with AsyncExitStack() as stack:
        with free_port() as port:
            child = await stack.enter_async_context(running(server.command(port), server.environment(key), log))
            url = f"http://127.0.0.1:{port}"
            version = await ready(url, child, f"models.{name}.vllm", model.vllm.start_seconds)
        client = await stack.enter_async_context(
            Client(
                f"{url}/v1",
                key=key,
                concurrency=model.concurrency,
                retries=model.retries,
                timeout=model.timeout,
                max_requests=cap,
                quote=quote,
                server=f"vllm {version}, {_revision(model)}, {model.dtype}, on {_device(server)}",
                extra=lambda _: _wishes(model),
            )
        )
        yield _Watched(client, child, name, quote)


def _wishes(model: Model) -> dict[str, Any]:
    """What every request says besides. Some models think unless they are told not to; templates skip what they lack."""
    tokens = {"logprobs": True} if model.logprobs else {}  # of the chosen ones
    return tokens | {"chat_template_kwargs": {"enable_thinking": model.thinking}}


def _revision(model: Model) -> str:
    """Which weights they are, in short."""
    match model.weights:
        case HubSource(revision=revision, sha256=None):
            return f"weights {revision[:12]}"
        case source if source and source.sha256:
            return f"weights {source.sha256[:12]}"
        case _:
            return "weights not pinned"


def _device(server: Server) -> str:
    return "a processor" if server.build.on_cpu else names(server.devices)


def _shares(cap: int | None, copies: int) -> list[int | None]:
    """A cap on requests, as caps of each server that come to it together."""
    return [None if cap is None else len(range(copy, cap, copies)) for copy in range(copies)]


class _Watched:
    """A client whose requests fail as soon as its server has ended."""

    def __init__(self, client: Client, child: Child, name: str, quote: bool) -> None:
        self._client, self.child, self._name, self._quote = client, child, name, quote

    async def complete(self, request: Request) -> Response:
        asked = asyncio.ensure_future(self._client.complete(request))
        try:
            await asyncio.wait({asked, self.child.end}, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
        finally:
            asked.cancel()
        said = self.child.tail() if self._quote else f"Its log may quote a private item: {self.child.log}"
        raise UserError(
            f"models.{self._name}: its vLLM server ended (exit status {self.child.end.result()}) while it was asked. "
            f"What was answered is kept; run again to go on. {said}"
        )


class _Spread:
    """Servers of one model: each item has its own."""

    def __init__(self, servers: dict[str, _Watched]) -> None:
        self._servers = servers

    async def complete(self, request: Request) -> Response:
        return await self._servers[request.place.item].complete(request)
