"""Waiting for a server of ours to be ready, and noticing when it never will be."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp

from headcount.engines.child import Child
from headcount.errors import UserError


@contextmanager
def free_port() -> Iterator[int]:
    """A port that nobody else is given meanwhile; a server that shares addresses with others, as vLLM, can use it."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


async def ready(url: str, child: Child, where: str, seconds: float) -> str:
    """The version of a vLLM server, once it is ready.

    Args:
        where: the section of the configuration that it is started by, for errors.

    Raises:
        UserError: it has ended, or its time is up; with the end of its log.
    """
    answered = asyncio.create_task(_version_of_healthy(url))
    try:
        await asyncio.wait({answered, child.end}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if answered.done():
            return answered.result()
    finally:
        answered.cancel()
    if child.end.done():
        raise UserError(
            f"{where}: the server ended (exit status {child.end.result()}) before it was ready. {child.tail()}"
        )
    raise UserError(f"{where}: the server is not ready after {seconds:g} s (`start_seconds`). {child.tail()}")


async def _version_of_healthy(url: str) -> str:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session:
        while True:
            try:
                async with session.get(f"{url}/health") as health, session.get(f"{url}/version") as version:
                    if health.ok and version.ok:
                        return str((await version.json())["version"])
            except (aiohttp.ClientError, TimeoutError):
                pass
            await asyncio.sleep(0.3)
