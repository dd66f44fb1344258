"""All answers of a run of simulated agents, written directly, as a release of answers alone that the run replays.

answers/{team}/{task}.parquet of every cell; probes/{model}/{task}.parquet of every screen, which has no short cut and
goes through prompts; release.json. Everything made from it says SIMULATED, by the engine in the configuration.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from headcount.answers.probes import read_probes
from headcount.answers.simulated_rows import Rows
from headcount.answers.simulated_team import Sitting
from headcount.config import Config
from headcount.debate.asked import asked_pairs, asked_tasks
from headcount.debate.costs import asked, draw_calls
from headcount.debate.generate import generate_probes
from headcount.debate.planner import Cell, Plan, plan
from headcount.debate.probes import chosen
from headcount.debate.release import replacing
from headcount.debate.release_files import described_in_order
from headcount.debate.release_metadata import METADATA, Server, read_metadata, write_metadata
from headcount.debate.release_terms import terms
from headcount.engines.questions import questions
from headcount.errors import UserError
from headcount.items.load import load_items
from headcount.schema import ANSWERS, PROBES
from headcount.store import write, write_chunks

SERVER = "simulated, written directly"


@dataclass(frozen=True)
class Simulation:
    """What was made.

    Attributes:
        turns: rows of ANSWERS.
        seconds: that they took, files included.
    """

    files: list[Path]
    turns: int
    seconds: float


def simulate(config: Config, cache: Path, target: Path) -> Simulation:
    """Write the answers of a whole run.

    Args:
        config: all models that it asks are simulated; `replay` and `tier` do not matter.
        cache: where fetched questions are kept.
        target: folder of the release; its former files are replaced, if they are simulated too.
    """
    config = config.model_copy(update={"replay": None, "tier": "open"})
    _check(config)
    _check_former(target)
    started = time.perf_counter()
    with replacing(config, target) as folder:
        run = _Run(config, plan(config), cache, folder)
        turns, screens = dict(run.teams()), list(run.screens())
        made = [*((name, ANSWERS) for name in turns), *((name, PROBES) for name in screens)]
        write_metadata(folder, terms(config, folder, made, run.servers(), described_in_order))
    files = [target / name for name in (*turns, *screens, METADATA)]
    return Simulation(files, sum(turns.values()), time.perf_counter() - started)


@dataclass(frozen=True)
class _Run:
    config: Config
    planned: Plan
    cache: Path
    folder: Path

    def teams(self) -> Iterator[tuple[str, int]]:
        """Each file of answers, and its rows."""
        cells: dict[tuple[str, str], list[Cell]] = defaultdict(list)
        for cell in self.planned.cells:
            cells[cell.team, cell.task].append(cell)
        for (team, task), own in sorted(cells.items()):
            name = f"answers/{team}/{task}.parquet"
            agents = max(shape.n for cell in own for shape in cell.shapes)
            sitting = Sitting.of(self.config, team, questions(self._items(task)), agents)
            ordered = sorted(own, key=lambda cell: cell.condition)
            rows = chain.from_iterable(Rows(sitting, cell).chunks() for cell in ordered)
            yield name, write_chunks(self.folder / name, rows, ANSWERS)

    def screens(self) -> Iterator[str]:
        """Each file of probes."""
        for screen in self.planned.screens:
            name, items = f"probes/{screen.model}/{screen.task}.parquet", self._items(screen.task)
            with TemporaryDirectory() as journals:
                replies = generate_probes(self.config, screen, items, Path(journals))
            probes = read_probes(self.config, screen, chosen(items, screen.items), replies)
            write(self.folder / name, probes, PROBES)
            yield name

    def servers(self) -> Iterator[Server]:
        """How many distinct replies the protocol would have asked for."""
        replies: Counter[tuple[str, str]] = Counter()
        for pool in self.planned.pools:
            replies[pool.model, pool.task] += draw_calls(pool)
        for cell in self.planned.cells:
            team = self.config.teams[cell.team]
            for agent, _, calls in asked(cell, self.config.protocol.nesting):
                replies[team.member(agent), cell.task] += calls
        for (model, task), count in replies.items():
            yield Server(model=model, task=task, server=SERVER, replies=count * len(self._items(task)))

    def _items(self, task: str) -> pa.Table:
        return load_items(self.config.tasks[task], self.cache)


def _check(config: Config) -> None:
    """Nothing that is written here may pass for what a model said; and programs, for one, must be run."""
    for name in sorted({model for model, _ in asked_pairs(config)}):
        if config.models[name].engine != "simulated":
            raise UserError(
                f"models.{name}.engine: {config.models[name].engine!r} is asked, and only simulated models can be "
                "simulated. Take the teams that it is on out of 'experiments' and 'probing'."
            )
    for name in asked_tasks(plan(config)):
        if config.tasks[name].format in ("humaneval", "high_flip", "recorded"):
            raise UserError(
                f"tasks.{name}: of format {config.tasks[name].format!r}, whose answers no distribution gives."
                " Run the workflow itself, whose simulated agents write programs and meet probes."
            )


def _check_former(target: Path) -> None:
    """Answers of real models may stand nowhere else than in a former release."""
    path = target / METADATA
    if path.exists() and any(server.server != SERVER for server in read_metadata(path).servers):
        raise UserError(f"{path}: a release of other answers than simulated ones. Give these a folder of their own.")
