"""The embedded engine: llama.cpp's own server inside this process, on a loopback port with a random key."""

import os
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from headcount.config import Model
from headcount.engines.client import Client
from headcount.engines.request import Request

_WAITING = 32  # requests a slot


@asynccontextmanager
async def serve(model: Model, weights: Path, items: Iterable[str], *, quote: bool) -> AsyncIterator[Client]:
    """A client of an embedded server that has loaded `weights`; the server ends with the process.

    Every item has its slot, whose cache then holds the item's question: on a processor, reading a prompt is most of
    the work. Requests wait for their slot in the server, so the client sends more of them than there are slots.
    """
    key = secrets.token_urlsafe(24)
    server = _start(model, weights, key)
    slots = {item: index % model.concurrency for index, item in enumerate(items)}

    def extra(request: Request) -> dict[str, Any]:
        return {"id_slot": slots[request.place.item], "cache_prompt": True, "logprobs": True, "top_logprobs": 1}

    async with Client(
        f"{server.listening_address}/v1",
        key=key,
        concurrency=_WAITING * model.concurrency,
        retries=model.retries,
        timeout=model.timeout,
        max_requests=model.max_requests,
        quote=quote,
        server=_described(model),
        extra=extra,
    ) as client:
        yield client
    del server


def _described(model: Model) -> str:
    assert model.weights is not None
    return f"llamacpp {version('xllamacpp')}, weights {str(model.weights.sha256)[:12]}, {model.dtype}, on a processor"


def _start(model: Model, weights: Path, key: str):  # type: ignore[no-untyped-def]
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait must not spin: others need the cores too
    import xllamacpp  # heavy, only generation needs it, and it reads the environment when it is loaded

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.port = 0
    params.api_keys = [key]
    params.n_parallel = model.concurrency
    params.n_ctx = model.concurrency * model.context
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = model.threads or len(os.sched_getaffinity(0))
    params.verbosity = -1
    return xllamacpp.Server(params)
