"""A copy of the checkout to run the workflow in, and a run that is small and has everything in it."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from headcount.config import parse
from headcount.debate.planner import plan
from headcount.digest import sources
from headcount.publish import figures, tables
from headcount.publish.graph import steps
from headcount.publish.needs import applying

ROOT = Path(__file__).parents[2]

# A private task, a mixed team, a second team of three, a team that no experiment uses, a screen.
CONFIG = """\
run: small
seed: 1
models:
  a: {family: one, engine: simulated, concurrency: 4}
  b: {family: two, engine: simulated, population: {accuracy: 0.4}}
teams:
  alone: {members: [a]}
  mixed: {members: [a, b]}
  idle: {members: [b]}
tasks:
  letters: {format: file, source: {path: letters.csv}}
  secret: {format: file, source: {path: secret.csv}, private: true}
experiments:
  core: {teams: [alone], tasks: [letters, secret], null_teams: [3], sizes: [1, 2, 3]}
  mix: {teams: [mixed], tasks: [letters], conditions: [debate], sizes: [1, 2, 3]}
probing: {models: [a, b], tasks: [letters], items: 3, conditions: [default]}
fitting: {bootstrap: 20}
"""
LETTERS = "id,question,choice_a,choice_b,choice_c,answer\n" + "".join(
    f"l{i},Which is letter {i}?,x{i},y{i},z{i},{'ABC'[i % 3]}\n" for i in range(4)
)
SECRET = "id,question,answer\n" + "".join(f"s{i},What is the zebra number {i}?,{100 + i}\n" for i in range(4))


@dataclass(frozen=True)
class Checkout:
    """A folder with the Snakefile at its root, whose library is its own."""

    folder: Path

    def call(self, *words: str, **how) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder, env=self.environment(), capture_output=True, text=True, check=False, **how
        )

    def environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": str(self.folder / "workflow"), "OPENBLAS_NUM_THREADS": "1"}

    def snakemake(self, *words: str, before: Iterable[str] = ()) -> subprocess.CompletedProcess[str]:
        """Snakemake on `small.yaml`, or on the --configfile among the words."""
        config = [] if "--configfile" in words else ["--configfile", "small.yaml"]
        return self.call(*before, sys.executable, "-m", "snakemake", "--cores", "2", *words, *config)

    def run(self, *words: str, before: Iterable[str] = ()) -> str:
        """Run Snakemake; the test fails where it fails."""
        done = self.snakemake(*words, before=before)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def jobs(self, *targets: str) -> dict[str, int]:
        """What Snakemake would run: jobs by rule, without the rule that only collects."""
        said = self.run(*targets, "--dry-run", "--quiet", "rules")
        table = re.findall(r"^(\w+) +(\d+)$", said, re.MULTILINE)
        assert table or "Nothing to be done" in said, said
        return {rule: int(count) for rule, count in table if rule not in ("all", "total")}

    def headcount(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.call(sys.executable, "-c", "from headcount.cli import app; app()", *words)

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} has no {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def comment(self, file: str) -> None:
        """The smallest change of a module."""
        path = self.folder / file
        path.write_text(path.read_text(encoding="utf-8") + "# x\n", encoding="utf-8")

    def clone(self, folder: Path) -> "Checkout":
        shutil.copytree(self.folder, folder, symlinks=True)
        return Checkout(folder)


def check_out(folder: Path) -> Checkout:
    """What Git knows or would add, and the small run's files."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if not name.startswith("tests/") and (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    for name, text in (("small.yaml", CONFIG), ("letters.csv", LETTERS), ("secret.csv", SECRET)):
        (folder / name).write_text(text, encoding="utf-8")
    return Checkout(folder)


KINDS = {"tables": tables.PAGES, "figures": figures.PAGES}


def pages_of(kind: str, *made_from: str) -> list[str]:
    """The tables or figures of the small run; only those made from one of some files, if any are named."""
    known = KINDS[kind]
    config = parse(yaml.safe_load(CONFIG), "small")
    names = applying(known, config, plan(config))
    return [name for name in names if not made_from or {*known[name].reads, *known[name].published} & {*made_from}]


def page_files(*made_from: str) -> set[str]:
    """The files that they are."""
    made = {f"tables/{name}.{kind}" for name in pages_of("tables", *made_from) for kind in ("csv", "md", "tex")}
    figures = pages_of("figures", *made_from)
    return made | {f"figures/{name}.{kind}" for name in figures for kind in ("csv", "pdf", "svg", "png")}


def made_from(*files: str) -> set[str]:
    """All files of the small run that stand on one of some files or folders, these included, as its manifest says."""
    config = parse(yaml.safe_load(CONFIG), "small")
    reached: set[str] = set()
    for step in steps(config, plan(config)):
        if step.path.startswith(files) or reached & {*step.made_from}:
            reached.add(step.path)
    return reached


def made_with(module: str) -> tuple[str, ...]:
    """The files of the small run whose own code has a module of the library in it, as its manifest says."""
    config = parse(yaml.safe_load(CONFIG), "small")
    file = ROOT / "workflow" / "headcount" / module
    return tuple(step.path for step in steps(config, plan(config)) if file in sources(*step.code))


def jobs_of(files: Iterable[str]) -> dict[str, int]:
    """The jobs that make files, and the manifest's: what Snakemake must run where they are to be made again."""
    jobs: dict[tuple[str, str], None] = {}
    for file in files:
        folder, _, rest = file.rpartition("/")
        stage = Path(file).stem
        if folder.startswith("resources"):
            continue
        if file.startswith(("redraws/", "pages/", "cards/")):
            jobs[file.partition("/")[0], ""] = None  # all of them are one job
        elif folder in KINDS:
            jobs[f"{folder}_of_{KINDS[folder][stage].question}", ""] = None  # those of a question are one job
        elif folder in _TOGETHER:
            jobs[_TOGETHER[folder], rest] = None
        elif folder:
            jobs[file.partition("/")[0], rest if folder == "measures" else file] = None
        else:
            jobs[_TOGETHER.get(stage, stage), ""] = None
    return dict(Counter(rule for rule, _ in jobs)) | {"manifest": 1}


_PANEL = ("pairs", "pair_means", "crowd", "best_member", "calibration")
_TOGETHER = dict.fromkeys(_PANEL, "panel") | {
    "curves": "fits",
    "contrasts": "estimates",
    "ledger_stability": "ledger_rates",
    "gate_outcomes": "gates",
    "localisation": "gates",
    "pilot_sizes": "pilots",
    "pilot": "pilot_page",
    "rivals": "audits",
    "skills": "audits",
    "reliability": "screens",
    **dict.fromkeys(("model_rows", "reorderings", "selection", "forecasts"), "associations"),
    "projections": "audits",
    **dict.fromkeys(("subsets", "moves", "votes", "cross_pairs", "transitions"), "measures"),
}
