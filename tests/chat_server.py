"""A real server of chat completions, in a thread, that answers as a test tells it to."""

import asyncio
import hashlib
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """The base address of a server on a free port of this machine."""
    loop, ready, address = asyncio.new_event_loop(), threading.Event(), []

    async def handle(request: web.Request) -> web.StreamResponse:
        return await answer(request)

    async def start() -> web.AppRunner:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        address.append(f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
        return runner

    async def stop(runner: web.AppRunner) -> None:
        await runner.cleanup()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def serve() -> None:
        runner = loop.run_until_complete(start())
        ready.set()
        loop.run_forever()
        loop.run_until_complete(stop(runner))
        loop.close()

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()
    try:
        yield address[0]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def completion(text: str, **more: Any) -> dict[str, Any]:
    """The JSON of a chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"} | more
    return {"choices": [choice], "usage": {"prompt_tokens": 11, "completion_tokens": 4}}


async def plain(request: web.Request) -> web.Response:
    """A well-formed reply, which depends on all of the question."""
    number = int(hashlib.sha256(json.dumps(await request.json(), sort_keys=True).encode()).hexdigest()[:4], 16) % 7
    return web.json_response(completion(f"FINAL: {number}\nCONF: 50\nRATIONALE: so said"))
