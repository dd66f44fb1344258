"""What a user may ask for: closed models that validate a run's YAML, and generate its schema and reference.

A team, a task and a condition make a cell. Experiment blocks say which cells to run at which sizes; the planner
takes the union over blocks, so that blocks which overlap share files and calls.
"""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import (
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from headcount.axes import asked, code_task
from headcount.config_errors import explain
from headcount.config_models import Model as Model
from headcount.config_models import Name
from headcount.config_models import Population as Population
from headcount.config_models import Sampling as Sampling
from headcount.config_sources import Closed, Source
from headcount.errors import UserError

Condition = Literal["self_consistency", "debate", "self_correction", "noise"]
CONDITIONS: tuple[Condition, ...] = ("self_consistency", "debate", "self_correction", "noise")


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

    format: Literal[
        "mmlu_hard", "arithmetic", "gsm_hard", "gpqa_diamond", "humaneval", "file", "recorded", "made_up"
    ] = Field(
        description="what the source holds and how it is read; `recorded`: nothing is read, answers alone are "
        "replayed; `made_up`: questions without content, for simulated models"
    )
    source: Source | None = Field(None, description="where it comes from; by default the pinned source of its format")
    items: int | None = Field(
        None, ge=1, description="size of a seeded subset; all by default. Of recorded or made-up tasks: how many"
    )
    options: int | None = Field(None, ge=2, le=10, description="of a made-up question; none: a number is asked")
    seed: int = Field(0, description="chooses the subset")
    private: bool = Field(False, description="no text of its items or replies leaves this machine")

    @model_validator(mode="after")
    def _source_is_known(self) -> "Task":
        if self.source is None and self.format in ("gpqa_diamond", "file"):
            raise ValueError(f"format {self.format} has no public source; it needs 'source'")
        if self.format == "gpqa_diamond" and not self.private:
            raise ValueError("GPQA's authors ask that it is not published; it needs 'private: true'")
        if self.format == "humaneval" and self.private:
            raise ValueError("answers to HumanEval are programs, which quote replies: it cannot be 'private'")
        return self

    @model_validator(mode="after")
    def _items_that_are_not_loaded_are_counted(self) -> "Task":
        if self.format in ("recorded", "made_up"):
            if self.items is None:
                raise ValueError(f"format {self.format} needs 'items', the number of its items")
            if self.source is not None:
                raise ValueError(f"format {self.format} takes no 'source': its items are not loaded")
        if self.options is not None and self.format != "made_up":
            raise ValueError("'options' is for format made_up: other questions bring their own")
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
    shards: int = Field(
        1,
        ge=1,
        le=999,
        description="jobs that share a cell's items; where blocks overlap, the largest number counts",
    )

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
    thinking_tokens: int = Field(2000, ge=1, description="the same of a model that thinks first, thoughts included")
    tokens_per_second: int = Field(2000, ge=1, description="tokens of replies that one GPU writes a second")


class Config(Closed):
    """A run: what is asked of whom, and how the answers are judged."""

    run: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")] = Field(
        description="names the folder under `results/`; never part of a request"
    )
    seed: int = Field(0, description="of agents and peers; part of every request's seed")
    spending_cap: float | None = Field(
        None, gt=0, description="US dollars that all hosted models together may cost; what is in flight counts"
    )
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

    @model_validator(mode="after")
    def _axes_have_names_of_their_own(self) -> "Config":
        for name, task in self.tasks.items():
            if task.format == "humaneval" and code_task(name) in self.tasks:
                _refuse(f"tasks.{code_task(name)}", f"is what the code of {name!r} is called: choose another name")
        return self

    @model_validator(mode="after")
    def _models_suit_their_tasks(self) -> "Config":
        for name, block in self.experiments.items():
            for team, task in product(block.teams, block.tasks):
                for model in self.teams[team].members:
                    wrong = _unsuited(self.models[model].engine, self.tasks[task].format, task)
                    if wrong:
                        _refuse(f"experiments.{name}.teams", f"{model!r} of {team!r} {wrong}")
        return self

    @model_validator(mode="after")
    def _capped_models_have_prices(self) -> "Config":
        for name, model in self.models.items():
            if self.spending_cap is not None and model.engine == "api" and model.prices is None:
                _refuse(f"models.{name}.prices", "are needed under a 'spending_cap': give 'prompt' and 'completion'")
        return self

    @model_validator(mode="after")
    def _recorded_agents_heard_nobody(self) -> "Config":
        for name, block in self.experiments.items():
            for task in block.tasks:
                if self.tasks[task].format == "recorded" and set(block.conditions) != {"self_consistency"}:
                    _refuse(f"experiments.{name}.conditions", f"{task!r} is recorded: [self_consistency] is all it has")
                if self.tasks[task].format == "recorded" and self.replay is None:
                    _refuse(f"tasks.{task}", "is recorded: the run needs 'replay', a release with its answers")
        return self

    def task(self, name: str) -> Task:
        """The task of a name, of its code axis too."""
        return self.tasks[asked(name, self.tasks)]

    def answers_only(self, task: str) -> bool:
        """Whether all that a release holds of a task is its answers: its texts never leave the machine they are on."""
        return self.task(task).private or self.task(task).format == "recorded"

    def replays_answers(self, task: str) -> bool:
        """Whether a task comes back as released answers alone."""
        return self.replay is not None and self.answers_only(task)

    def mixed(self, team: str) -> bool:
        """Whether a team's agents are of several models."""
        return len(set(self.teams[team].members)) > 1

    def simulated(self, team: str) -> bool:
        """Whether any member of a team is simulated: everything made from it says so."""
        return any(self.models[name].engine == "simulated" for name in self.teams[team].members)


def _unsuited(engine: str, form: str, task: str) -> str | None:
    """Why a model of an engine cannot be asked a task of a format; None if it can."""
    if form == "recorded" and engine != "recorded":
        return f"is not recorded, and {task!r} is"
    if engine == "recorded" and form != "recorded":
        return f"is never asked, so not {task!r}"
    if form == "made_up" and engine != "simulated":
        return f"is no simulated model, and {task!r} is made up: there is nothing to read in it"
    return None


def _known(names: tuple[str, ...], section: Mapping[str, object], where: str, what: str) -> None:
    for name in names:
        if name not in section:
            raise PydanticCustomError(
                "unknown_name",
                "is not one of the {what}",
                {"where": where, "value": name, "allowed": list(section), "what": what},
            )


def _refuse(where: str, problem: str) -> None:
    raise PydanticCustomError("misuse", "{problem}", {"where": where, "problem": problem})


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
