"""Files of other people's debates and probes to a run that replays them: read, check, and write all or nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headcount.config import RUN_NAME
from headcount.errors import UserError
from headcount.imports.checks import checked
from headcount.imports.configuration import as_yaml, configuration
from headcount.imports.formats import FORMATS, Format
from headcount.imports.notes import Problem
from headcount.imports.records import Battery, Debate
from headcount.imports.source import Source, read_source
from headcount.imports.tables import answers_of, probes_of
from headcount.imports.told import Names, Told, models_by_file
from headcount.imports.written import check_free, write_import


@dataclass(frozen=True)
class Wanted:
    """What a user asks for.

    Attributes:
        run: names the release and the configuration.
        task: of rows that do not say theirs.
        models: NAME of such rows in all files, or FILE=NAME.
        kind: of all files; by default each file's first row tells.
        rounds: revisions that are kept.
        skip: leave out what has a bad row, and convert the rest.
        overwrite: a former import of this run may be replaced.
    """

    run: str
    task: str | None = None
    models: Sequence[str] = ()
    kind: Format | None = None
    rounds: int | None = None
    skip: bool = False
    overwrite: bool = False


@dataclass(frozen=True)
class Read:
    """What files hold, and what of it can be converted."""

    sources: list[Source]
    debates: list[Debate]
    batteries: list[Battery]
    names: Names

    @property
    def problems(self) -> list[Problem]:
        """All of them, file by file."""
        return [problem for source in self.sources for problem in source.notes.in_order()]


def read_files(files: Sequence[Path], wanted: Wanted) -> Read:
    """Read files and check them against each other.

    Raises:
        UserError: where a file cannot be read at all, or an option contradicts the files.
    """
    named = Counter(path.resolve() for path in files)
    if twice := [path for path in files if named[path.resolve()] > 1]:
        raise UserError(f"{twice[-1]} is named twice. Name each file once.")
    models, names = models_by_file(list(wanted.models), list(files)), Names()
    sources = [
        read_source(path, wanted.kind, Told(wanted.task, models.get(path), wanted.rounds, names)) for path in files
    ]
    records = [record for source in sources for record in source.records]
    debates, batteries = checked(
        [record for record in records if isinstance(record, Debate)],
        [record for record in records if isinstance(record, Battery)],
    )
    return Read(sources, debates, batteries, names)


@dataclass(frozen=True)
class Imported:
    """What was read, and the files that were written; none where a row is bad and may not be left out."""

    read: Read
    written: list[Path]


def import_files(files: Sequence[Path], wanted: Wanted, root: Path) -> Imported:
    """Read, check, and write the release and the configuration of what can be converted: all of it, or nothing.

    Args:
        root: holds `resources` and `config`.

    Raises:
        UserError: where a file cannot be read, an option contradicts the files, something else is in the place of what
            would be written, or there is nothing to write.
    """
    if not re.fullmatch(RUN_NAME, wanted.run):
        raise UserError(f"--run {wanted.run}: is no name of a run. Use lower-case letters, digits, '-' and '_'.")
    if wanted.kind not in (None, *FORMATS):
        raise UserError(f"--format {wanted.kind}: is none of {', '.join(FORMATS)}.")
    check_free(wanted.run, root, overwrite=wanted.overwrite)
    read = read_files(files, wanted)
    if (read.problems and not wanted.skip) or not read.debates:
        return Imported(read, [])
    answers, probes = answers_of(read.debates), probes_of(read.batteries)
    config = as_yaml(configuration(wanted.run, answers, probes, read.names))
    return Imported(read, write_import(wanted.run, root, answers, probes, _sources(read, wanted), config))


def _sources(read: Read, wanted: Wanted) -> dict[str, Any]:
    """Where a release comes from."""
    rounds = sorted({len(debate.rounds) for debate in read.debates})
    return {
        "run": wanted.run,
        "files": [_source(source, read) for source in read.sources],
        "endpoint": {"rounds": rounds, "reference_round": [f"R{last - 1}" for last in rounds]},
        "debates": len(read.debates),
        "probe_rows": len(read.batteries),
    }


def _source(source: Source, read: Read) -> dict[str, Any]:
    own = converted(source, read)
    return {
        "name": source.path.name,
        "sha256": source.sha256,
        "kind": source.kind,
        "rows": source.rows,
        "holds": source.seen,  # debates or probe rows
        "converted": len(own),
        "refused": source.seen - len(own),
        "missing_answers": missing(own),
        "problems": [f"{problem.unit} {problem.number}: {problem.what}" for problem in source.notes.in_order()],
        "remarks": source.notes.told(),
    }


def converted(source: Source, read: Read) -> list[Debate | Battery]:
    """What of a file can be converted."""
    records: list[Debate | Battery] = [*read.debates, *read.batteries]
    return [record for record in records if record.where.notes is source.notes]


def missing(records: Iterable[Debate | Battery]) -> int:
    """Answers that are not there, to debates and to probes."""
    return sum(
        sum(said.answer is None for answers in record.rounds for said in answers)
        if isinstance(record, Debate)
        else sum(probe.answer is None for probe in record.probes)
        for record in records
    )
