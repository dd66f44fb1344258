"""Where requests are handed in: answered from the journal if anybody ever asked, else asked once and kept."""

import asyncio
from collections.abc import Mapping

from headcount.debate.journal import Journal
from headcount.debate.progress import Progress
from headcount.engines.base import Engine
from headcount.engines.request import Request, Response


class Desk:
    """Engines behind journals. Equal requests to a model share one response, and are asked and counted once."""

    def __init__(self, engines: Mapping[str, Engine], journals: Mapping[str, Journal], progress: Progress) -> None:
        """A model without a journal (a replay) is asked whenever it is asked: its engine is the store."""
        self._engines, self._journals, self._progress = engines, journals, progress
        self._responses: dict[tuple[str, str], asyncio.Task[Response]] = {}

    async def ask(self, model: str, request: Request) -> Response:
        """The one response that a request has."""
        asked = (model, request.key)
        if asked not in self._responses:
            self._responses[asked] = asyncio.create_task(self._respond(model, request))
        return await asyncio.shield(self._responses[asked])

    async def _respond(self, model: str, request: Request) -> Response:
        journal = self._journals.get(model)
        stored = journal.get(request.key) if journal else None
        if stored:
            self._progress.found()
            return stored
        response = await self._engines[model].complete(request)
        if journal:
            journal.put(request, response)
            self._progress.paid(response.completion_tokens)
        else:
            self._progress.found()
        return response

    async def close(self) -> None:
        """Stop what is still in flight."""
        for task in self._responses.values():
            task.cancel()
        await asyncio.gather(*self._responses.values(), return_exceptions=True)
