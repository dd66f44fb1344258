"""From experiment blocks to the work they need: per cell one union of team shapes, per model one pool of draws."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from headcount.axes import code_task
from headcount.config import CONDITIONS, Condition, Config, Experiment, ProbeCondition

PANEL = 3  # agents of a panel, and those that are screened where a configuration does not say
Purpose = Literal["probe", "flip_pool"]  # to report, or to choose questions by
NESTED = 0  # the `n` of a draw that serves teams of every size


@dataclass(frozen=True, order=True)
class Shape:
    """Teams of n agents who each hear k others, for a number of updates, repeated."""

    n: int
    k: int
    updates: int
    replicates: int

    @property
    def speaks(self) -> bool:
        """Whether anybody is heard, so that there is something to ask in a revision."""
        return self.updates > 0 and self.k > 0


@dataclass(frozen=True)
class Cell:
    """A team on a task under a condition, with the union of its shapes over all experiment blocks."""

    team: str
    task: str
    condition: Condition
    shapes: tuple[Shape, ...]
    shards: int = 1


@dataclass(frozen=True)
class Pool:
    """The round-1 responses of one model to one task that all its teams start from; none where they are recorded."""

    model: str
    task: str
    sizes: tuple[tuple[int, int, int], ...]  # (n, replicate, agents); n is NESTED or a team size
    shards: int = 1


@dataclass(frozen=True, order=True)
class Screen:
    """A model that is probed on a task: argued with, each agent by itself."""

    purpose: Purpose
    model: str
    task: str
    agents: int
    conditions: tuple[ProbeCondition, ...]
    items: int | None  # the first of the task by hash; none: all
    replicates: int = 1

    @property
    def name(self) -> tuple[str, str, str]:
        """What its files are named after."""
        return self.purpose, self.model, self.task


@dataclass(frozen=True)
class Plan:
    """All that a run has to ask.

    Attributes:
        cells: what is asked.
        pools: the first replies that cells start from.
        screens: the models that are probed; those whose purpose is `flip_pool` choose questions, and no number of the
            run is made of them.
        answered: the cells that answers, and all that is made of them, are of: those asked, and beside each that asks
            for programs the one of its code axis.
    """

    cells: tuple[Cell, ...]
    pools: tuple[Pool, ...]
    answered: tuple[Cell, ...]
    screens: tuple[Screen, ...] = ()

    def cell(self, team: str, task: str, condition: str) -> Cell:
        """The cell of a name."""
        return next(cell for cell in self.cells if (cell.team, cell.task, cell.condition) == (team, task, condition))

    def pool(self, model: str, task: str) -> Pool:
        """The pool of a name."""
        return next(pool for pool in self.pools if (pool.model, pool.task) == (model, task))

    def screen(self, purpose: str, model: str, task: str) -> Screen:
        """The screen of a name."""
        return next(screen for screen in self.screens if screen.name == (purpose, model, task))


def plan(config: Config) -> Plan:
    """The cells and pools of a run."""
    cells = tuple(_cells(config))
    coded = (
        replace(cell, task=code_task(cell.task)) for cell in cells if config.tasks[cell.task].format == "humaneval"
    )
    return Plan(cells, tuple(_pools(config, cells)), (*cells, *coded), tuple(sorted(set(_screens(config)))))


def _screens(config: Config) -> Iterable[Screen]:
    """The screens that are reported, and those that choose high-flip questions."""
    probing = config.probing
    if probing:
        for model, task in product(probing.models, probing.tasks):
            conditions, items = probing.conditions, probing.items
            yield Screen("probe", model, task, probing.agents, conditions, items, probing.replicates)
    agents = probing.agents if probing else PANEL
    used = {task for block in config.experiments.values() for task in block.tasks}
    for name in used | set(probing.tasks if probing else ()):
        chosen = config.tasks[name]
        if chosen.format == "high_flip":
            yield Screen("flip_pool", str(chosen.model), str(chosen.of), agents, ("default",), None)


def peer_count(condition: Condition, n: int, peers: int | str) -> int | None:
    """How many others an agent really hears; None where a team is too small for so many."""
    if condition in ("self_consistency", "self_correction"):
        return 0
    if peers == "full" or n == 1:
        return n - 1
    return int(peers) if int(peers) < n else None


def _cells(config: Config) -> Iterable[Cell]:
    shapes: dict[tuple[str, str, Condition], dict[tuple[int, int], Shape]] = defaultdict(dict)
    shards: dict[tuple[str, str, Condition], int] = defaultdict(int)
    for block in config.experiments.values():
        for name in product(block.teams, block.tasks, block.conditions):
            _join(shapes[name], _block_shapes(block, name[2]))
            shards[name] = max(shards[name], block.shards)
    for name, union in sorted(shapes.items(), key=_cell_order):
        yield Cell(*name, tuple(sorted(union.values())), shards[name])


def _cell_order(entry: tuple[tuple[str, str, Condition], object]) -> tuple[str, str, int]:
    (team, task, condition), _ = entry
    return team, task, CONDITIONS.index(condition)


def _block_shapes(block: Experiment, condition: Condition) -> Iterable[Shape]:
    for n in block.sizes:
        for peers in block.peers:
            k = peer_count(condition, n, peers)
            if k is not None:
                updates = 0 if condition == "self_consistency" else block.updates
                yield Shape(n, k, updates, _replicates(block, condition, n))


def _replicates(block: Experiment, condition: Condition, n: int) -> int:
    """A second team of other agents is a second repetition: it has seeds and draws of its own."""
    second = condition == "debate" and n in block.null_teams
    return max(block.replicates, 2) if second else block.replicates


def _join(union: dict[tuple[int, int], Shape], shapes: Iterable[Shape]) -> None:
    """Each round is a prefix of a longer run, so the longest run of a shape holds all others."""
    for shape in shapes:
        other = union.get((shape.n, shape.k), shape)
        updates, replicates = max(shape.updates, other.updates), max(shape.replicates, other.replicates)
        union[shape.n, shape.k] = Shape(shape.n, shape.k, updates, replicates)


def _pools(config: Config, cells: Iterable[Cell]) -> Iterable[Pool]:
    needs: dict[tuple[str, str], dict[tuple[int, int], int]] = defaultdict(dict)
    shards: dict[tuple[str, str], int] = defaultdict(int)
    for cell in cells:
        if config.tasks[cell.task].format == "recorded":
            continue
        team = config.teams[cell.team]
        for shape in cell.shapes:
            label = NESTED if config.protocol.nesting == "nested" else shape.n
            for agent, replicate in product(range(1, shape.n + 1), range(1, shape.replicates + 1)):
                name = team.member(agent), cell.task
                needs[name][label, replicate] = max(needs[name].get((label, replicate), 0), team.slot(agent))
                shards[name] = max(shards[name], cell.shards)
    for name, sizes in sorted(needs.items()):
        agents = tuple((n, replicate, agents) for (n, replicate), agents in sorted(sizes.items()))
        yield Pool(*name, agents, shards[name])
