"""What a plan costs: calls, tokens and jobs, before anything is asked."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from headcount.config import Config
from headcount.debate.dialects import DIALECTS
from headcount.debate.planner import Cell, Pool, Screen, Shape, plan
from headcount.debate.probe_prompts import probes_of


def draw_calls(pool: Pool) -> int:
    """Calls an item that a pool of draws costs."""
    return sum(agents for _, _, agents in pool.sizes)


def screen_calls(screen: Screen) -> int:
    """Calls an item that a screen costs where no format needs repair."""
    return len(screen.conditions) * screen.replicates * screen.agents * (1 + len(probes_of(screen.purpose)))


def asked(cell: Cell, nesting: str) -> Iterator[tuple[int, int, int]]:
    """How often each agent of a cell is asked about an item in revisions: (agent, others shown to it, calls).

    A nested agent that hears nobody is the same at every size; in self-correction it is shown itself. The most that
    revisions can cost: where fewer than all others are heard, teams of two sizes may hear the same.
    """
    if cell.condition == "self_correction" and nesting == "nested":
        for agent in range(1, max(shape.n for shape in cell.shapes) + 1):
            yield agent, 1, sum(_longest(cell, agent, replicate) for replicate in _replicates(cell))
        return
    for shape in cell.shapes:
        shown = 1 if cell.condition == "self_correction" else shape.k
        for agent in range(1, shape.n + 1):
            yield agent, shown, _revisions(cell, shape) * shape.replicates


def _replicates(cell: Cell) -> range:
    return range(1, max(shape.replicates for shape in cell.shapes) + 1)


def _longest(cell: Cell, agent: int, replicate: int) -> int:
    """The most updates of a team that an agent is on."""
    return max((s.updates for s in cell.shapes if s.n >= agent and s.replicates >= replicate), default=0)


def revision_calls(cell: Cell, nesting: str) -> int:
    """Calls an item that a cell's revisions cost at most."""
    return sum(calls for _, _, calls in asked(cell, nesting))


def naive_calls(cell: Cell) -> int:
    """Calls an item if every team of the cell asked for all its rounds by itself."""
    return sum(shape.n * (1 + _revisions(cell, shape)) * shape.replicates for shape in cell.shapes)


def _revisions(cell: Cell, shape: Shape) -> int:
    """Rounds in which an agent of a shape is asked again: nobody revises who hears nobody, but for self-correction."""
    return shape.updates if cell.condition == "self_correction" or shape.speaks else 0


def shown_tokens(config: Config) -> int:
    """Estimated tokens of a reply that others are shown: a snippet, or in the ledger's dialect the whole of it."""
    cuts = DIALECTS[config.protocol.dialect].cuts
    return config.protocol.snippet_tokens if cuts else config.estimates.reply_tokens


def prompt_tokens(cell: Cell, config: Config) -> int:
    """Estimated prompt tokens an item of a cell's revisions: the question, the own answer, the peers' snippets."""
    question, snippet = config.estimates.question_tokens, shown_tokens(config)
    return sum(calls * (question + (1 + shown) * snippet) for _, shown, calls in asked(cell, config.protocol.nesting))


@dataclass(frozen=True)
class Cost:
    """One line of a plan: what a pool of draws or a cell's revisions cost over all items."""

    what: str
    team: str
    task: str
    condition: str
    sizes: tuple[int, ...]
    items: int
    calls: int
    naive: int
    prompt_tokens: int
    output_tokens: int
    jobs: int


def costs(config: Config, items: Mapping[str, int]) -> list[Cost]:
    """The lines of a plan, with `items` the number of items of each task; recorded answers cost nothing."""
    planned = plan(config)
    pools = [pool_cost(config, pool, items[pool.task]) for pool in planned.pools]
    asked = [screen for screen in planned.screens if config.tasks[screen.task].format != "recorded"]
    screens = [screen_cost(config, screen, items[screen.task]) for screen in asked]
    return [*pools, *(cell_cost(config, cell, items[cell.task]) for cell in planned.cells), *screens]


def pool_cost(config: Config, pool: Pool, items: int) -> Cost:
    """What a pool of draws costs over a number of items."""
    calls = draw_calls(pool) * items
    tokens = calls * config.estimates.question_tokens, calls * reply_tokens(config, [pool.model])
    sizes = tuple(sorted({agents for _, _, agents in pool.sizes}))
    return Cost("draws", pool.model, pool.task, "", sizes, items, calls, 0, *tokens, jobs=pool.shards)


def cell_cost(config: Config, cell: Cell, items: int) -> Cost:
    """What a cell's revisions cost over a number of items."""
    calls = revision_calls(cell, config.protocol.nesting) * items
    reply = reply_tokens(config, config.teams[cell.team].members)
    tokens = prompt_tokens(cell, config) * items, calls * reply
    sizes = tuple(sorted({shape.n for shape in cell.shapes}))
    naive = 0 if config.tasks[cell.task].format == "recorded" else naive_calls(cell) * items
    jobs = 0 if cell.condition == "self_consistency" else cell.shards
    return Cost("revisions", cell.team, cell.task, cell.condition, sizes, items, calls, naive, *tokens, jobs)


def screen_cost(config: Config, screen: Screen, items: int) -> Cost:
    """What a screen costs over its share of a task's items."""
    probed = items if screen.items is None else min(items, screen.items)
    calls = screen_calls(screen) * probed
    tokens = calls * config.estimates.question_tokens, calls * reply_tokens(config, [screen.model])
    name = screen.model, screen.task, f"{screen.purpose}s"
    return Cost("probes", *name, (screen.agents,), probed, calls, calls, *tokens, jobs=1)


def reply_tokens(config: Config, names: Iterable[str]) -> int:
    """A typical reply, or the longest that a model may give, if that is less; of several models the longest."""
    models, typical = [config.models[name] for name in names], config.estimates
    usual = {True: typical.thinking_tokens, False: typical.reply_tokens}
    return max(min(usual[model.thinking], model.sampling.max_tokens) for model in models)
