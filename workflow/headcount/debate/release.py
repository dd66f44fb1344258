"""A released cache: what a run's tables can be rebuilt from, and no more than that.

resources/{run}/items/{task}.parquet, responses/{model}/{task}.parquet; where programs were asked for also
verdicts/{team}/{task}.parquet, so that a replay runs none; of a private or recorded task
answers/{team}/{task}.parquet alone, which quote neither a question nor a reply. Journals may hold other runs' replies:
only requests that stand in the run's draws and turns are exported, and of them an allow-list of columns.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc

from headcount.config import Config
from headcount.debate.journal import stored
from headcount.debate.planner import Pool, plan
from headcount.errors import UserError
from headcount.schema import ANSWERS, DRAWS, ITEMS, RESPONSES, TURNS, VERDICTS
from headcount.store import conform, read, write


def release(config: Config, results: Path, cache: Path, target: Path) -> list[Path]:
    """Write the release of a finished run, and return its files.

    Args:
        results: the run's folder.
        cache: where the journals are.
        target: folder of the release; its former items, responses, verdicts and answers are replaced.
    """
    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target) as folder:  # the former release goes when the new one is whole, not before
        made = Path(folder)
        files = _export(config, results, cache, made)
        for part in ("items", "responses", "verdicts", "answers"):
            shutil.rmtree(target / part, ignore_errors=True)
            if (made / part).exists():
                (made / part).rename(target / part)
    return [target / path.relative_to(made) for path in files]


def _export(config: Config, results: Path, cache: Path, target: Path) -> list[Path]:
    planned = plan(config)
    tasks = sorted({cell.task for cell in planned.cells})
    files = [_items(results, target, task) for task in tasks if not config.answers_only(task)]
    files += [
        _responses(config, results, cache, target, pool) for pool in planned.pools if not config.answers_only(pool.task)
    ]
    coded = sorted({(cell.team, cell.task) for cell in planned.cells if config.tasks[cell.task].format == "humaneval"})
    files += [_verdicts(results, target, team, task) for team, task in coded]
    private = sorted({(cell.team, cell.task) for cell in planned.cells if config.answers_only(cell.task)})
    return files + [_answers(results, target, team, task) for team, task in private]


def _items(results: Path, target: Path, task: str) -> Path:
    path = target / "items" / f"{task}.parquet"
    write(path, read(results / "items" / f"{task}.parquet", ITEMS), ITEMS)
    return path


def _verdicts(results: Path, target: Path, team: str, task: str) -> Path:
    name = f"verdicts/{team}/{task}.parquet"
    write(target / name, read(results / name, VERDICTS), VERDICTS)
    return target / name


def _responses(config: Config, results: Path, cache: Path, target: Path, pool: Pool) -> Path:
    wanted = set(_requests(config, results, pool))
    found = {
        row["key"]: row for row in stored(cache / pool.model / pool.task, pool.model, pool.task) if row["key"] in wanted
    }
    if lost := wanted - found.keys():
        raise UserError(f"{cache / pool.model / pool.task}: the journals lack {len(lost)} replies of run {config.run}.")
    path = target / "responses" / pool.model / f"{pool.task}.parquet"
    write(path, conform(pa.Table.from_pylist(_rows(found.values())), RESPONSES, str(path)), RESPONSES)
    return path


def _rows(rows: Iterable[dict[str, object]]) -> list[dict[str, object]]:
    """Journal rows as rows of RESPONSES."""
    return [
        {name: row[name] for name in RESPONSES.schema.names if name in row}
        | row["place"]._asdict()  # type: ignore[attr-defined]
        | {"request": row["key"]}
        for row in rows
    ]


def _requests(config: Config, results: Path, pool: Pool) -> Iterable[str]:
    """The keys of all replies of a model to a task that the run is made of."""
    yield from read(results / "draws" / pool.model / f"{pool.task}.parquet", DRAWS)["request"].to_pylist()
    for cell in plan(config).cells:
        if cell.task == pool.task and cell.condition != "self_consistency":
            turns = read(results / "turns" / cell.team / cell.task / f"{cell.condition}.parquet", TURNS)
            yield from turns.filter(pc.equal(turns["model"], pool.model))["request"].to_pylist()


def _answers(results: Path, target: Path, team: str, task: str) -> Path:
    path = target / "answers" / team / f"{task}.parquet"
    answers = read(results / "answers" / f"{team}.parquet", ANSWERS)
    write(path, answers.filter(pc.equal(answers["task"], task)), ANSWERS)
    return path
