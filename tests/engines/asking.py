"""A request, and a client that asks it of a server that a test makes."""

import asyncio

from aiohttp import web
from chat_server import plain, serving

from headcount.engines.client import Client
from headcount.engines.request import Identity, Place, Request

KEY = "sk-secret-0123456789"
PLACE = Place("t", "a", "debate", "q0", 1, 3, 2, 1, 1)
IDENTITY = Identity("served", "remote", "api", "auto", 0.95, 9, False, None)
REQUEST = Request(IDENTITY, (("user", "Äh?"),), 0.4, 7, PLACE)


def ask(answer, requests=(REQUEST,), **settings):
    """The replies of a server that behaves so, in the order asked."""

    async def main(url):
        async with Client(url, **({"key": KEY, "retries": 2, "timeout": 5} | settings)) as client:
            return await asyncio.gather(*(client.complete(request) for request in requests))

    with serving(answer) as url:
        return asyncio.run(main(url))


def first_then_well(*first):
    """Behaves in these ways one after the other, then well."""
    ways = list(first)

    async def answer(request):
        return await (ways.pop(0) if ways else plain)(request)

    return answer


async def busy(_):
    return web.Response(status=429, headers={"Retry-After": "0.3"})
