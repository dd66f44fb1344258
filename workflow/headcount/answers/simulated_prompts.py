"""What prompts and replies of simulated agents are like, from examples: their length, and how they are read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from headcount.answers.table import reading
from headcount.config import Config
from headcount.debate.dialects import DIALECTS, Dialect
from headcount.debate.planner import Shape
from headcount.debate.prompts import Messages, Peer
from headcount.engines.questions import Question
from headcount.engines.simulated import LEAST_SURE, stated
from headcount.populations.answers import IntArray

CHARACTERS_A_TOKEN = 4  # of a prompt, as the simulated engine counts them


@dataclass(frozen=True)
class Reading:
    """A reply, read: the columns of EXTRACTED that do not depend on which answer it states, and its tokens."""

    columns: dict[str, Any]
    tokens: int


@dataclass(frozen=True)
class Examples:
    """Of a task under a run's dialect."""

    config: Config
    items: Sequence[Question]

    @cached_property
    def answered(self) -> Reading:
        return self._read(self.items[0].gold)

    @cached_property
    def silent(self) -> Reading:
        return self._read(None)

    @cached_property
    def first(self) -> IntArray:
        """Characters of round 1's prompt, (items,)."""
        return np.array([_characters(self._dialect.first(item)) for item in self.items])

    def more(self, shape: Shape, condition: str) -> int:
        """Characters that a revision's prompt has beyond round 1's, on the first item, where everybody answered."""
        item, said = self.items[0], self._said(self.items[0].gold)
        heard = (1,) if condition == "self_correction" else range(2, shape.k + 2)
        messages = self._dialect.revision(item, Peer(1, said), tuple(Peer(agent, said) for agent in heard))
        return _characters(messages) - int(self.first[0])

    @property
    def _dialect(self) -> Dialect:
        return DIALECTS[self.config.protocol.dialect]

    def _said(self, answer: str | None) -> str:
        return stated(self.items[0], answer, LEAST_SURE, tagged=self.config.protocol.dialect == "ledger")

    def _read(self, answer: str | None) -> Reading:
        text = self._said(answer)
        reply = {"request": "", "text": text, "finish_reason": "stop", "token_ends": None, "token_logprobs": None}
        columns = reading(self.items[0], reply, self.config.protocol.dialect)
        return Reading(columns, len(re.findall(r"\S+", text)))


def _characters(messages: Messages) -> int:
    return len(messages[-1][1])
