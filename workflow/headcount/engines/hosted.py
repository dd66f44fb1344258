"""Hosted models: any OpenAI-compatible server that others run, asked with a key, within limits, for money."""

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from headcount.config import Config, Model
from headcount.engines.bills import Till
from headcount.engines.client import Client
from headcount.engines.limits import Limits
from headcount.engines.spending import Spending, spending_file
from headcount.errors import UserError


def spending_of(config: Config, models: Iterable[str], cache: Path) -> AbstractContextManager[Spending | None]:
    """What a job's hosted models spend, if any of them has a price and is to be asked."""
    priced = [name for name in models if config.models[name].engine == "api" and config.models[name].prices]
    if config.replay or not priced:
        return nullcontext()
    return Spending(spending_file(cache, config.run), config.spending_cap)


def connect(name: str, model: Model, spending: Spending | None, *, quote: bool) -> Client:
    """A client of a hosted model. What answered is what the service says that it ran, and where."""
    assert model.url is not None
    host = urlsplit(model.url).hostname
    return Client(
        model.url,
        key=_key(name, model.key_env) if model.key_env else None,
        concurrency=model.concurrency,
        retries=model.retries,
        timeout=model.timeout,
        max_requests=model.max_requests,
        quote=quote,
        server=f"api {{model}} at {host}",
        limits=Limits(model.requests_per_minute, model.tokens_per_minute),
        till=Till(spending, model.prices) if model.prices else Till(),
        proxies=host not in ("localhost", "127.0.0.1", "::1"),
        extra=lambda _: {"logprobs": True, "top_logprobs": 1} if model.logprobs else {},
    )


def _key(name: str, variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UserError(f"models.{name}.key_env: the environment variable {variable} is not set.")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UserError(f"models.{name}.key_env: the environment variable {variable} holds what is no key (not shown).")
    return key
