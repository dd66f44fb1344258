"""Which models a run has cards of, and which debates each is about.

A card is a model's row: a team of one model that debates, and the model's screens. Teams of several models have none:
no screen, family or gate of theirs could be set beside other rows. They are in the tables of the ledger.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from headcount.config import Config
from headcount.debate.planner import PANEL, Cell, Plan, Screen, plan

LAST = 4  # the round after its third revision, which its endpoint is


@dataclass(frozen=True)
class Panel:
    """The debates that a card is about: one size and one endpoint for all tasks, so that counts may be added.

    Attributes:
        team: of one model; the first by name, if there are more of it.
        tasks: those that it debates at this size.
        n: three, as in the paper, if the team debates so; else the size of the most tasks, and of these the largest.
        round: the last that all these debates have, and at most the fourth, the paper's R3.
        alone: tasks on which the team also thinks again at this size and hears nobody.
    """

    team: str
    tasks: tuple[str, ...]
    n: int
    round: int
    alone: tuple[str, ...]

    @property
    def revisions(self) -> int:
        """The endpoint as the paper numbers it: R1 is the first round in which others are heard."""
        return self.round - 1


@dataclass(frozen=True)
class Subject:
    """What a card is of."""

    model: str
    panel: Panel | None
    screens: tuple[Screen, ...]

    @property
    def tasks(self) -> list[str]:
        """Those debated and those screened."""
        return sorted({*(self.panel.tasks if self.panel else ()), *(screen.task for screen in self.screens)})

    def files(self, config: Config) -> list[str]:
        """The files of the run that are the model's own, below the run's folder."""
        team = [f"{stage}/{self.panel.team}.parquet" for stage in ("transitions", "answers")] if self.panel else []
        return [*team, *(f"probes/{screen.model}/{screen.task}.parquet" for screen in self.screens), *self.told(config)]

    def told(self, config: Config) -> list[str]:
        """Those that say who answered; tasks that are replayed from answers alone do not."""
        debated = [("draws", task) for task in (self.panel.tasks if self.panel else ())]
        asked = [*debated, *(("probe_replies", screen.task) for screen in self.screens)]
        return [f"{stage}/{self.model}/{task}.parquet" for stage, task in asked if not config.replays_answers(task)]

    def described(self, config: Config) -> str:
        """All of the configuration that a card shows or is made by; not how engines are run."""
        tasks = {name: task.model_dump_json() for name, task in config.tasks.items()}
        fitting = config.fitting.model_dump_json()
        run = (config.run, config.seed, config.tier, str(config.replay), config.protocol.dialect)
        return f"{self} {config.models[self.model].asked()} {tasks} {fitting} {run}"


def subjects(config: Config, planned: Plan | None = None) -> list[Subject]:
    """The models that debate in a team of their own, or are screened, by name."""
    planned = planned or plan(config)
    panels: dict[str, Panel] = {}
    for team in sorted({cell.team for cell in planned.cells if not config.mixed(cell.team)}):
        found = _panel(team, [cell for cell in planned.cells if cell.team == team])
        if found:
            panels.setdefault(config.teams[team].members[0], found)
    screens: dict[str, list[Screen]] = defaultdict(list)
    for screen in planned.screens:
        if screen.purpose == "probe":
            screens[screen.model].append(screen)
    return [Subject(name, panels.get(name), tuple(screens[name])) for name in sorted({*panels, *screens})]


def _panel(team: str, cells: Iterable[Cell]) -> Panel | None:
    debated: dict[int, dict[str, int]] = defaultdict(dict)  # by size: tasks and their revisions
    alone: dict[int, set[str]] = defaultdict(set)
    for cell in cells:
        for shape in cell.shapes:
            if cell.condition == "debate" and shape.speaks and shape.k == shape.n - 1:
                debated[shape.n][cell.task] = shape.updates
            elif cell.condition == "self_correction" and shape.updates:
                alone[shape.n].add(cell.task)
    if not debated:
        return None
    n = PANEL if PANEL in debated else max(debated, key=lambda size: (len(debated[size]), size))
    last = min(1 + min(debated[n].values()), LAST)
    return Panel(team, tuple(sorted(debated[n])), n, last, tuple(sorted(alone[n] & debated[n].keys())))
