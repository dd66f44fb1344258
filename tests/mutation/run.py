"""Mutation testing: change the library in one place at a time, and ask whether a test notices (`make mutation`).

For every part of parts.toml: a copy of the project in a temporary folder, mutmut's mutants in it, each tried in a
fork of one pytest process (forks.py), and what survived, with the reason of reasons.toml that fits, in
survivors/PART.csv. counts.csv holds the totals; docs/mutation.md shows both.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import chdir
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from forks import MUTANTS, VERDICTS
from mutants import LIBRARY, make_mutants
from page import COUNTS, HERE, read_csv, write_csv, write_page

ROOT = HERE.parents[1]
GOAL = 0.9


@dataclass(frozen=True)
class Part:
    """Modules (below the library) and the tests that speak for them."""

    name: str
    modules: list[str]
    tests: list[str]
    skip: list[str]


def read_parts() -> dict[str, Part]:
    parts: dict[str, Part] = {}
    taken: set[str] = set()
    files = sorted(str(path.relative_to(ROOT / LIBRARY)) for path in (ROOT / LIBRARY).rglob("*.py"))
    for name, part in tomllib.loads((HERE / "parts.toml").read_text()).items():
        modules = [file for file in files if any(fnmatch(file, pattern) for pattern in part["modules"])]
        parts[name] = Part(name, [m for m in modules if m not in taken], part["tests"], part.get("skip", []))
        taken.update(modules)
    return parts


def chosen(words: list[str]) -> list[tuple[Part, bool]]:
    """Parts to run, and whether each is whole: `all`, names of parts, or modules such as measures/votes.py."""
    parts = read_parts()
    for word in words:
        if word not in ("all", *parts) and not any(word in part.modules for part in parts.values()):
            raise SystemExit(f"{word}: neither a part ({', '.join(parts)}) nor a module of one")
    runs = []
    for part in parts.values():
        few = [module for module in part.modules if module in words]
        if part.name in words or "all" in words:
            runs.append((part, True))
        elif few:
            runs.append((Part(part.name, few, part.tests, part.skip), False))
    return runs


def try_mutants(folder: Path, part: Part, every: int) -> tuple[dict[str, str], dict[str, str], float]:
    """What the mutants of a part change, what became of every so-manieth, and the seconds of processor time."""
    for name in ("benchmarks", "config", "resources", "tests", "workflow"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "private"))
    settings = '\n[tool.mutmut]\nsource_paths = ["workflow"]\n'
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text() + settings)
    with chdir(folder):  # where mutmut reads its settings
        changes = make_mutants(folder, part.modules)
    (folder / MUTANTS).write_text(json.dumps(list(changes)[::every]))
    (folder / "tmp").mkdir()
    env = {"PYTHONPATH": f"{folder / 'workflow'}:{HERE}", "OPENBLAS_NUM_THREADS": "1", "TMPDIR": str(folder / "tmp")}
    skip = [f"--deselect={test}" for test in part.skip]
    command = [sys.executable, "-m", "pytest", "-p", "forks", "-p", "no:cacheprovider", "-s", *part.tests, *skip]
    subprocess.run(command, cwd=folder, env=os.environ | env, check=True)
    used = getrusage(RUSAGE_CHILDREN)
    return changes, json.loads((folder / VERDICTS).read_text()), used.ru_utime + used.ru_stime


def survivors(changes: dict[str, str], verdicts: dict[str, str]) -> list[dict[str, str]]:
    """Module, function, change and reason of every mutant that no test noticed."""
    reasons = tomllib.loads((HERE / "reasons.toml").read_text())["reason"]
    rows = []
    for name in (name for name, verdict in verdicts.items() if verdict in ("survived", "no tests")):
        module, _, mangled = name.removeprefix("headcount.").rpartition(".")
        function = re.sub(r"^x_?|__mutmut_\d+$", "", mangled).strip("ǁ").replace("ǁ", ".")
        row = {"module": module.replace(".", "/") + ".py", "function": function, "change": changes[name]}
        rows.append(row | {"reason": reason_of(row, reasons)})
    return rows


def reason_of(row: dict[str, str], reasons: list[dict]) -> str:
    """The name of the first reason with a place and a pattern that fit; empty if there is none."""
    place = f"{row['module']}:{row['function']}"
    for reason in reasons:
        if any(fnmatch(place, where) and re.search(change, row["change"]) for where, change in reason["fits"]):
            return str(reason["name"])
    return ""


def tested(part: Part, whole: bool, every: int) -> bool:
    """Runs a part; writes what it found if the part is whole; returns whether enough was killed and all explained."""
    spent = getrusage(RUSAGE_CHILDREN)
    with TemporaryDirectory(prefix="mutation-") as folder:
        changes, verdicts, seconds = try_mutants(Path(folder), part, every)
    seconds -= spent.ru_utime + spent.ru_stime
    left = survivors(changes, verdicts)
    share = 1 - len(left) / len(verdicts)
    for row in left:
        if not (whole and row["reason"]):
            print(f"{row['module']}:{row['function']}: {row['change']}")
    print(
        f"{part.name}: {len(verdicts)} mutants, {len(left)} survived, {share:.1%} killed, {seconds:.0f} s of processor"
    )
    if whole:
        write_csv(HERE / "survivors" / f"{part.name}.csv", left)
        timed_out = sum(verdict == "timed out" for verdict in verdicts.values())
        count = {
            "part": part.name,
            "mutants": len(changes),
            "tried": len(verdicts),
            "timed_out": timed_out,
            "survived": len(left),
            "seconds": round(seconds),
        }
        others = [row for row in read_csv(COUNTS) if row["part"] != part.name]
        write_csv(COUNTS, [*others, count])
    return share >= GOAL and all(row["reason"] for row in left)


if __name__ == "__main__":
    words, every = sys.argv[1].split(), int(sys.argv[2])
    good = [tested(part, whole, every) for part, whole in chosen(words)]
    write_page(ROOT / "docs" / "mutation.md")
    sys.exit(not all(good))
