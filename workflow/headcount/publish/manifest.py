"""What a run's numbers stand on: the hash of every file, of what it was made from, and of the code that made it.

Parquet is hashed by content (rows in the order of their keys, as stages write them), since its bytes differ between
library versions; published files by bytes.
A file's `chain` hashes its content, its code and the chains of its inputs: two runs whose tables have equal chains
agree in everything on the way.
"""

import hashlib
import json
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

from headcount.config import Config
from headcount.content import file_hash
from headcount.debate.planner import plan
from headcount.digest import digest
from headcount.publish.graph import steps, teams_of
from headcount.schema import Table

PACKAGES = ("numpy", "pandas", "pyarrow", "scipy", "matplotlib", "snakemake")


def manifest(config: Config, results: Path) -> dict[str, object]:
    """Hashes of all files of a finished run, in the order in which they were made."""
    planned, code_of = plan(config), cache(digest)  # pages of one kind have one code
    files: dict[str, dict[str, object]] = {}
    for step in steps(config, planned):
        path = Path(step.path) if step.path.startswith("resources/") else results / step.path
        content, code = _content(path, step.table), code_of(*step.code)
        chain = _sha256(content, code, *(str(files[path]["chain"]) for path in step.made_from))
        files[step.path] = {
            "content": content,
            "code": code,
            "made_from": list(step.made_from),
            "chain": chain,
        }
    return {
        "run": config.run,
        "simulated": [team for team in teams_of(planned) if config.simulated(team)],
        "config": _sha256(config.model_dump_json()),
        "environment": {"python": platform.python_version()} | {name: version(name) for name in PACKAGES},
        "files": files,
    }


def save(path: Path, content: dict[str, object]) -> None:
    """Write a manifest for people and for `diff`."""
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _content(path: Path, table: Table | None) -> str:
    return file_hash(path, table.schema) if table else hashlib.sha256(path.read_bytes()).hexdigest()


def _sha256(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
