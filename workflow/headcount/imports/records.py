"""What is read from other people's files, whatever they look like: a debate, and an agent's battery of probes."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from headcount.imports.notes import Where


class Said(NamedTuple):
    """An agent's answer in a round, and as much as the file tells of it."""

    answer: str | None
    status: str  # as in ANSWERS
    rule: str = ""
    temperature: float | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0


class DebateKey(NamedTuple):
    """What tells debates apart, in an import of many files."""

    task: str
    team: str
    condition: str
    item: str
    replicate: int
    n: int
    k: int


@dataclass(frozen=True)
class Debate:
    """A team on a question, from its independent answers to the endpoint.

    Attributes:
        key: with n as far as the file tells: the highest agent where it does not.
        gold: the right answer.
        models: of each agent, by their names in the configuration.
        rounds: (rounds, agents); round 1 is the first.
        sized: the file says how large the team is, so that its size is no guess.
        where: the row that it was read from, or its first.
    """

    key: DebateKey
    gold: str
    models: tuple[str, ...]
    rounds: tuple[tuple[Said, ...], ...]
    sized: bool
    where: Where

    def same(self, other: "Debate") -> bool:
        """Whether both say the same."""
        return (self.gold, self.models, self.rounds) == (other.gold, other.models, other.rounds)


class BatteryKey(NamedTuple):
    """What tells batteries apart."""

    model: str
    task: str
    condition: str
    item: str
    agent: int


class ProbeAnswer(NamedTuple):
    """What an agent answered to a probe."""

    probe: str  # name of one of the battery
    alternative: str | None
    answer: str | None
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Battery:
    """An agent's first answer to a question, and its answers to the eight probes; none where there was no first."""

    key: BatteryKey
    gold: str | None  # null where the row does not say
    temperature: float | None
    initial: str | None
    repaired: bool
    probes: tuple[ProbeAnswer, ...]
    where: Where

    def same(self, other: "Battery") -> bool:
        """Whether both say the same."""
        return (self.initial, self.probes) == (other.initial, other.probes)


def said(answer: str | None, temperature: float | None = None, tokens: tuple[int, int] = (0, 0)) -> Said:
    """An answer of which nobody noted how it was read."""
    return Said(answer, "missing" if answer is None else "parsed", "", temperature, *tokens)


def majority(answers: Iterable[str | None]) -> str | None:
    """The most frequent answer, ties to the first by text, as the reference's files have it; None without answers."""
    votes = Counter(answer for answer in answers if answer is not None)
    return min(votes, key=lambda answer: (-votes[answer], answer), default=None)
