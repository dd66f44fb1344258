"""What a table or figure needs of a run to say anything, and what a run has."""

from collections.abc import Iterable, Iterator, Mapping

from headcount.axes import CODE
from headcount.config import Config
from headcount.debate.planner import Cell, Plan
from headcount.publish.registry import Page

NEEDS = {
    "self_consistency": "teams whose first answers are all they give",
    "debate": "teams that debate",
    "self_correction": "teams that think again and hear nobody",
    "noise": "teams that read answers to other questions",
    "sizes": "a team at two sizes of two and more",
    "held_out": "a team at three sizes of two and more: two for a pilot, one to predict",
    "updates": "a revision after the first round",
    "k_sweep": "teams whose agents hear some of the others",
    "mixed": "a team of several models",
    "homogeneous": "a team of one model",
    "both_kinds": "a team of several models beside a team of one",
    "thinking": "a model that thinks before it answers",
    "probes": "a model whose answers are argued with",
    "screened_models": "three such models or more, each in debates of a team of its own",
    "code": "questions that ask for code, or made-up ones in their place",
}
FEWEST = 3  # models that a correlation needs


def applying(pages: Mapping[str, Page], config: Config, planned: Plan) -> list[str]:
    """Names of the pages that a run can fill, in order."""
    has = set(_features(config, planned))
    return [name for name, page in pages.items() if has.issuperset(page.needs)]


def _features(config: Config, planned: Plan) -> Iterator[str]:
    cells = planned.cells
    yield from {cell.condition for cell in cells}
    yield from _of_sizes(cells)
    mixed = {cell.team for cell in cells if config.mixed(cell.team)}
    kinds = [mixed, {cell.team for cell in cells} - mixed]
    yield from (name for name, teams in zip(("mixed", "homogeneous"), kinds, strict=True) if teams)
    if all(kinds):
        yield "both_kinds"
    if any(config.models[pool.model].thinking for pool in planned.pools):
        yield "thinking"
    yield from _of_screens(config, planned)
    if any(config.tasks[cell.task].format == "humaneval" or cell.task.endswith(CODE) for cell in cells):
        yield "code"


def _of_screens(config: Config, planned: Plan) -> Iterator[str]:
    screened = {screen.model for screen in planned.screens if screen.purpose == "probe"}
    if screened:
        yield "probes"
    debating = {
        config.teams[cell.team].members[0]
        for cell in planned.cells
        if cell.condition == "debate" and not config.mixed(cell.team)
        if any(shape.n > 1 and shape.updates for shape in cell.shapes)
    }
    if len(screened & debating) >= FEWEST:
        yield "screened_models"


def _of_sizes(cells: Iterable[Cell]) -> Iterator[str]:
    for cell in cells:
        sizes = len({shape.n for shape in cell.shapes if shape.n > 1})
        if sizes > 1:
            yield "sizes"
        if sizes > 2:
            yield "held_out"
        if any(shape.updates for shape in cell.shapes):
            yield "updates"
        if any(0 < shape.k < shape.n - 1 for shape in cell.shapes):
            yield "k_sweep"
