"""The jobs of a run on the terminal, before any is submitted: how many, with how many GPUs, for how long."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console

from headcount.config import Config
from headcount.debate.allocations import Allocation, draws_allocation, screen_allocation, turns_allocation
from headcount.debate.planner import Plan, plan
from headcount.debate.speeds import READING
from headcount.items.counts import known_counts
from headcount.publish import figures, tables
from headcount.publish.graph import steps

_LINE = "{:<18}{:>7}{:>7}{:>10}{:>10}{:>10}{:>14}"  # fits 80 columns

_ASKING = ("draws", "turns", "probe_replies", "flip_pool_replies")  # folders of what models are asked for

# Files, and folders of a file a team, that one job makes.
_TOGETHER = {
    "curves": "fits",
    "contrasts": "estimates",
    "ledger_stability": "ledger_rates",
    "gate_outcomes": "gates",
    "localisation": "gates",
    "pilot_sizes": "pilots",
    **dict.fromkeys(("rivals", "skills", "projections"), "audits"),
    "reliability": "screens",
    **dict.fromkeys(("model_rows", "reorderings", "selection", "forecasts"), "associations"),
    **dict.fromkeys(("pairs", "pair_means", "crowd", "best_member", "calibration"), "panel"),
    **dict.fromkeys(("subsets", "moves", "votes", "cross_pairs", "transitions"), "measures"),
}


_OF_RUN = ("redraws", "pages", "cards")  # folders that one job fills

PAGES = {"tables": tables.PAGES, "figures": figures.PAGES}


@dataclass(frozen=True)
class Jobs:
    """Jobs of one kind: the shards of a pool of draws, or of a cell's revisions."""

    team: str
    task: str
    what: str
    count: int
    each: Allocation

    @property
    def gpu_hours(self) -> float:
        """Hours of one GPU that they take together, once their models are loaded."""
        return self.count * self.each.gpus * self.each.hours


@dataclass(frozen=True)
class Light:
    """How many jobs ask no model: those that queue, and those that run beside Snakemake."""

    queued: int
    beside: int


def asking_jobs(config: Config) -> list[Jobs]:
    """The jobs of a run that ask models, by team and task; answers that are replayed as such take none."""
    planned, jobs = plan(config), []
    for pool in planned.pools:
        jobs.append(Jobs(pool.model, pool.task, "first answers", pool.shards, draws_allocation(config, pool)))
    for cell in planned.cells:
        if cell.condition != "self_consistency":
            jobs.append(
                Jobs(cell.team, cell.task, cell.condition, cell.shards, turns_allocation(config, planned, cell))
            )
    for screen in planned.screens:
        what = f"{screen.purpose}s"
        jobs.append(Jobs(screen.model, screen.task, what, 1, screen_allocation(config, screen)))
    asked = (line for line in jobs if not config.replays_answers(line.task))
    return sorted(asked, key=lambda line: (line.team, line.task))


def light_jobs(config: Config, planned: Plan) -> Light:
    """How many jobs ask no model: those that make the run's other files, the manifest, and gather shards."""
    made = {_job(step.path) for step in steps(config, planned) if not step.path.startswith("resources/")}
    made = {job for job in made if job[0].partition("/")[0] not in _ASKING}
    beside = sum(job[0] in ("items", "tables", "figures") for job in made)
    gathers = sum(line.count > 1 for line in asking_jobs(config))
    return Light(queued=len(made) - beside + gathers + 1, beside=beside + len(_served(config, planned)))


def _job(path: str) -> tuple[str, str]:
    """The job that makes a file of a run."""
    if path.startswith(tuple(f"{folder}/" for folder in _OF_RUN)):
        return path.partition("/")[0], ""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    if folder in PAGES:
        return folder, PAGES[folder][stem].question  # as are those that answer one question
    return (_TOGETHER.get(folder, folder), stem) if folder else ("", _TOGETHER.get(stem, stem))


def _served(config: Config, planned: Plan) -> set[str]:
    """The models whose weights a run fetches."""
    asked = {pool.model for pool in planned.pools} | {screen.model for screen in planned.screens}
    asked = set() if config.replay else asked
    return {model for model in asked if config.models[model].engine in ("llamacpp", "vllm")}


def print_jobs(config: Config, console: Console | None = None) -> None:
    """Print the jobs of a run that ask models, what each asks a cluster for, and the totals."""
    known_counts(config)
    console = console or Console(highlight=False, soft_wrap=True)
    jobs = asking_jobs(config)
    console.print(_LINE.format("", "", "GPUs", "hours", "time", "memory", "GPU-hours"), style="bold")
    console.print(_LINE.format("", "jobs", "each", "each", "limit", "each", "in all"), style="bold")
    for (team, task), lines in groupby(jobs, key=lambda line: (line.team, line.task)):
        console.print(f"{team} on {task}", style="cyan")
        for line in lines:
            console.print(_LINE.format(*_row(line)))
    count, hours = sum(line.count for line in jobs), sum(line.gpu_hours for line in jobs)
    console.print(_LINE.format("in all", f"{count:,}", "", "", "", "", f"{hours:,.1f}"), style="bold")
    console.print("\n".join(_remarks(config, jobs)))


def _row(line: Jobs) -> Iterator[str]:
    each = line.each
    yield from (f"  {line.what}", f"{line.count:,}", f"{each.gpus}" if each.gpus else "")
    yield f"{each.hours:.1f}" if each.hours >= 0.05 else "< 0.1"
    yield from (f"{each.minutes // 60}:{each.minutes % 60:02}", f"{each.mem_mb / 1000:.0f} GB")
    yield f"{line.gpu_hours:,.1f}" if each.gpus else ""


def _remarks(config: Config, jobs: list[Jobs]) -> Iterable[str]:
    speed, light = config.estimates.tokens_per_second, light_jobs(config, plan(config))
    starts = sum(line.count for line in jobs if line.each.gpus)
    hosted = sum(line.count for line in jobs if line.each.hosted)
    if starts:
        yield f"At {speed:,} tokens of replies a second and GPU; prompts are read {READING} times as fast."
        yield f"{starts:,} jobs load their models first, which is not in the GPU-hours."
    if hosted:
        yield f"{hosted:,} jobs ask hosted models, one at a time, and take no GPU."
    yield f"Light jobs: {light.queued:,} in the queue, {light.beside:,} where Snakemake runs."
    if jobs:
        yield "Time limits are those of a first attempt, before the profile's cap; a further one has more."
