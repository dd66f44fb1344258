"""What a terminal shows of an import, and the file of all its problems."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from headcount.errors import UserError
from headcount.imports.imported import Imported, Read, converted, missing
from headcount.imports.notes import Problem
from headcount.imports.source import Source

SHOWN = 20
COLUMNS = ["file", "unit", "number", "what", "remedy"]


def told(read: Read) -> Iterator[str]:
    """Problems with their files, rows and remedies, the first of them; then what each file holds, with remarks."""
    problems = read.problems
    yield from map(str, problems[:SHOWN])
    if len(problems) > SHOWN:
        more = len(problems) - SHOWN
        yield f"... and {more:,} more problem{'s' if more > 1 else ''}; --problems FILE.csv has them all."
    for source in read.sources:
        yield from _file(source, read)


def _file(source: Source, read: Read) -> Iterator[str]:
    own = converted(source, read)
    what = "probe rows" if source.kind == "probes" else "debates"
    holds = f"{source.kind or 'unknown'}, {source.rows:,} rows"
    if source.kind == "plain":
        holds += f", {source.seen:,} debates"
    gone = f", {missing(own):,} answers missing in them" if missing(own) else ""
    yield f"{source.path} ({holds}): {len(own):,} of {source.seen:,} {what} can be converted{gone}"
    for remark in source.notes.told():
        yield f"  {remark}"


def ended(done: Imported) -> Iterator[str]:
    """What was written, and how to go on."""
    count = len(done.read.problems)
    if done.written:
        for path in done.written:
            yield f"{path}  {path.stat().st_size / 1000:.0f} kB"
        yield f"Go on: snakemake --profile profiles/local --configfile {done.written[-1]}"
    elif not done.read.debates:
        yield "Nothing was written: no debate can be converted, and a run needs one."
    else:
        yield f"Nothing was written: {count:,} problem{'s' if count > 1 else ''}. Correct them, or leave out the"
        yield "debates and probe rows that they are in with --skip-bad: each is converted whole or not at all."


def check_problems_file(path: Path, files: Sequence[Path]) -> None:
    """Refuse, before anything is imported, a place where the problems cannot go."""
    if path.resolve() in {file.resolve() for file in files}:
        raise UserError(f"--problems {path}: is a file of this import, and would be replaced. Name another file.")
    if path.is_dir() or not path.parent.is_dir():
        raise UserError(f"--problems {path}: no place for a file. Name one in a folder that is there.")


def write_problems(path: Path, problems: Sequence[Problem]) -> None:
    """All problems as CSV.

    Raises:
        UserError: where the file cannot be written.
    """
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            rows = csv.DictWriter(file, COLUMNS)
            rows.writeheader()
            rows.writerows(map(asdict, problems))
    except OSError as problem:
        raise UserError(f"{path}: cannot be written: {problem.strerror}.") from None
