"""The embedded engine: llama.cpp's own server inside this process, on a loopback port with a random key."""

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from headcount.config import Model
from headcount.engines.client import Client


@asynccontextmanager
async def serve(model: Model, weights: Path) -> AsyncIterator[Client]:
    """A client of an embedded server that has loaded `weights`; the server ends with the process."""
    key = secrets.token_urlsafe(24)
    server = _start(model, weights, key)
    extra = {"cache_prompt": True, "logprobs": True, "top_logprobs": 1}
    async with Client(
        f"{server.listening_address}/v1",
        key=key,
        concurrency=model.concurrency,
        retries=model.retries,
        timeout=model.timeout,
        max_requests=model.max_requests,
        extra=extra,
    ) as client:
        yield client
    del server


def _start(model: Model, weights: Path, key: str):  # type: ignore[no-untyped-def]
    import xllamacpp  # heavy, and only generation needs it

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.port = 0
    params.api_keys = [key]
    params.n_parallel = model.concurrency
    params.n_ctx = model.concurrency * model.context
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = model.threads or os.cpu_count() or 1
    params.verbosity = -1
    return xllamacpp.Server(params)
