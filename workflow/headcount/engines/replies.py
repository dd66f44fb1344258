"""What a server's reply says: an answer, a refusal to answer, or nothing that is a chat completion."""

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import Any

from headcount.engines.request import Response

REFUSED = "content_filter"  # the finish reason of an answer that the service withheld
_POLICIES = (
    "contentfilter",
    "contentpolicy",
    "responsibleaipolicy",
    "moderation",
)  # in error codes, whatever their style
_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


def read_completion(body: bytes) -> Response:
    """A server's JSON as a response; `server` is what the reply says of its model.

    A finished reply without content is an answer with no text: a model may decline, or be cut off in its thoughts.

    Raises:
        ValueError: there is no choice in it: a failure, not an answer.
    """
    try:
        return _response(json.loads(body))
    except _MALFORMED as problem:
        raise ValueError(f"not a chat completion ({type(problem).__name__})") from None


def read_refusal(body: bytes) -> Response | None:
    """The answer of a service whose error says that it will not answer this question; None if it says anything else.

    Only codes are read: words such as "safety" stand in many messages.
    """
    try:
        reply = json.loads(body)
        codes = " ".join(_codes(reply)).lower().replace("_", "").replace("-", "")
        usage = reply.get("usage") if isinstance(reply, dict) else None
        return Response("", REFUSED, *_counts(usage)) if any(policy in codes for policy in _POLICIES) else None
    except _MALFORMED:
        return None


def is_counted(response: Response) -> bool:
    """Whether the server told how many tokens it took."""
    return response.prompt_tokens > 0 and (response.completion_tokens > 0 or not response.text)


def _response(reply: dict[str, Any]) -> Response:
    choice = reply["choices"][0]
    message, finish = choice["message"], choice.get("finish_reason")
    content = message.get("content") if finish else message["content"]
    text = _valid(content or "")
    if message.get("refusal") and not text:
        finish = REFUSED
    ends, logprobs = _tokens((choice.get("logprobs") or {}).get("content"), text)
    return Response(text, finish or "unknown", *_counts(reply.get("usage")), ends, logprobs, _server(reply))


def _counts(usage: dict[str, Any] | None) -> tuple[int, int]:
    """Tokens of prompt and reply. Thoughts are part of the reply; some services count them in the total alone."""
    prompt, completion, total = (
        max(0, int((usage or {}).get(f"{name}_tokens") or 0)) for name in ("prompt", "completion", "total")
    )
    return prompt, max(completion, total - prompt) if prompt else completion


def _server(reply: dict[str, Any]) -> str | None:
    said = [str(reply[name]) for name in ("model", "system_fingerprint") if reply.get(name)]
    return _valid(" ".join(said)) or None


def _codes(reply: Any) -> Iterator[str]:
    """The codes and types in an error, however deep a service puts them."""
    for name, value in (
        reply.items() if isinstance(reply, dict) else enumerate(reply if isinstance(reply, list) else ())
    ):
        if isinstance(value, dict | list):
            yield from _codes(value)
        elif name in ("code", "type", "status", "reason") and isinstance(value, str):
            yield value


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
