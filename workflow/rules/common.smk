"""The configuration, the work it plans, and the names that rules share."""

import re
from pathlib import Path

from headcount.config import parse as parse_config
from headcount.debate.planner import plan
from headcount.digest import digest
from headcount.errors import UserError
from headcount.publish import figures, tables

try:
    settings = parse_config(config, ", ".join(map(str, workflow.configfiles)))
    planned = plan(settings)
except UserError as mistake:
    raise WorkflowError(str(mistake)) from None

RUN = f"results/{settings.run}"
PUBLISHED = "resources/published"
CACHE = "cache"


wildcard_constraints:
    run=re.escape(settings.run),
    model="|".join(map(re.escape, settings.models)),
    team="|".join(map(re.escape, settings.teams)),
    task="|".join(map(re.escape, settings.tasks)),
    condition="debate|self_correction|noise",


def models_of(team):
    """The distinct models of a team."""
    return sorted(set(settings.teams[team].members))


def cells_of(team):
    """A team's cells whose texts are at hand: a private task is replayed from its released answers."""
    cells = (cell for cell in planned.cells if cell.team == team)
    return [cell for cell in cells if not settings.replays_answers(cell.task)]


def tasks_of(team):
    """The tasks of those cells."""
    return sorted({cell.task for cell in cells_of(team)})


def asked(unit, models):
    """All of the configuration that a change of makes other requests of a cell or pool."""
    described = [settings.models[model].asked() for model in models]
    return f"{settings.seed} {settings.replay} {settings.protocol.nesting} {settings.protocol.snippet_tokens} {unit} {described}"
