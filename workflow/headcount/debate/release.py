"""A released cache: what a run's tables can be rebuilt from, and no more than that.

resources/{run}/items/{task}.parquet, responses/{model}/{task}.parquet; where programs were asked for also
verdicts/{team}/{task}.parquet, so that a replay runs none. Of a private or recorded task, and of all in the open tier,
answers/{team}/{task}.parquet and probes/{model}/{task}.parquet alone, which quote neither a question nor a reply.
release.json says what is open, what is missing, who answered, and the hash of every file. Journals may hold other runs'
replies: only requests that stand in the run's files are exported, and of them an allow-list of columns.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc

from headcount.config import Config
from headcount.debate.asked import asked, asked_pairs, asked_tasks
from headcount.debate.journal import stored
from headcount.debate.planner import plan
from headcount.debate.release_metadata import METADATA, Server, read_metadata, write_metadata
from headcount.debate.release_terms import served, terms
from headcount.errors import UserError
from headcount.schema import ANSWERS, ITEMS, PROBES, RESPONSES, VERDICTS, Table
from headcount.store import conform, read, write

PARTS = ("items", "responses", "verdicts", "answers", "probes")
Made = tuple[str, Table]  # a file's path below the release, and the table that it is of


def release(config: Config, results: Path, cache: Path, target: Path) -> list[Path]:
    """Write the release of a finished run, and return its files.

    Args:
        config: its `tier` says whether texts are released.
        results: the run's folder.
        cache: where the journals are.
        target: folder of the release; its former files are replaced, if they are of the same tier.
    """
    _check_programs(config)
    with replacing(config, target) as made:
        files = _export(config, results, cache, made)
    return [target / name for name in files]


@contextmanager
def replacing(config: Config, target: Path) -> Iterator[Path]:
    """A folder for a release of a configuration's tier that replaces a former one when it is whole, not before."""
    _check_former(config, target)
    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target) as folder:
        made = Path(folder)
        yield made
        for part in PARTS:
            shutil.rmtree(target / part, ignore_errors=True)
            if (made / part).exists():
                (made / part).rename(target / part)
        (made / METADATA).replace(target / METADATA)


def _check_programs(config: Config) -> None:
    coded = {cell.task for cell in plan(config).cells if config.tasks[cell.task].format == "humaneval"}
    if coded and config.tier == "open":
        raise UserError(
            f"tier: 'open' releases answers alone, and those to {', '.join(sorted(coded))} are programs, which quote "
            "replies. Release with `tier: full`, or without these tasks."
        )


def _check_former(config: Config, target: Path) -> None:
    """Texts may stand nowhere else than in a former release."""
    said = (target / METADATA).exists()
    former = read_metadata(target / METADATA).tier if said else "full" if (target / "responses").exists() else None
    if former not in (None, config.tier):
        raise UserError(
            f"{target}: a release of tier {former!r}, which one of tier {config.tier!r} would replace. Give the new "
            "one a folder of its own (`--target`), or take the former away."
        )


def _export(config: Config, results: Path, cache: Path, target: Path) -> list[str]:
    made, servers = list(_beside_texts(config, results, target)), list[Server]()
    for model, task in asked_pairs(config):
        if not config.replays_answers(task):
            wanted = asked(config, results, model, task)
            servers += served(model, task, wanted)
            if not config.answers_only(task):
                made.append(_responses(config, wanted, cache / model / task, target))
    made += _answers(config, results, target)
    write_metadata(target, terms(config, target, made, servers))
    return [*(name for name, _ in made), METADATA]


def _responses(config: Config, wanted: Mapping[str, str | None], journals: Path, target: Path) -> Made:
    model, task = journals.parts[-2:]
    found = {row["key"]: row for row in stored(journals, model, task) if row["key"] in wanted}
    if lost := wanted.keys() - found.keys():
        raise UserError(f"{journals}: the journals lack {len(lost)} replies of run {config.run}.")
    name = f"responses/{model}/{task}.parquet"
    rows = pa.Table.from_pylist(_rows(found.values()))
    write(target / name, conform(rows, RESPONSES, name), RESPONSES)
    return name, RESPONSES


def _rows(rows: Iterable[dict[str, object]]) -> list[dict[str, object]]:
    """Journal rows as rows of RESPONSES."""
    return [
        {name: row[name] for name in RESPONSES.schema.names if name in row}
        | row["place"]._asdict()  # type: ignore[attr-defined]
        | {"request": row["key"]}
        for row in rows
    ]


def _beside_texts(config: Config, results: Path, target: Path) -> Iterator[Made]:
    """The questions that replies are to, high-flip ones too, and what programs in replies do."""
    planned = plan(config)
    for task in asked_tasks(planned):
        if not config.answers_only(task):
            yield _copied(results, target, f"items/{task}.parquet", ITEMS)
    for team, task in sorted({(cell.team, cell.task) for cell in planned.cells}):
        if config.tasks[task].format == "humaneval":
            yield _copied(results, target, f"verdicts/{team}/{task}.parquet", VERDICTS)


def _answers(config: Config, results: Path, target: Path) -> Iterator[Made]:
    """Answers and probes of tasks whose texts stay where they are."""
    planned = plan(config)
    for team, task in sorted({(cell.team, cell.task) for cell in planned.cells if config.answers_only(cell.task)}):
        name, answers = f"answers/{team}/{task}.parquet", read(results / "answers" / f"{team}.parquet", ANSWERS)
        write(target / name, answers.filter(pc.equal(answers["task"], task)), ANSWERS)
        yield name, ANSWERS
    for screen in planned.screens:
        if screen.purpose == "probe" and config.answers_only(screen.task):
            yield _copied(results, target, f"probes/{screen.model}/{screen.task}.parquet", PROBES)


def _copied(results: Path, target: Path, name: str, table: Table) -> Made:
    write(target / name, read(results / name, table), table)
    return name, table
