"""What a release may say of itself: how open it is, by the tier and the tasks of its configuration."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from headcount.config import Config
from headcount.debate.asked import asked_tasks
from headcount.debate.planner import plan
from headcount.debate.release_files import described
from headcount.debate.release_metadata import Code, File, Metadata, Openness, RowTier, Server
from headcount.digest import GENERATION, digest
from headcount.schema import Table


def terms(
    config: Config,
    folder: Path,
    made: Iterable[tuple[str, Table]],
    servers: Iterable[Server],
    describe: Callable[[Path, Table, RowTier], File] = described,
) -> Metadata:
    """The metadata of a release.

    Args:
        folder: where its files are.
        made: their paths below it, and the tables they are of.
        servers: what answered.
        describe: how a file is.
    """
    tasks = asked_tasks(plan(config))
    files = {name: describe(folder / name, table, _row_tier(config, name)) for name, table in sorted(made)}
    return Metadata(
        run=config.run,
        tier=config.tier,
        aggregate_fields_open=True,
        probe_templates="open",  # they come with the code
        full_transcripts=transcripts(config, tasks),
        r1_feature_matrix="open",  # it follows from answers, which every release has, or has the replies to
        known_missing_artifacts=tuple(missing(config, tasks)),
        code=Code(version=version("headcount"), generation=digest(*GENERATION)),
        servers=tuple(sorted(servers, key=lambda one: (one.model, one.task, one.server or ""))),
        files=files,
    )


def served(model: str, task: str, asked: Mapping[str, str | None]) -> Iterator[Server]:
    """How many replies each server gave.

    Args:
        asked: server of each request, of `asked.asked`.
    """
    for server, replies in Counter(asked.values()).items():
        yield Server(model=model, task=task, server=server, replies=replies)


def transcripts(config: Config, tasks: Collection[str]) -> Openness:
    """Whether what was said about some tasks is released: all of it, none, or not that of private tasks."""
    if config.tier == "open" or all(config.tasks[task].format == "recorded" for task in tasks):
        return "omitted"
    return "gated" if any(config.tasks[task].private for task in tasks) else "open"


def missing(config: Config, tasks: Iterable[str]) -> Iterator[str]:
    """What of a run's tasks its release does not hold, and why."""
    for name in tasks:
        task = config.tasks[name]
        if task.format == "recorded":
            yield f"questions and replies of {name}: others asked them, and published answers"
        elif config.answers_only(name):
            yield f"questions and replies of {name}: {'the task is private' if task.private else 'the tier is open'}"


def _row_tier(config: Config, file: str) -> RowTier:
    return "gated_trace_derived" if config.answers_only(Path(file).stem) else "open_derived"
