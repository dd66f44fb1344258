"""What a user tells of files whose rows do not say it, and the names that models and tasks get."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headcount.errors import UserError
from headcount.imports.fields import Fields

PAPER_ROUNDS = 3  # arXiv 2609.35279 judges debates after R3


@dataclass
class Names:
    """Names for a configuration: lower case, and no two of other people's names under one."""

    taken: dict[str, str] = field(default_factory=dict)

    def of(self, kind: str, name: str, row: Fields) -> str:
        """`Qwen/Qwen3-4B` is `qwen-qwen3-4b`."""
        slug = re.sub(r"[^a-z0-9_.-]+", "-", name.lower()).strip("-._")[:60]
        if not slug:
            row.wrong(f"{kind} {name!r} has neither letter nor digit", "Give it a name that a file can have")
        elif self.taken.setdefault(f"{kind} {slug}", name) != name:
            first = self.taken[f"{kind} {slug}"]
            row.wrong(f"{kind}s {first!r} and {name!r} would both be called {slug!r}", "Rename one of them")
        return slug

    def original(self, kind: str, slug: str) -> str:
        """What it was called."""
        return self.taken[f"{kind} {slug}"]


@dataclass(frozen=True)
class Told:
    """Of one file: what holds for rows that do not say it, and how many rounds are kept.

    Attributes:
        task, model: names as the user wrote them.
        rounds: revisions after the first answers; by default those of the paper, and all of a plain table.
        names: of the whole import.
    """

    task: str | None
    model: str | None
    rounds: int | None
    names: Names

    def model_of(self, row: Fields, *keys: str) -> str:
        """The model that a row is of: what it says itself, or the user."""
        return self._named("model", self.model, row, keys)

    def task_of(self, row: Fields, *keys: str) -> str:
        """The task that a row is of."""
        return self._named("task", self.task, row, keys)

    def _named(self, kind: str, told: str | None, row: Fields, keys: tuple[str, ...]) -> str:
        own = next((row.text(key) for key in keys if row.has(key)), told)
        if own is None:
            where = row.where
            where.notes.wrong_everywhere(where.number, f"no row says its {kind}", f"Name it with --{kind}")
            row.spoil()
            return ""
        return self.names.of(kind, own, row)


def models_by_file(options: list[str], files: list[Path]) -> Mapping[Path, str]:
    """The models that a user names: NAME for all files, FILE=NAME for one.

    Raises:
        UserError: where a name is of no file, or there are two for one.
    """
    by_file: dict[Path, str] = {}
    for option in options:
        file, _, name = option.rpartition("=")
        named = [path for path in files if not file or file in (str(path), path.name)]
        if not named or not name:
            known = ", ".join(path.name for path in files)
            raise UserError(f"--model {option}: no file of this import is called {file!r} ({known}). Write FILE=NAME.")
        for path in named:
            if by_file.setdefault(path, name) != name:
                raise UserError(
                    f"--model {option}: {path.name} is of {by_file[path]!r} already. Name one model a file."
                )
    return by_file
