"""The files of a run, what each is made from and by which code: the graph that the manifest chains and plans count."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from headcount.config import Config
from headcount.debate.planner import Cell, Plan
from headcount.digest import GENERATION, OF_ANSWERS
from headcount.publish import figures, tables
from headcount.publish.card_files import CODE as OF_CARDS
from headcount.publish.card_files import card_files
from headcount.publish.needs import applying
from headcount.publish.pilot_files import pilot_files
from headcount.publish.screen_files import screen_files
from headcount.publish.words import PUBLISHED
from headcount.schema import (
    ANSWERS,
    AUDITS,
    BEST_MEMBER,
    BLOCKS,
    CALIBRATION,
    CONTRASTS,
    CROSS_PAIRS,
    CROWD,
    CURVES,
    DRAWS,
    ESTIMATES,
    EXCESS,
    FITS,
    GATE_OUTCOMES,
    ITEMS,
    LEDGER_COSTS,
    LEDGER_RATES,
    LEDGER_STABILITY,
    LOCALISATION,
    MEASURES,
    MIXING,
    MOVES,
    PAIR_MEANS,
    PAIRS,
    PROBE_REPLIES,
    PROBES,
    PROJECTIONS,
    REDRAWS,
    RIVALS,
    SKILLS,
    SUBSETS,
    TRANSITIONS,
    TURNS,
    VERDICTS,
    VOTES,
    Table,
)

# The module whose imports are the code behind any other stage, as in the stage's rule.
_ENTRIES = {
    "blocks": "headcount.measures.blocks",
    "fits": "headcount.laws.cells",
    "curves": "headcount.laws.cells",
    "estimates": "headcount.laws.estimates",
    "contrasts": "headcount.laws.contrasts",
    "excess": "headcount.laws.excess",
    "rivals": "headcount.laws.rivals",
    "skills": "headcount.laws.skills",
    "audits": "headcount.laws.audit",
    "projections": "headcount.laws.projection",
    "mixing": "headcount.laws.mixing",
    "pairs": "headcount.laws.model_pairs",
    "pair_means": "headcount.laws.model_pairs",
    "crowd": "headcount.laws.crowd",
    "best_member": "headcount.laws.crowd",
    "calibration": "headcount.laws.calibration",
    "redraws": "headcount.ledger.redraw",
    "ledger_rates": "headcount.ledger.rates",
    "ledger_stability": "headcount.ledger.stability",
    "gate_outcomes": "headcount.ledger.gate_outcomes",
    "localisation": "headcount.ledger.localised",
    "ledger_costs": "headcount.ledger.costs",
}


class Step(NamedTuple):
    """A file of a run: what it was made from, the code that made it, and the stage it is of, if it is Parquet."""

    path: str
    made_from: tuple[str, ...]
    code: tuple[str, ...]  # entries for `digest`
    table: Table | None


def steps(config: Config, planned: Plan) -> Iterator[Step]:
    """The files of a run, each after what it is made from."""
    cells = [cell for cell in planned.cells if not config.replays_answers(cell.task)]
    talking = [cell for cell in cells if cell.condition != "self_consistency"]
    tasks = sorted({cell.task for cell in cells})
    yield from _questions(config, planned, tasks)
    yield from _screens(config, planned, "probe")
    for pool in planned.pools:
        if pool.task in tasks:
            yield Step(_draws(pool.model, pool.task), (_items(pool.task),), GENERATION, DRAWS)
    for cell in talking:
        draws = tuple(_draws(model, cell.task) for model in sorted(set(config.teams[cell.team].members)))
        made_from = (_items(cell.task), *draws)
        yield Step(_turns(cell.team, cell.task, cell.condition), made_from, GENERATION, TURNS)
    for team in teams_of(planned):
        own = [cell for cell in cells if cell.team == team]
        draws = tuple(
            _draws(model, task)
            for task in sorted({cell.task for cell in own})
            for model in sorted(set(config.teams[team].members))
        )
        turns = tuple(_turns(cell.team, cell.task, cell.condition) for cell in own if cell in talking)
        verdicts = tuple(_verdicts(config, own))
        yield from verdicts
        made_from = (*draws, *turns, *(step.path for step in verdicts))
        yield Step(f"answers/{team}.parquet", made_from, ("headcount.answers.team",), ANSWERS)
        yield from _of_team(config, team)
    yield from _of_run(config, planned)
    yield from (Step(*file) for file in pilot_files(teams_of(planned)))
    for table, made_from, code in screen_files(config, planned):
        yield Step(f"{table.name}.parquet", made_from, (code,), table)
    yield from _of_cells(config, planned)
    yield from (Step(path, made_from, OF_CARDS, None) for path, made_from in card_files(config, planned))
    yield from _pages(config, planned)


def _questions(config: Config, planned: Plan, tasks: Iterable[str]) -> Iterator[Step]:
    """The items of tasks whose texts are at hand; those that are chosen come after the screens that choose them."""
    told = {screen.task for screen in planned.screens if not config.replays_answers(screen.task)}
    chosen = {task for task in {*tasks, *told} if config.task(task).format == "high_flip"}
    for task in sorted({*tasks, *told} - chosen):
        yield Step(_items(task), (), ("headcount.items.load",), ITEMS)
    yield from _screens(config, planned, "flip_pool")
    for task in sorted(chosen):
        section = config.task(task)
        made_from = (_items(str(section.of)), f"flip_pools/{section.model}/{section.of}.parquet")
        yield Step(_items(task), made_from, ("headcount.ledger.flip_pool",), ITEMS)


def _screens(config: Config, planned: Plan, purpose: str) -> Iterator[Step]:
    """The replies and probes of the screens of one purpose; of some tasks a release has the probes alone."""
    for screen in planned.screens:
        if screen.purpose != purpose:
            continue
        name, replies = (
            f"{screen.model}/{screen.task}.parquet",
            f"{purpose}_replies/{screen.model}/{screen.task}.parquet",
        )
        told = not config.replays_answers(screen.task)
        if told:
            code = ("headcount.debate.probes", "debate/templates")
            yield Step(replies, (_items(screen.task),), code, PROBE_REPLIES)
        if told or purpose == "probe":  # released answers need no questions, and nothing to choose them by
            yield Step(f"{purpose}s/{name}", (replies,) if told else (), ("headcount.answers.probes",), PROBES)


def _verdicts(config: Config, cells: Iterable[Cell]) -> Iterator[Step]:
    """What the programs in a team's replies do, a file a task that asks for them."""
    coded = [cell for cell in cells if config.tasks[cell.task].format == "humaneval"]
    for team, task in sorted({(cell.team, cell.task) for cell in coded}):
        draws = [_draws(model, task) for model in sorted(set(config.teams[team].members))]
        turns = [_turns(team, task, c.condition) for c in coded if c.task == task and c.condition != "self_consistency"]
        code = ("headcount.answers.verdicts", "sandbox")
        yield Step(f"verdicts/{team}/{task}.parquet", (_items(task), *draws, *turns), code, VERDICTS)


def _of_team(config: Config, team: str) -> Iterator[Step]:
    """What is made of a team's answers."""
    made_from = (f"answers/{team}.parquet",)
    for table in (MEASURES, SUBSETS, MOVES, VOTES, CROSS_PAIRS, TRANSITIONS):
        yield Step(f"{table.name}/{team}.parquet", made_from, OF_ANSWERS, table)
    for table in [REDRAWS, *([BLOCKS] if config.mixed(team) else [])]:
        yield Step(f"{table.name}/{team}.parquet", made_from, (_ENTRIES[table.name],), table)


def _of_run(config: Config, planned: Plan) -> Iterator[Step]:
    """What is made of all teams together."""
    teams = teams_of(planned)
    mixed = [team for team in teams if config.mixed(team)]
    solitary, told = (MEASURES, SUBSETS), (MEASURES, SUBSETS, MOVES, VOTES)
    stages: list[tuple[Table, tuple[Table, ...], list[str]]] = [
        *((table, solitary, teams) for table in (FITS, CURVES)),
        *((table, told, teams) for table in (ESTIMATES, CONTRASTS)),
        (EXCESS, (*solitary, CROSS_PAIRS), teams),
        *((table, solitary, teams) for table in (RIVALS, SKILLS, AUDITS, PROJECTIONS)),
        *((table, (TRANSITIONS, REDRAWS), teams) for table in (LEDGER_RATES, LEDGER_STABILITY)),
        *((table, (TRANSITIONS, ANSWERS), teams) for table in (GATE_OUTCOMES, LOCALISATION, LEDGER_COSTS)),
        (MIXING, (BLOCKS,), mixed),
        *((table, (ANSWERS,), mixed) for table in (PAIRS, PAIR_MEANS, CROWD, BEST_MEMBER, CALIBRATION) if mixed),
    ]
    for table, made_from, of in stages:
        inputs = tuple(f"{stage.name}/{team}.parquet" for stage in made_from for team in of)
        inputs += _probes(planned) if table in (GATE_OUTCOMES, LOCALISATION, LEDGER_COSTS) else ()
        yield Step(f"{table.name}.parquet", inputs, (_ENTRIES[table.name],), table)


def _probes(planned: Plan) -> tuple[str, ...]:
    """What models that were screened said to probes."""
    return tuple(f"probes/{s.model}/{s.task}.parquet" for s in planned.screens if s.purpose == "probe")


def _of_cells(config: Config, planned: Plan) -> Iterator[Step]:
    """The page of each cell."""
    for team in teams_of(planned):
        told = [cell for cell in planned.cells if cell.team == team and not config.replays_answers(cell.task)]
        models = sorted(set(config.teams[team].members))
        numbers = [f"{table.name}.parquet" for table in (FITS, CURVES, ESTIMATES, EXCESS, SKILLS, RIVALS)]
        made_from = (
            *numbers,
            *(f"{stage}/{team}.parquet" for stage in ("measures", "answers")),
            *(_items(task) for task in sorted({cell.task for cell in told})),
            *(_draws(model, task) for task in sorted({cell.task for cell in told}) for model in models),
            *(_turns(team, cell.task, cell.condition) for cell in told if cell.condition != "self_consistency"),
        )
        for cell in (cell for cell in planned.answered if cell.team == team):
            code = ("headcount.publish.cell_pages", "publish/templates")
            yield Step(f"pages/{team}/{cell.task}.{cell.condition}.html", made_from, code, None)


def _pages(config: Config, planned: Plan) -> Iterator[Step]:
    """Published tables, then the tables and figures of the run."""
    applied = [(tables.PAGES, "tables", ("csv", "md", "tex")), (figures.PAGES, "figures", ("csv", "pdf", "svg", "png"))]
    shown = [
        (pages[name], kind, name, suffixes)
        for pages, kind, suffixes in applied
        for name in applying(pages, config, planned)
    ]
    for name in sorted({name for page, *_ in shown for name in page.published}):
        yield Step(f"{PUBLISHED}/{name}.csv", (), (), None)
    for page, kind, name, suffixes in shown:
        made_from = [
            *(f"{file}.parquet" for file in page.reads),
            *(f"{PUBLISHED}/{file}.csv" for file in page.published),
        ]
        code = (f"headcount.publish.{kind}.{name}", *(["headcount.publish.render"] if kind == "tables" else []))
        for suffix in suffixes:
            yield Step(f"{kind}/{name}.{suffix}", tuple(made_from), code, None)


def teams_of(planned: Plan) -> list[str]:
    return sorted({cell.team for cell in planned.cells})


def _items(task: str) -> str:
    return f"items/{task}.parquet"


def _draws(model: str, task: str) -> str:
    return f"draws/{model}/{task}.parquet"


def _turns(team: str, task: str, condition: str) -> str:
    return f"turns/{team}/{task}/{condition}.parquet"
