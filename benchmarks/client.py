"""How many requests a second the client sends on one core, against a local server that answers at once.

    python benchmarks/client.py

The server runs in a process of its own. Requests are counted by wall time and by the client's processor time: on a
busy machine the second is the fairer number.
"""

import asyncio
import json
import multiprocessing
import time
from collections.abc import Iterator

from aiohttp import web
from results import Numbers, Row, show

from headcount.engines.client import Client
from headcount.engines.request import Identity, Place, Request

REQUESTS, CONCURRENCY = 10_000, 64
REPLY = {
    "choices": [{"message": {"content": "FINAL: B\nCONF: 80\nRATIONALE: stub"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 300, "completion_tokens": 20},
}


def measured() -> Numbers:
    """Requests a second of wall time, and of one core's processor time."""
    ports: multiprocessing.Queue[int] = multiprocessing.Queue()
    server = multiprocessing.Process(target=_serve, args=(ports,), daemon=True)
    server.start()
    wall, processor = asyncio.run(_ask(ports.get(timeout=30)))
    server.terminate()
    return {"requests": REQUESTS, "a_second": REQUESTS / wall, "a_core_second": REQUESTS / processor}


def rows(numbers: Numbers) -> Iterator[Row]:
    what = f"client: {numbers['requests']:,} requests, {CONCURRENCY} in flight"
    yield Row(what, f"{numbers['a_second']:,.0f} a second")
    yield Row("the same of one core's processor time", f"{numbers['a_core_second']:,.0f} a second", "1,500")


async def _ask(port: int) -> tuple[float, float]:
    async with Client(f"http://127.0.0.1:{port}/v1", concurrency=CONCURRENCY) as client:
        requests = [_request(number) for number in range(REQUESTS)]
        await client.complete(requests[0])
        wall, processor = time.perf_counter(), time.process_time()
        await asyncio.gather(*map(client.complete, requests))
        return time.perf_counter() - wall, time.process_time() - processor


def _request(number: int) -> Request:
    identity = Identity("stub", "none", "api", "auto", 0.95, 64, False, None)
    place = Place("stub", "stub", "draws", f"item-{number}", 1, 0, 0, 1, 1)
    return Request(identity, (("user", "A question of usual length. " * 40),), 1.0, number, place)


def _serve(ports: "multiprocessing.Queue[int]") -> None:
    body = json.dumps(REPLY).encode()

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=body, content_type="application/json")

    async def start() -> None:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", answer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        ports.put(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(start())


if __name__ == "__main__":
    show(rows(measured()))
