"""What a plan costs: calls, tokens and jobs, before anything is asked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from headcount.config import Config
from headcount.debate.planner import Cell, Pool, Shape, plan


def draw_calls(pool: Pool) -> int:
    """Calls an item that a pool of draws costs."""
    return sum(agents for _, _, agents in pool.sizes)


def revision_calls(cell: Cell, nesting: str) -> int:
    """Calls an item that a cell's revisions cost: a nested agent that hears nobody is the same at every size.

    The most that they can cost: where fewer than all others are heard, teams of two sizes may hear the same.
    """
    if cell.condition == "self_correction" and nesting == "nested":
        return sum(
            max(
                (shape.updates for shape in cell.shapes if shape.n >= agent and shape.replicates >= replicate),
                default=0,
            )
            for agent in range(1, max(shape.n for shape in cell.shapes) + 1)
            for replicate in range(1, max(shape.replicates for shape in cell.shapes) + 1)
        )
    return sum(shape.n * _revisions(cell, shape) * shape.replicates for shape in cell.shapes)


def naive_calls(cell: Cell) -> int:
    """Calls an item if every team of the cell asked for all its rounds by itself."""
    return sum(shape.n * (1 + _revisions(cell, shape)) * shape.replicates for shape in cell.shapes)


def _revisions(cell: Cell, shape: Shape) -> int:
    """Rounds in which an agent of a shape is asked again: nobody revises who hears nobody, but for self-correction."""
    return shape.updates if cell.condition == "self_correction" or shape.speaks else 0


def prompt_tokens(cell: Cell, config: Config) -> int:
    """Estimated prompt tokens an item of a cell's revisions: the question, the own answer, the peers' snippets."""
    question, snippet = config.estimates.question_tokens, config.protocol.snippet_tokens
    if cell.condition == "self_correction":
        return revision_calls(cell, config.protocol.nesting) * (question + 2 * snippet)
    return sum(
        shape.n * shape.updates * shape.replicates * (question + (1 + shape.k) * snippet)
        for shape in cell.shapes
        if shape.speaks
    )


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
    planned, lines = plan(config), []
    for pool in planned.pools:
        count, calls = items[pool.task], draw_calls(pool) * items[pool.task]
        tokens = calls * config.estimates.question_tokens, calls * _reply_tokens(config, [pool.model])
        sizes = tuple(sorted({agents for _, _, agents in pool.sizes}))
        lines.append(Cost("draws", pool.model, pool.task, "", sizes, count, calls, 0, *tokens, jobs=1))
    for cell in planned.cells:
        count = items[cell.task]
        calls = revision_calls(cell, config.protocol.nesting) * count
        reply = _reply_tokens(config, config.teams[cell.team].members)
        tokens = prompt_tokens(cell, config) * count, calls * reply
        sizes = tuple(sorted({shape.n for shape in cell.shapes}))
        naive = 0 if config.tasks[cell.task].format == "recorded" else naive_calls(cell) * count
        jobs = int(cell.condition != "self_consistency")
        lines.append(Cost("revisions", cell.team, cell.task, cell.condition, sizes, count, calls, naive, *tokens, jobs))
    return lines


def _reply_tokens(config: Config, models: Iterable[str]) -> int:
    """A typical reply, or the longest that a model may give, if that is less."""
    return min(config.estimates.reply_tokens, max(config.models[model].sampling.max_tokens for model in models))
