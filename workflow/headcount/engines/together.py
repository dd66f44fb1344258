"""Things that take long to open, opened at once."""

import asyncio
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TypeVar

T = TypeVar("T")


async def open_all(stack: AsyncExitStack, contexts: Iterable[AbstractAsyncContextManager[T]]) -> list[T]:
    """Enter some contexts at once; the stack leaves them. If one fails, it is raised, and the others are given up."""
    try:
        async with asyncio.TaskGroup() as group:
            entering = [group.create_task(stack.enter_async_context(context)) for context in contexts]
    except BaseExceptionGroup as problems:
        raise problems.exceptions[0] from None
    return [task.result() for task in entering]
