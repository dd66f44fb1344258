"""Models whose servers are programs that act as a test tells them to: fixture `acting`."""

import asyncio
import json
from dataclasses import replace

from asking import PLACE, REQUEST
from small_runs import small_config

from headcount.engines.open import open_engines

ITEMS = ("q0", "q1", "q2", "q3")


def configured(tmp_path, *, private=False, **models):
    """A configuration of models on vLLM; each is given what its settings have besides."""
    base = {"engine": "vllm", "weights": {"path": str(tmp_path / "weights")}}
    for settings in models.values():
        settings["vllm"] = {"start_seconds": 60} | settings.get("vllm", {})
    return small_config(
        models={name: base | settings for name, settings in models.items()},
        members=tuple(models),
        tasks={"a": {"format": "arithmetic", "private": private}},
    )


def replies(tmp_path, config, items=ITEMS):
    """What the servers of all models say to one request an item, by model."""

    async def main():
        async with open_engines(config, set(config.models), "a", dict.fromkeys(items), tmp_path / "cache") as engines:
            requests = [replace(REQUEST, place=PLACE._replace(item=item)) for item in items]
            return {
                name: await asyncio.gather(*(engine.complete(request) for request in requests))
                for name, engine in engines.items()
            }

    return asyncio.run(main())


def told(tmp_path):
    """What each process of a server was started with, in the order of their models."""
    notes = [json.loads(file.read_text()) for file in (tmp_path / "told").glob("*.json")]
    return sorted(notes, key=lambda note: (note["arguments"][-1:], note["environment"].get("CUDA_VISIBLE_DEVICES")))


def argument(note, name):
    return note["arguments"][note["arguments"].index(name) + 1]


def said(response):
    """What the program said of itself and of what it was asked."""
    return json.loads(response.text.partition("\n")[2])
