"""What a run's numbers stand on: the hash of every file, of what it was made from, and of the code that made it.

Parquet is hashed by content (sorted rows), since its bytes differ between library versions; published files by bytes.
A file's `chain` hashes its content, its code and the chains of its inputs: two runs whose tables have equal chains
agree in everything on the way.
"""

import hashlib
import json
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from headcount.config import Config
from headcount.content import content_hash
from headcount.debate.planner import Plan, plan
from headcount.digest import GENERATION, digest
from headcount.publish import figures, tables
from headcount.schema import ANSWERS, CURVES, DRAWS, FITS, ITEMS, MEASURES, TURNS, Table
from headcount.store import read

PACKAGES = ("numpy", "pandas", "pyarrow", "scipy", "matplotlib", "snakemake")


class Step(NamedTuple):
    """A file of a run: what it was made from, the code that made it, and the stage it is of, if it is Parquet."""

    path: str
    made_from: tuple[str, ...]
    code: tuple[str, ...]  # entries for `digest`
    table: Table | None


def manifest(config: Config, results: Path) -> dict[str, object]:
    """Hashes of all files of a finished run, in the order in which they were made."""
    planned = plan(config)
    files: dict[str, dict[str, object]] = {}
    for step in steps(config, planned):
        content, code = _content(results / step.path, step.table), digest(*step.code)
        chain = _sha256(content, code, *(str(files[path]["chain"]) for path in step.made_from))
        files[step.path] = {
            "content": content,
            "code": code,
            "made_from": list(step.made_from),
            "chain": chain,
        }
    return {
        "run": config.run,
        "simulated": [team for team in _teams(planned) if config.simulated(team)],
        "config": _sha256(config.model_dump_json()),
        "environment": {"python": platform.python_version()} | {name: version(name) for name in PACKAGES},
        "files": files,
    }


def steps(config: Config, planned: Plan) -> Iterator[Step]:
    """The files of a run, each after what it is made from."""
    cells = [cell for cell in planned.cells if not config.replays_answers(cell.task)]
    talking = [cell for cell in cells if cell.condition != "self_consistency"]
    tasks = sorted({cell.task for cell in cells})
    for task in tasks:
        yield Step(_items(task), (), ("headcount.items.load",), ITEMS)
    for pool in planned.pools:
        if pool.task in tasks:
            yield Step(_draws(pool.model, pool.task), (_items(pool.task),), GENERATION, DRAWS)
    for cell in talking:
        draws = tuple(_draws(model, cell.task) for model in sorted(set(config.teams[cell.team].members)))
        made_from = (_items(cell.task), *draws)
        yield Step(_turns(cell.team, cell.task, cell.condition), made_from, GENERATION, TURNS)
    for team in _teams(planned):
        own = [cell for cell in cells if cell.team == team]
        draws = tuple(
            _draws(model, task)
            for task in sorted({cell.task for cell in own})
            for model in sorted(set(config.teams[team].members))
        )
        turns = tuple(_turns(cell.team, cell.task, cell.condition) for cell in own if cell in talking)
        yield Step(f"answers/{team}.parquet", draws + turns, ("headcount.answers.team",), ANSWERS)
        yield Step(f"measures/{team}.parquet", (f"answers/{team}.parquet",), ("headcount.measures.table",), MEASURES)
    measures = tuple(f"measures/{team}.parquet" for team in _teams(planned))
    yield Step("fits.parquet", measures, ("headcount.laws.cells",), FITS)
    yield Step("curves.parquet", measures, ("headcount.laws.cells",), CURVES)
    yield from _pages()


def _pages() -> Iterator[Step]:
    numbers = ("fits.parquet", "curves.parquet")
    for name in tables.ALIASES:
        for suffix in ("csv", "md", "tex"):
            code = (f"headcount.publish.tables.{name}", "headcount.publish.render")
            yield Step(f"tables/{name}.{suffix}", numbers, code, None)
    for name in figures.ALIASES:
        for suffix in ("csv", "pdf", "png"):
            yield Step(f"figures/{name}.{suffix}", numbers, (f"headcount.publish.figures.{name}",), None)


def save(path: Path, content: dict[str, object]) -> None:
    """Write a manifest for people and for `diff`."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _teams(planned: Plan) -> list[str]:
    return sorted({cell.team for cell in planned.cells})


def _items(task: str) -> str:
    return f"items/{task}.parquet"


def _draws(model: str, task: str) -> str:
    return f"draws/{model}/{task}.parquet"


def _turns(team: str, task: str, condition: str) -> str:
    return f"turns/{team}/{task}/{condition}.parquet"


def _content(path: Path, table: Table | None) -> str:
    return content_hash(read(path, table)) if table else hashlib.sha256(path.read_bytes()).hexdigest()


def _sha256(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
