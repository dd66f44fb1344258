"""A copy of the checkout to run the workflow in, and a run that is small and has everything in it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

# A private task, a mixed team, a team that no experiment uses.
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
  core: {teams: [alone], tasks: [letters, secret], sizes: [1, 2, 3]}
  mix: {teams: [mixed], tasks: [letters], conditions: [debate], sizes: [1, 2, 3]}
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
