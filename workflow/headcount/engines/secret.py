"""An API key, and its removal from what servers say: some quote the key that they refuse."""

import json
from urllib.parse import quote

_REAL = 16  # characters; what is shorter ("EMPTY") is a word for servers that want any key, and may stand in a reply
_PART = 8  # characters of a key that are not shown either: what a server says may be cut in the middle of it


class Secret:
    """A key that is never to be shown or stored."""

    def __init__(self, key: str | None) -> None:
        key = key or ""
        escaped = json.dumps(key)[1:-1]
        whole = {key, quote(key, safe=""), escaped, escaped.replace("/", "\\/")} - {""}
        self._whole = sorted(whole, key=len, reverse=True)
        self._parts = [word[at : at + _PART] for word in self._whole for at in range(len(word) - _PART)]
        self._bytes = [word.encode() for word in self._whole] if len(key) >= _REAL else []

    def hidden(self, text: str) -> str:
        """A message without the key, and without longer parts of it."""
        for word in (*self._whole, *self._parts):
            text = text.replace(word, "(key)")
        return text

    def out_of(self, body: bytes) -> bytes:
        """A reply without the key."""
        for word in self._bytes:
            body = body.replace(word, b"(key)")
        return body
