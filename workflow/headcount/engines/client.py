"""The one client of every OpenAI-compatible server, local or hosted. The only code that asks models over a network."""

import asyncio
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import aiohttp

from headcount.engines.bills import Till, most_tokens
from headcount.engines.failures import NoAnswer, no_answer
from headcount.engines.limits import Limits, retry_after
from headcount.engines.replies import is_counted, read_completion, read_refusal
from headcount.engines.request import Request, Response
from headcount.engines.secret import Secret
from headcount.errors import UserError
from headcount.sources.web import shown

_LONGEST_WAIT = 60.0  # of our own


class Client:
    """Pooled and bounded; asks again with growing, jittered waits; keeps to limits and stops at a cap.

    Args:
        server: what answers, noted with each reply; `{model}` in it becomes what the reply says of its model.
        limits: how fast it may be asked.
        till: what pays for it.
        proxies: whether to go through those that HTTPS_PROXY and its like name, as compute nodes often must.
        extra: more of the payload of a request.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        concurrency: int = 8,
        retries: int = 6,
        timeout: float = 600,
        max_requests: int | None = None,
        quote: bool = True,
        server: str | None = None,
        limits: Limits | None = None,
        till: Till | None = None,
        proxies: bool = False,
        extra: Callable[[Request], dict[str, Any]] = lambda _: {},
    ) -> None:
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._address = shown(self._url)
        self._secret, self._quote, self._server = Secret(key), quote, server
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._slots = asyncio.Semaphore(concurrency)
        self._retries, self._timeout = retries, aiohttp.ClientTimeout(total=timeout)
        self._left = max_requests
        self._limits, self._till = limits or Limits(), till or Till()
        self._failure: UserError | None = None
        self._answered, self._in_flight, self._landed = 0, 0, asyncio.Event()
        self._landed.set()
        self._extra, self._proxies = extra, proxies
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            headers=self._headers,
            connector=aiohttp.TCPConnector(limit=0),
            timeout=self._timeout,
            trust_env=self._proxies,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    async def complete(self, request: Request) -> Response:
        """The server's reply; UserError when it refuses to serve or keeps failing.

        After the first such error nothing more is sent, and what is in flight comes home first: it is paid for.
        """
        async with self._slots:
            if self._failure is None:
                try:
                    return await self._persist(request)
                except UserError as failure:
                    self._failure = self._failure or failure
        await self._landed.wait()
        assert self._failure is not None
        raise self._failure

    async def _persist(self, request: Request) -> Response:
        """Ask until there is an answer. To be told to wait is no failure as long as others are answered meanwhile."""
        tries, failures, answered = 0, 0, self._answered
        while True:
            try:
                return await self._try(request)
            except NoAnswer as failure:
                tries += 1
                failures += failure.worked or not failure.slower or self._answered == answered
                answered = self._answered
                if not failure.again:
                    raise UserError(f"{request.place}: {self._address} refused: {failure}") from None
                if failures > self._retries or self._failure:
                    raise UserError(f"{request.place}: {self._address} failed {tries} times: {failure}") from None
                await self._back_off(failure, tries)

    async def _back_off(self, failure: NoAnswer, tries: int) -> None:
        if failure.after:
            wait = failure.after * random.uniform(1, 1.1)
        else:
            wait = min(_LONGEST_WAIT, 0.25 * 2 ** min(tries, 9)) * random.uniform(0.5, 1.5)
        if failure.slower:
            self._limits.pause(wait)
        await asyncio.sleep(wait)

    async def _try(self, request: Request) -> Response:
        """Ask once, within the limits and the cap; what it really took corrects what was set aside for it."""
        prompt, completion = most_tokens(request)
        async with self._till.bill(prompt, completion) as bill:
            entry = await self._limits.admit(prompt + completion)
            self._count()
            bill.sent()
            try:
                response = await self._send(request)
            except NoAnswer as failure:
                if not failure.worked:
                    bill.turned_away()
                    self._limits.correct(entry, 0)
                raise
            if is_counted(response):
                bill.took(response.prompt_tokens, response.completion_tokens)
                self._limits.correct(entry, response.prompt_tokens + response.completion_tokens)
        self._answered += 1
        return response

    def _count(self) -> None:
        """Allow one more request, or say why not."""
        if self._failure:
            raise self._failure
        if self._left is not None:
            if self._left == 0:
                raise UserError(
                    "The spending cap 'max_requests' is reached. What was answered is kept; raise it to go on."
                )
            self._left -= 1

    async def _send(self, request: Request) -> Response:
        """One request over the network."""
        self._in_flight += 1
        self._landed.clear()
        try:
            return await self._ask(request)
        finally:
            self._in_flight -= 1
            if self._in_flight == 0:
                self._landed.set()

    async def _ask(self, request: Request) -> Response:
        assert self._session is not None, "use the client as a context manager"
        try:
            async with self._session.post(self._url, json=self._payload(request), allow_redirects=False) as reply:
                body = self._secret.out_of(await reply.read())
                status, headers = reply.status, reply.headers
        except aiohttp.ClientConnectorError as problem:
            raise NoAnswer(self._secret.hidden(f"{type(problem).__name__} {problem}"), worked=False) from None
        except (TimeoutError, aiohttp.ClientError) as problem:
            raise NoAnswer(self._secret.hidden(f"{type(problem).__name__} {problem}")) from None
        response = self._read(status, body, headers)
        server = self._server and self._server.replace("{model}", response.server or request.identity.model)
        return replace(response, server=server)

    def _read(self, status: int, body: bytes, headers: Mapping[str, str]) -> Response:
        """A server's answer, or its refusal to give one to this question, which is an answer too."""
        if status == 200:
            try:
                return read_completion(body)
            except ValueError as problem:
                raise NoAnswer(f"{problem}: {self._said(body)}") from None
        refusal = read_refusal(body) if status in (400, 403, 422) else None
        if refusal is None:
            raise no_answer(status, self._said(body), retry_after(headers))
        return refusal

    def _said(self, body: bytes) -> str:
        """The start of what a server said, unless it may quote a private item."""
        return self._secret.hidden(body.decode(errors="replace"))[:300] if self._quote else "(private, not shown)"

    def _payload(self, request: Request) -> dict[str, Any]:
        identity = request.identity
        payload: dict[str, Any] = {
            "model": identity.model,
            "messages": [{"role": role, "content": content} for role, content in request.messages],
            "temperature": request.temperature,
            "top_p": identity.top_p,
            "max_tokens": identity.max_tokens,
            "seed": request.seed,
        }
        if identity.stop:
            payload["stop"] = list(identity.stop)
        if identity.grammar is not None:
            payload["grammar"] = identity.grammar
        if identity.thinking:
            payload["chat_template_kwargs"] = {"enable_thinking": True}  # as vLLM, SGLang and llama.cpp name it
        return payload | self._extra(request)
