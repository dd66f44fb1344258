"""A request is its content: equal requests have equal keys, and are asked once."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from headcount.config import Model
from headcount.config_sources import FileSource, HubSource, UrlSource, WheelSource


class Place(NamedTuple):
    """Where a reply is wanted. Names things in errors and progress; never part of a key."""

    team: str
    task: str
    condition: str
    item: str
    replicate: int
    n: int
    k: int
    round: int
    agent: int

    def __str__(self) -> str:
        cell = f"{self.team} / {self.task} / {self.condition}"
        return f"{cell}, item {self.item}, n={self.n}, k={self.k}, round {self.round}, agent {self.agent}"


@dataclass(frozen=True)
class Identity:
    """What can change a model's words besides the request: one for all requests of a model in a run."""

    model: str
    weights: str  # hash or revision of the weights, which hold the chat template; or "remote"
    engine: str
    dtype: str
    top_p: float
    max_tokens: int
    thinking: bool
    grammar: str | None
    stop: tuple[str, ...] = ()
    serving: tuple[str, ...] = ()  # how the server was told to compute otherwise than it does by itself

    def settings(self) -> dict[str, Any]:
        """The fields as JSON holds them; `serving` only where there is any, since most requests have none."""
        fields = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}
        return fields if self.serving else {name: value for name, value in fields.items() if name != "serving"}


@dataclass(frozen=True)
class Request:
    """One question to one model. Its key is the SHA-256 of all that can change the reply."""

    identity: Identity
    messages: tuple[tuple[str, str], ...]  # (role, content)
    temperature: float
    seed: int
    place: Place = field(compare=False)

    @cached_property
    def messages_hash(self) -> str:
        return _sha256([list(message) for message in self.messages])

    def fields(self) -> dict[str, Any]:
        """Everything in the key, with the messages as their hash: stored whole, they would be most of the cache."""
        variable = {"temperature": self.temperature, "seed": self.seed, "messages": self.messages_hash}
        return self.identity.settings() | variable

    @cached_property
    def key(self) -> str:
        return _sha256(self.fields())


@dataclass(frozen=True)
class Response:
    """What came back, as the server said it."""

    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    token_ends: tuple[int, ...] | None = None  # character offset where each token ends
    token_logprobs: tuple[float, ...] | None = None
    server: str | None = None  # what answered: engine, version, weights, device


def identify(name: str, model: Model, grammar: str | None) -> Identity:
    """The part of every request's key that a model's configuration fixes."""
    return Identity(
        model=model.model or name,
        weights=_weights(model),
        engine=model.engine,
        dtype=model.dtype,
        top_p=model.sampling.top_p,
        max_tokens=model.sampling.max_tokens,
        thinking=model.thinking,
        grammar=grammar,
        serving=model.vllm.serving() if model.engine == "vllm" else (),
    )


def _weights(model: Model) -> str:
    match model.weights:
        case HubSource(hub=hub, revision=revision, file=None):
            return f"{hub}@{revision}"
        case FileSource(sha256=None, path=path):
            return str(path)
        case (
            WheelSource(sha256=sha256) | UrlSource(sha256=sha256) | HubSource(sha256=sha256) | FileSource(sha256=sha256)
        ):
            return str(sha256)
        case None if model.engine == "simulated":
            return _sha256(_population(model))
        case None:
            return "remote"


_FIRST = {"accuracy", "spread", "distinct_wrong", "adoption", "redraw", "missing"}  # what populations began with


def _population(model: Model) -> dict[str, Any]:
    """The fields of a population; later ones only where they are set, so that keys of older replies stand.

    With them the family of agents who have answers in common with others of it.
    """
    population = model.population
    fields = population.model_dump(include=_FIRST | population.model_fields_set)
    return fields | ({"family": model.family} if population.correlation else {})


def _sha256(value: object) -> str:
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
