"""What a user may ask for: closed models that validate a run's YAML, and generate its schema and reference.

A team, a task and a condition make a cell. Experiment blocks say which cells to run at which sizes; the planner
takes the union over blocks, so that blocks which overlap share files and calls.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import yaml
from pydantic import (
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from headcount.config_errors import explain
from headcount.config_sources import Closed, FileSource, Source
from headcount.errors import UserError

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=60)]
Condition = Literal["self_consistency", "debate", "self_correction", "noise"]
CONDITIONS: tuple[Condition, ...] = ("self_consistency", "debate", "self_correction", "noise")


class Sampling(Closed):
    """How a model chooses its words. Everything here is part of a request's key."""

    temperature: float = Field(0.4, ge=0, le=2, description="0 always takes the likeliest token")
    top_p: float = Field(0.95, gt=0, le=1, description="nucleus sampling")
    max_tokens: int = Field(1024, ge=1, description="longest reply")
    slot_temperatures: tuple[Annotated[float, Field(ge=0, le=2)], ...] | None = Field(
        None, min_length=1, description="temperatures by agent slot, cycled; in place of `temperature`"
    )

    def of_agent(self, agent: int) -> float:
        """The temperature of an agent, counted from 1."""
        slots = self.slot_temperatures or (self.temperature,)
        return slots[(agent - 1) % len(slots)]


class Population(Closed):
    """What the simulated engine's agents are like: per-item answer distributions and one rate of conformity."""

    accuracy: float = Field(0.6, ge=0, le=1, description="mean probability of the right answer")
    spread: float = Field(0.25, ge=0, lt=1, description="how much items differ in difficulty; 0: not at all")
    distinct_wrong: int = Field(20, ge=1, description="number of different wrong numbers on a free-form item")
    adoption: float = Field(0.1, ge=0, le=1, description="chance to adopt the mode, per peer that holds it")
    redraw: float = Field(0.1, ge=0, le=1, description="chance to think again in a revision where nobody is followed")
    missing: float = Field(0.0, ge=0, lt=1, description="share of replies with no answer in them")


class Model(Closed):
    """A language model, pinned, and the engine that serves it."""

    family: Name = Field(description="models of one family count as one in family-wise tables")
    engine: Literal["llamacpp", "vllm", "api", "simulated"] = Field(description="what answers its requests")
    model: str | None = Field(None, description="the name the server knows it by; the key of this section by default")
    weights: Source | None = Field(None, description="where its weights come from (llamacpp, vllm)")
    url: str | None = Field(None, description="base address of a running OpenAI-compatible server (api)")
    key_env: str | None = Field(None, description="environment variable that holds the API key (api)")
    dtype: str = Field("auto", description="number format or quantisation of the weights; part of the key")
    sampling: Sampling = Field(Sampling(), description="how it chooses its words")
    grammar: bool = Field(False, description="constrain replies to the FINAL/CONF/RATIONALE format (llamacpp)")
    rationale_characters: int = Field(160, ge=1, description="longest rationale the grammar allows")
    logprobs: bool = Field(False, description="store the log-probability of every token")
    thinking: bool = Field(False, description="ask a reasoning model to think before it answers")
    threads: int | None = Field(None, ge=1, description="processor threads (llamacpp); by default one a core")
    concurrency: int = Field(8, ge=1, description="requests in flight at once")
    context: int = Field(4096, ge=256, description="longest prompt and reply together, in tokens")
    retries: int = Field(6, ge=0, description="further tries of a request that failed for a reason outside it")
    timeout: float = Field(600, gt=0, description="seconds to wait for one reply")
    max_requests: int | None = Field(None, ge=1, description="spending cap: a job stops before request number cap + 1")
    population: Population = Field(Population(), description="its agents, where they are simulated")

    OPERATION: ClassVar = {"url", "key_env", "threads", "concurrency", "retries", "timeout", "max_requests"}

    def asked(self) -> str:
        """What a change of makes other requests: all but how the engine is run."""
        return self.model_dump_json(exclude=self.OPERATION)

    @model_validator(mode="after")
    def _engine_has_what_it_needs(self) -> "Model":
        needs = {"llamacpp": "weights", "vllm": "weights", "api": "url"}.get(self.engine)
        if needs and getattr(self, needs) is None:
            raise ValueError(f"engine {self.engine} needs '{needs}'")
        if isinstance(self.weights, FileSource) and self.weights.sha256 is None and self.engine == "llamacpp":
            raise ValueError("weights on this machine need their 'sha256': replies are kept under it")
        if self.key_env and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.key_env):
            raise ValueError("'key_env' is the name of an environment variable, never the key (not shown here)")
        if self.grammar and self.engine not in ("llamacpp", "simulated"):
            raise ValueError("a grammar is enforced by engine llamacpp only")
        return self


class Team(Closed):
    """Who is on a team: one model, or several whose agents take turns in the order given."""

    members: tuple[Name, ...] = Field(min_length=1, description="names of models; the pattern repeats along the team")

    def member(self, agent: int) -> str:
        """The model of an agent, counted from 1."""
        return self.members[(agent - 1) % len(self.members)]

    def slot(self, agent: int) -> int:
        """Which of its model's agents this one is: the first of a model on the team is that model's agent 1."""
        own = self.member(agent)
        return sum(self.member(other) == own for other in range(1, agent + 1))


class Task(Closed):
    """A set of questions with known answers."""

    format: Literal["mmlu_hard", "arithmetic", "gsm_hard", "gpqa_diamond", "humaneval", "file"] = Field(
        description="what the source holds and how it is read"
    )
    source: Source | None = Field(None, description="where it comes from; by default the pinned source of its format")
    items: int | None = Field(None, ge=1, description="size of a seeded subset; all items by default")
    seed: int = Field(0, description="chooses the subset")
    private: bool = Field(False, description="no text of its items or replies leaves this machine")

    @model_validator(mode="after")
    def _source_is_known(self) -> "Task":
        if self.source is None and self.format in ("gpqa_diamond", "file"):
            raise ValueError(f"format {self.format} has no public source; it needs 'source'")
        if self.format == "gpqa_diamond" and not self.private:
            raise ValueError("GPQA's authors ask that it is not published; it needs 'private: true'")
        return self


class Experiment(Closed):
    """A block of cells: every team on every task under every condition, at every size and peer count."""

    teams: tuple[Name, ...] = Field(min_length=1, description="names of teams")
    tasks: tuple[Name, ...] = Field(min_length=1, description="names of tasks")
    conditions: tuple[Condition, ...] = Field(CONDITIONS, min_length=1, description="what an agent hears in a revision")
    sizes: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = Field(min_length=1, description="team sizes N")
    updates: int = Field(2, ge=0, description="revision rounds after the first; the paper's tau")
    peers: tuple[Literal["full"] | Annotated[int, Field(ge=1)], ...] = Field(
        ("full",),
        min_length=1,
        description="how many others an agent hears: `full` is all, a number is k of them",
    )
    replicates: int = Field(1, ge=1, description="independent repetitions of everything")

    @model_validator(mode="after")
    def _peers_exist(self) -> "Experiment":
        for peers in self.peers:
            if peers != "full" and peers >= max(self.sizes):
                raise ValueError(f"nobody can hear {peers} others: no team in 'sizes' is larger than {max(self.sizes)}")
        return self


class Protocol(Closed):
    """How agents are asked and what they see of each other."""

    snippet_tokens: int = Field(120, ge=8, description="a peer's answer is cut to this many tokens")
    nesting: Literal["nested", "independent"] = Field(
        "nested", description="nested: a team of n is the first n agents; independent: new agents for every n"
    )
    items_in_flight: int = Field(64, ge=1, description="items worked on at once")


class Fitting(Closed):
    """How laws are fitted and how sure we are."""

    bootstrap: int = Field(300, ge=0, description="item resamples behind an interval; 0: none")
    confidence: float = Field(0.95, gt=0, lt=1, description="level of every interval")
    missing_limit: float = Field(0.05, ge=0, le=1, description="cells with a larger share missing are flagged")
    seed: int = Field(0, description="of the resamples")


class Estimates(Closed):
    """What `headcount plan` assumes where nothing has been measured. Estimates only: no result depends on them."""

    question_tokens: int = Field(150, ge=1, description="question, choices and instructions")
    reply_tokens: int = Field(120, ge=1, description="a typical reply")


class Config(Closed):
    """A run: what is asked of whom, and how the answers are judged."""

    run: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")] = Field(
        description="names the folder under `results/`; never part of a request"
    )
    seed: int = Field(0, description="of agents and peers; part of every request's seed")
    replay: Path | None = Field(None, description="a released cache: answer from it and never ask a model")
    models: dict[Name, Model] = Field(min_length=1, description="what can be asked")
    teams: dict[Name, Team] = Field(min_length=1, description="who works together")
    tasks: dict[Name, Task] = Field(min_length=1, description="what they are asked")
    experiments: dict[Name, Experiment] = Field(min_length=1, description="which of them, and how; blocks may overlap")
    protocol: Protocol = Field(Protocol(), description="how agents are asked")
    fitting: Fitting = Field(Fitting(), description="how laws are fitted")
    estimates: Estimates = Field(Estimates(), description="assumptions of `headcount plan`")

    @field_validator("models", "teams", "tasks", "experiments", mode="before")
    @classmethod
    def _names_are_text(cls, section: object) -> object:
        if isinstance(section, dict):
            return {str(name): value for name, value in section.items()}
        return section

    @model_validator(mode="after")
    def _references_exist(self) -> "Config":
        for name, team in self.teams.items():
            _known(team.members, self.models, f"teams.{name}.members", "models")
        for name, block in self.experiments.items():
            _known(block.teams, self.teams, f"experiments.{name}.teams", "teams")
            _known(block.tasks, self.tasks, f"experiments.{name}.tasks", "tasks")
        return self

    def replays_answers(self, task: str) -> bool:
        """Whether a task comes back as released answers alone: its texts never left their machine."""
        return self.replay is not None and self.tasks[task].private

    def simulated(self, team: str) -> bool:
        """Whether any member of a team is simulated: everything made from it says so."""
        return any(self.models[name].engine == "simulated" for name in self.teams[team].members)


def _known(names: tuple[str, ...], section: Mapping[str, object], where: str, what: str) -> None:
    for name in names:
        if name not in section:
            raise PydanticCustomError(
                "unknown_name",
                "is not one of the {what}",
                {"where": where, "value": name, "allowed": list(section), "what": what},
            )


def load(path: Path) -> Config:
    """Read and validate a run's YAML; an error names the file, the key, the value and what is allowed."""
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file.") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"{path}: not a readable text file: {problem}.") from None
    except yaml.YAMLError as problem:
        raise UserError(f"{path}: not valid YAML: {' '.join(str(problem).split())}") from None
    return parse(raw, str(path))


def parse(raw: object, where: str) -> Config:
    """Validate a configuration that is already in memory, as Snakemake holds it."""
    try:
        return Config.model_validate(raw)
    except ValidationError as problems:
        raise UserError(explain(problems, Config, where)) from None
