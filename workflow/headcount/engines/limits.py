"""How fast a hosted model may be asked: requests and tokens a minute, and not at all while it says to wait.

No minute, wherever it begins, has more than the limits allow. Libraries of rate limits grant and forget: what is
granted here is corrected once the reply says how many tokens it took, and a server's own word stops everybody.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

MINUTE = 60.0
_TICK = 0.001  # seconds; less may be lost in rounding


@dataclass
class Entry:
    """One request of the last minute; `tokens` is at first what it may take, and then what it took."""

    sent: float
    tokens: int


class Limits:
    """The rate limits of one model in one process. Requests go in the order in which they came."""

    def __init__(self, requests_per_minute: int | None = None, tokens_per_minute: int | None = None) -> None:
        self._requests, self._tokens = requests_per_minute, tokens_per_minute
        self._entries: deque[Entry] = deque()
        self._taken = 0  # tokens of all entries
        self._resume = 0.0
        self._next, self._corrected = asyncio.Lock(), asyncio.Event()

    async def admit(self, tokens: int) -> Entry:
        """Wait until a request of at most so many tokens may be sent.

        One that is larger than the limit of a minute gets a minute to itself.
        """
        clock = asyncio.get_running_loop().time
        async with self._next:
            while (wait := self._wait(clock(), tokens)) > 0:
                self._corrected.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._corrected.wait(), max(wait, _TICK))
            entry = Entry(clock(), tokens)
            if self._requests or self._tokens:
                self._entries.append(entry)
                self._taken += tokens
            return entry

    def correct(self, entry: Entry, tokens: int) -> None:
        """A request of the last minute took so many tokens."""
        if self._entries and entry.sent >= self._entries[0].sent:
            self._taken += tokens - entry.tokens
        entry.tokens = tokens
        self._corrected.set()

    def pause(self, seconds: float) -> None:
        """Let nobody ask for a while: the server said that it is too much."""
        self._resume = max(self._resume, asyncio.get_running_loop().time() + seconds)

    def _wait(self, now: float, tokens: int) -> float:
        """Seconds until a request may go, as far as is known now."""
        while self._entries and self._entries[0].sent + MINUTE <= now:
            self._taken -= self._entries.popleft().tokens
        many = self._requests is not None and len(self._entries) >= self._requests
        large = self._tokens is not None and self._taken + tokens > self._tokens
        free = self._entries[0].sent + MINUTE if self._entries and (many or large) else now
        return max(free, self._resume) - now


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until a server wants to be asked again, which it gives as such or as a date; None if it gives neither."""
    said = headers.get("Retry-After")
    if said is None:
        return None
    try:
        return max(0.0, float(said)) if isfinite(float(said)) else None
    except ValueError:
        now, then = _date(headers.get("Date", "")) or datetime.now(UTC), _date(said)
        return max(0.0, (then - now).total_seconds()) if then else None


def _date(said: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(said)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)  # "-0000" is UTC by an unknown clock
