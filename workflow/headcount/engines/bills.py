"""What requests cost: the most before they are sent, and what their replies say that they took."""

from math import ceil
from typing import Self

from headcount.config_models import Prices
from headcount.engines.request import Request
from headcount.engines.spending import Spending

_TEMPLATE_TOKENS = 32  # around a prompt and each message in it, in any chat template


def most_tokens(request: Request) -> tuple[int, int]:
    """Tokens that a request can take: a prompt has no more than its bytes, a reply no more than it may have."""
    contents = [content.encode("utf-8", "surrogatepass") for _, content in request.messages]
    prompt = _TEMPLATE_TOKENS * (1 + len(contents)) + sum(map(len, contents))
    return prompt, request.identity.max_tokens


def cost(prices: Prices, prompt: int, completion: int) -> int:
    """What tokens cost, in nanodollars."""
    return ceil(1000 * (prompt * prices.prompt + completion * prices.completion))


class Bill:
    """What one request is counted at: nothing until it is sent, then the most until its reply says better.

    A context: it waits until the most can be set aside, and counts what is due when it ends, however it ends.
    """

    def __init__(self, spending: Spending | None, prices: Prices, prompt: int, completion: int) -> None:
        self._spending, self._prices = spending, prices
        self._most, self._due = cost(prices, prompt, completion), 0

    async def __aenter__(self) -> Self:
        if self._spending:
            await self._spending.hold(self._most)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._spending:
            self._spending.settle(self._most, self._due)

    def sent(self) -> None:
        """From here on it may be billed."""
        self._due = self._most

    def turned_away(self) -> None:
        """The server did not work on it."""
        self._due = 0

    def took(self, prompt: int, completion: int) -> None:
        """Its reply says how many tokens it took."""
        self._due = cost(self._prices, prompt, completion)


class Till:
    """Where requests to one model are paid; without a spending all is free."""

    def __init__(self, spending: Spending | None = None, prices: Prices | None = None) -> None:
        self._spending, self._prices = spending, prices or Prices(prompt=0, completion=0)

    def bill(self, prompt: int, completion: int) -> Bill:
        """The bill of a request of at most so many tokens."""
        return Bill(self._spending, self._prices, prompt, completion)
