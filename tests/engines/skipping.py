"""An event loop that never waits: when nothing is to be done before some moment, it is that moment."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Skipping(selectors.DefaultSelector):
    now = 0.0

    def select(self, timeout=None):
        self.now += timeout or 0
        return super().select(0)


def _loop() -> asyncio.AbstractEventLoop:
    selector = _Skipping()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    return loop


def skip(work: Coroutine[Any, Any, Any]) -> Any:
    """The result of work that waits for nothing but time; `loop.time()` starts at 0."""
    with asyncio.Runner(loop_factory=_loop) as runner:
        return runner.run(work)
