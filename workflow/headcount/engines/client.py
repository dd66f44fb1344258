"""The one client of every OpenAI-compatible server, local or hosted. The only code that asks models over a network."""

import asyncio
import json
import random
from codecs import getincrementaldecoder
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import aiohttp

from headcount.engines.request import Request, Response
from headcount.errors import UserError
from headcount.sources.web import shown

_BUSY = {408, 409, 425, 429, 500, 502, 503, 504, 529}  # worth asking again
_LONGEST_WAIT = 60.0


class _Retry(Exception):
    """The server gave no answer, for a reason outside the question."""

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


class Client:
    """Pooled and bounded; asks again with growing, jittered waits; stops at the spending cap."""

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
        extra: Callable[[Request], dict[str, Any]] = lambda _: {},
    ) -> None:
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._address = shown(self._url)
        self._key, self._quote, self._server = key, quote, server
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._slots = asyncio.Semaphore(concurrency)
        self._retries, self._timeout = retries, aiohttp.ClientTimeout(total=timeout)
        self._left = max_requests
        self._failure: UserError | None = None
        self._in_flight, self._landed = 0, asyncio.Event()
        self._extra = extra
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(limit=0)
        self._session = aiohttp.ClientSession(headers=self._headers, connector=connector, timeout=self._timeout)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    async def complete(self, request: Request) -> Response:
        """The server's reply; UserError when it refuses the request or keeps failing.

        After the first such error nothing more is sent, and what is in flight comes home first: it is paid for.
        """
        async with self._slots:
            if self._failure is None:
                self._in_flight += 1
                self._landed.clear()
                try:
                    return await self._persist(request)
                except UserError as failure:
                    self._failure = self._failure or failure
                finally:
                    self._in_flight -= 1
                    if self._in_flight == 0:
                        self._landed.set()
        await self._landed.wait()
        assert self._failure is not None
        raise self._failure

    async def _persist(self, request: Request) -> Response:
        for attempt in range(self._retries + 1):
            self._spend()
            try:
                return await self._ask(request)
            except _Retry as failure:
                if attempt == self._retries or self._failure:
                    said = self._without_key(f"{self._address} failed {attempt + 1} times: {failure}")
                    raise UserError(f"{request.place}: {said}") from None
                await asyncio.sleep(failure.after or min(_LONGEST_WAIT, 0.5 * 2**attempt) * random.uniform(0.5, 1.5))
        raise AssertionError("unreachable")

    def _spend(self) -> None:
        """Allow one more request, or say why not."""
        if self._failure:
            raise self._failure
        if self._left is not None:
            if self._left == 0:
                raise UserError(
                    "The spending cap 'max_requests' is reached. What was answered is kept; raise it to go on."
                )
            self._left -= 1

    async def _ask(self, request: Request) -> Response:
        assert self._session is not None, "use the client as a context manager"
        try:
            async with self._session.post(self._url, json=self._payload(request)) as reply:
                body = await reply.read()
                if reply.status in _BUSY:
                    raise _Retry(f"status {reply.status}", _seconds(reply.headers.get("Retry-After")))
                if reply.status != 200:
                    raise UserError(f"{request.place}: {self._address} refused: {reply.status} {self._said(body)}")
        except (TimeoutError, aiohttp.ClientError) as problem:
            raise _Retry(f"{type(problem).__name__} {problem}") from None
        try:
            return replace(_response(body), server=self._server)
        except (ValueError, LookupError, TypeError, AttributeError) as problem:
            raise _Retry(f"not a chat completion ({type(problem).__name__}): {self._said(body)}") from None

    def _said(self, body: bytes) -> str:
        """The start of what a server said, unless it may quote a private item."""
        return self._without_key(body.decode(errors="replace"))[:300] if self._quote else "(private, not shown)"

    def _without_key(self, said: str) -> str:
        """Some servers quote the key that they refuse."""
        return said.replace(self._key, "(key)") if self._key else said

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


def _response(body: bytes) -> Response:
    """A server's JSON as a response; what has no choice in it is a failure, not an answer, and raises."""
    reply = json.loads(body)
    choice, usage = reply["choices"][0], reply.get("usage") or {}
    text = _valid(choice["message"]["content"] or "")
    ends, logprobs = _tokens((choice.get("logprobs") or {}).get("content"), text)
    return Response(
        text=text,
        finish_reason=choice.get("finish_reason") or "unknown",
        prompt_tokens=int(usage.get("prompt_tokens") or 0),
        completion_tokens=int(usage.get("completion_tokens") or 0),
        token_ends=ends,
        token_logprobs=logprobs,
    )


def _valid(text: str) -> str:
    """Text that can be stored: half a surrogate pair, which JSON may hold, becomes the replacement character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _tokens(tokens: list[dict[str, Any]] | None, text: str) -> tuple[tuple[int, ...] | None, tuple[float, ...] | None]:
    """Where each token ends in the text, in characters, and its log-probability.

    Servers count in bytes, and a token may end inside a character: it then ends before it. Marks after the text's end
    are tokens too; tokens that spell another text (some servers count thoughts that they do not show) tell nothing.
    """
    data, at, length, ends = text.encode(), 0, 0, []
    characters = getincrementaldecoder("utf-8")()  # holds back the bytes of an unfinished character
    for token in tokens or ():
        spelt = bytes(token["bytes"]) if token.get("bytes") is not None else token["token"].encode()
        if at < len(data) and data[at : at + len(spelt)] != spelt:
            tokens = None
            break
        length += len(characters.decode(data[at : at + len(spelt)]))
        at += len(spelt)
        ends.append(length)
    if not tokens:
        return None, None
    return tuple(ends), tuple(round(float(token["logprob"]), 4) for token in tokens)


def _seconds(retry_after: str | None) -> float | None:
    try:
        return min(_LONGEST_WAIT, float(retry_after)) if retry_after else None
    except ValueError:  # an HTTP date: our own waits will do
        return None
