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
from headcount.config_sections import CONDITIONS as CONDITIONS
from headcount.config_sections import PROBE_CONDITIONS as PROBE_CONDITIONS
from headcount.config_sections import Calibration, Estimates, Planning, Probing, Protocol
from headcount.config_sections import Condition as Condition
from headcount.config_sections import Experiment as Experiment
from headcount.config_sections import Fitting as Fitting
from headcount.config_sections import ProbeCondition as ProbeCondition
from headcount.config_sources import Closed
from headcount.config_tasks import Task as Task
from headcount.errors import UserError

RUN_NAME = r"^[a-z0-9][a-z0-9_-]*$"


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


class Config(Closed):
    """A run: what is asked of whom, and how the answers are judged."""

    run: Annotated[str, Field(pattern=RUN_NAME)] = Field(
        description="names the folder under `results/`; never part of a request"
    )
    seed: int = Field(0, description="of agents and peers; part of every request's seed")
    spending_cap: float | None = Field(
        None, gt=0, description="US dollars that all hosted models together may cost; what is in flight counts"
    )
    replay: Path | None = Field(None, description="a released cache: answer from it and never ask a model")
    tier: Literal["full", "open"] = Field(
        "full", description="what `headcount release` exports and `replay` expects: texts too, or `open`: answers alone"
    )
    models: dict[Name, Model] = Field(min_length=1, description="what can be asked")
    teams: dict[Name, Team] = Field(min_length=1, description="who works together")
    tasks: dict[Name, Task] = Field(min_length=1, description="what they are asked")
    experiments: dict[Name, Experiment] = Field(min_length=1, description="which of them, and how; blocks may overlap")
    probing: Probing | None = Field(None, description="which models are screened, and on what; none by default")
    protocol: Protocol = Field(Protocol(), description="how agents are asked")
    fitting: Fitting = Field(Fitting(), description="how laws are fitted")
    pilot: Planning = Field(Planning(), description="what a plan from the smallest teams is made for")
    estimates: Estimates = Field(Estimates(), description="assumptions of `headcount plan`")
    calibration: Calibration = Field(Calibration(), description="of intervals; results are in `results/calibration`")

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
    def _probed_names_exist(self) -> "Config":
        if self.probing:
            _known(self.probing.models, self.models, "probing.models", "models")
            _known(self.probing.tasks, self.tasks, "probing.tasks", "tasks")
        for name, task in self.tasks.items():
            if task.format == "high_flip":
                _known((str(task.of),), self.tasks, f"tasks.{name}.of", "tasks")
                _known((str(task.model),), self.models, f"tasks.{name}.model", "models")
                if self.tasks[str(task.of)].format in ("high_flip", "recorded"):
                    _refuse(f"tasks.{name}.of", f"{task.of!r} is itself chosen or recorded: name a task with questions")
                if self.tasks[str(task.of)].private and not task.private:
                    _refuse(f"tasks.{name}", f"is made of {task.of!r}, which is private: it needs 'private: true'")
        return self

    @model_validator(mode="after")
    def _ledger_asks_for_choices(self) -> "Config":
        where = {
            name: f"experiments.{block}.tasks" for block in self.experiments for name in self.experiments[block].tasks
        }
        asked = where if self.protocol.dialect == "ledger" else {}
        asked |= dict.fromkeys(self.probing.tasks if self.probing else (), "probing.tasks")
        asked |= {str(task.of): f"tasks.{name}.of" for name, task in self.tasks.items() if task.of}
        for name, key in asked.items():
            if not self.tasks[name].chosen:
                _refuse(key, f"{name!r} asks for no option, and the ledger's prompts ask for a letter")
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
    def _models_suit_what_they_are_probed_on(self) -> "Config":
        probing = self.probing
        screens = {"probing.models": list(product(probing.models, probing.tasks))} if probing else {}
        chosen = {name: task for name, task in self.tasks.items() if task.format == "high_flip"}
        screens |= {f"tasks.{name}.model": [(str(task.model), str(task.of))] for name, task in chosen.items()}
        for where, pairs in screens.items():
            for model, task in pairs:
                wrong = _unsuited(self.models[model].engine, self.tasks[task].format, task)
                if wrong:
                    _refuse(where, f"{model!r} {wrong}")
        return self

    @model_validator(mode="after")
    def _capped_models_have_prices(self) -> "Config":
        for name, model in self.models.items():
            if self.spending_cap is not None and model.engine == "api" and model.prices is None:
                _refuse(f"models.{name}.prices", "are needed under a 'spending_cap': give 'prompt' and 'completion'")
        return self

    @model_validator(mode="after")
    def _recorded_answers_are_replayed(self) -> "Config":
        for task in sorted({task for block in self.experiments.values() for task in block.tasks}):
            if self.tasks[task].format == "recorded" and self.replay is None:
                _refuse(f"tasks.{task}", "is recorded: the run needs 'replay', a release with its answers")
        return self

    def task(self, name: str) -> Task:
        """The task of a name, of its code axis too."""
        return self.tasks[asked(name, self.tasks)]

    def answers_only(self, task: str) -> bool:
        """Whether all that a release holds of a task is its answers: its texts never leave the machine they are on."""
        return self.tier == "open" or self.task(task).private or self.task(task).format == "recorded"

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
