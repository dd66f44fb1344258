"""What every engine is: a thing that answers requests, opened and closed around a job."""

from types import TracebackType
from typing import Protocol, Self

from headcount.engines.request import Request, Response


class Engine(Protocol):
    """Answers requests, many at once."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def complete(self, request: Request) -> Response:
        """The reply to a request; raises where there is none, and never makes one up."""
        ...
