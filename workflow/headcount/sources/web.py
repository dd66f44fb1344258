"""Files over HTTP, piece by piece, with an end to patience and no secrets in errors or redirects."""

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit

from headcount.config_sources import UrlSource
from headcount.errors import UserError
from headcount.sources.verified import CHUNK, holds, place, store


@dataclass(frozen=True)
class Patience:
    """When a download is given up: at silence, and at a trickle that no silence interrupts."""

    silence: float = 60  # seconds without a byte
    window: float = 60  # seconds over which the speed is judged
    speed: float = 1024  # bytes a second, the least


PATIENCE = Patience()


def fetch(source: UrlSource, cache: Path) -> Path:
    """The verified file at an address."""
    return download(source.url, source.sha256, cache)


def download(url: str, sha256: str, cache: Path, *, token: str | None = None, patience: Patience = PATIENCE) -> Path:
    """The verified file at an address, from the cache where it is there and undamaged.

    Args:
        token: sent as bearer to the address's own host, never to one that it redirects to.
    """
    target = place(cache, sha256, unquote(urlsplit(url).path))
    if holds(target, sha256):
        return target
    return store(target, _chunks(url, token, patience), sha256, shown(url))


def shown(url: str) -> str:
    """An address as errors name it: without user, password and query, which may be secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _chunks(url: str, token: str | None, patience: Patience) -> Iterator[bytes]:
    try:
        with _open(url, token, patience.silence) as response:
            yield from _steady(response, patience)
            if response.length:
                raise http.client.IncompleteRead(b"", response.length)
    except (OSError, http.client.HTTPException, ValueError) as problem:
        raise UserError(f"{shown(url)}: {_sentence(problem)}") from None


def _open(url: str, token: str | None, timeout: float) -> http.client.HTTPResponse:
    request = urllib.request.Request(url, headers={"User-Agent": "headcount"})
    if token:
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    opener = urllib.request.build_opener(_Redirects)
    response: http.client.HTTPResponse = opener.open(request, timeout=timeout)
    return response


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but never from https to an unencrypted address; a token stays with its host."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if old.scheme == "https" and new.scheme != "https":
            raise urllib.error.URLError("it redirects to an unencrypted address")
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        token = req.unredirected_hdrs.get("Authorization")
        if request is not None and token and (old.scheme, old.netloc) == (new.scheme, new.netloc):
            request.add_unredirected_header("Authorization", token)
        return request


def _steady(response: http.client.HTTPResponse, patience: Patience) -> Iterator[bytes]:
    """A response's pieces as they come; an error once they come too slowly."""
    start, received = time.monotonic(), 0
    while chunk := response.read1(CHUNK):
        yield chunk
        received += len(chunk)
        elapsed = time.monotonic() - start
        if elapsed > patience.window:
            if received < patience.speed * elapsed:
                raise TimeoutError
            start, received = time.monotonic(), 0


_STATUS = {
    401: "access needs a token. If it is on Hugging Face, set HF_TOKEN; or download it and use 'path'.",
    403: "access was refused. If it is on Hugging Face, accept its terms there and set HF_TOKEN.",
    404: "there is no such file. Check its address and revision.",
    429: "the server asks for fewer requests. Wait a while and run again.",
}


def _sentence(problem: Exception) -> str:
    """What went wrong and what to do, in words that hold neither header nor token."""
    match problem:
        case urllib.error.HTTPError(code=code):
            return f"HTTP {code}: " + _STATUS.get(code, "the server could not serve it. Run again later.")
        case TimeoutError() | urllib.error.URLError(reason=TimeoutError()):
            return "too slow, given up. Run again, or download it yourself and use 'path'."
        case http.client.IncompleteRead() | ConnectionError() | http.client.RemoteDisconnected():
            return "the connection was cut before the end. Run again."
        case urllib.error.URLError(reason=reason):
            return f"not reached ({reason}). Check the network and the proxy, or use 'path'."
        case _:
            return f"not reached ({type(problem).__name__}). Check the address."
