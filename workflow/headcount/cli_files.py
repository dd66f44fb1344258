"""The commands that read anybody's files: replies, tables of answers, curves, cards, and other people's debates."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Literal

import typer

from headcount.errors import UserError

commands = typer.Typer()

TableFile = Annotated[Path, typer.Argument(help="CSV, JSONL or Parquet; - is CSV on standard input")]


@contextmanager
def mistakes() -> Iterator[None]:
    """A user's mistake is a message and status 1, not a traceback."""
    try:
        yield
    except UserError as mistake:
        print(mistake, file=sys.stderr)
        raise typer.Exit(1) from None


@commands.command()
def extract(
    file: Annotated[Path, typer.Argument(help="JSON lines; - is standard input")] = Path("-"),
) -> None:
    """Read JSON lines with `text`, `kind`, `options` and `dialect`; write them with the answer found.

    Adds `value`, `status`, `rule` and `confidence`, and passes all other keys through.
    """
    from headcount.extraction.lines import extract_lines

    with mistakes(), _lines(file) as lines:
        for line in extract_lines(lines):
            print(line)


@commands.command()
def measure(file: TableFile = Path("-")) -> None:
    """Write the measures of a table of item, agent, answer (optional n, round, gold) as CSV."""
    from headcount.measures.loose import measure_loose

    with mistakes():
        measure_loose(_frame(file)).to_csv(sys.stdout, index=False)


@commands.command()
def fit(file: TableFile = Path("-")) -> None:
    """Fit every law to a table with columns N and R (or N_eff), and write the estimates as JSON."""
    from headcount.laws.loose import fit_loose

    with mistakes():
        print(json.dumps(fit_loose(_frame(file)), indent=2, allow_nan=False))


@commands.command()
def card(
    file: Annotated[Path, typer.Argument(help="a model's reuse card, as JSON; or a release's release.json")],
) -> None:
    """Check a reuse card that anybody made, or what a release says of itself and whether its files are those."""
    from headcount.publish.card_check import check_card

    with mistakes():
        print(check_card(file))


@commands.command("import")
def import_(
    files: Annotated[
        list[Path], typer.Argument(help="saved debates or probes: JSONL, CSV or Parquet; each by its name")
    ],
    run: Annotated[str, typer.Option(help="names the release and the configuration that are made")],
    task: Annotated[str | None, typer.Option(help="the task of rows that do not say theirs")] = None,
    model: Annotated[list[str] | None, typer.Option(help="the model of such rows: NAME, or FILE=NAME")] = None,
    kind: Annotated[
        Literal["traces", "states", "probes", "plain"] | None,
        typer.Option("--format", help="of the rows; by default each file's first row tells"),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="revisions to keep; by default 3, and all of a plain table")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="leave out debates with a bad row, and convert the rest")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace a former import of this run")] = False,
    problems: Annotated[Path | None, typer.Option(help="write all problems to a CSV file")] = None,
) -> None:
    """Check other people's saved debates, and make of them a run that replays them: resources/RUN and config/RUN.yaml.

    Nothing is written if any row is bad, unless --skip-bad is given. docs/import.md has the formats.
    """
    from headcount.imports.imported import Wanted, import_files
    from headcount.imports.report import check_problems_file, ended, told, write_problems

    with mistakes():
        if problems:
            check_problems_file(problems, files)
        wanted = Wanted(run, task, tuple(model or ()), kind, rounds, skip_bad, overwrite)
        done = import_files(files, wanted, Path())
        if problems:
            write_problems(problems, done.read.problems)
        for line in (*told(done.read), *ended(done)):
            print(line)
        if not done.written:
            raise typer.Exit(1)


@contextmanager
def _lines(file: Path) -> Iterator[Iterator[str]]:
    standard = str(file) == "-"
    if not standard and not file.is_file():
        raise UserError(f"{file}: no such file.")
    try:
        with nullcontext(sys.stdin) if standard else file.open(encoding="utf-8") as opened:
            yield iter(opened)
    except UnicodeDecodeError as problem:
        raise UserError(f"{file}: not UTF-8 text: {problem}.") from None


def _frame(file: Path):  # type: ignore[no-untyped-def]
    from headcount.loose import read_loose

    return read_loose(sys.stdin if str(file) == "-" else file)
