"""What every engine is: a thing that answers requests."""

from typing import Protocol

from headcount.engines.request import Request, Response


class Engine(Protocol):
    """Answers requests, many at once."""

    async def complete(self, request: Request) -> Response:
        """The reply to a request; raises where there is none, and never makes one up."""
        ...
