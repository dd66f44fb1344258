"""The command line: single steps of the road that data takes, for people who debug and tools that call."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Literal

import typer

from headcount.errors import UserError

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)

ConfigFile = Annotated[Path, typer.Argument(help="a run's YAML, such as config/demo.yaml")]
TableFile = Annotated[Path, typer.Argument(help="CSV, JSONL or Parquet; - is CSV on standard input")]


@contextmanager
def _mistakes() -> Iterator[None]:
    """A user's mistake is a message and status 1, not a traceback."""
    try:
        yield
    except UserError as mistake:
        print(mistake, file=sys.stderr)
        raise typer.Exit(1) from None


@app.command()
def plan(
    config: ConfigFile,
    jobs: Annotated[bool, typer.Option("--jobs", help="the jobs of a cluster instead: GPUs, hours, memory")] = False,
) -> None:
    """Print the cells of a run, and the calls, tokens and jobs they need."""
    from headcount.config import load
    from headcount.publish.plan import print_plan
    from headcount.publish.plan_jobs import print_jobs

    with _mistakes():
        (print_jobs if jobs else print_plan)(load(config))


@app.command()
def extract(
    file: Annotated[Path, typer.Argument(help="JSON lines; - is standard input")] = Path("-"),
) -> None:
    """Read JSON lines with `text`, `kind`, `options` and `dialect`; write them with the answer found.

    Adds `value`, `status`, `rule` and `confidence`, and passes all other keys through.
    """
    from headcount.extraction.lines import extract_lines

    with _mistakes(), _lines(file) as lines:
        for line in extract_lines(lines):
            print(line)


@app.command()
def measure(file: TableFile = Path("-")) -> None:
    """Write the measures of a table of item, agent, answer (optional n, round, gold) as CSV."""
    from headcount.measures.loose import measure_loose

    with _mistakes():
        measure_loose(_frame(file)).to_csv(sys.stdout, index=False)


@app.command()
def fit(file: TableFile = Path("-")) -> None:
    """Fit every law to a table with columns N and R (or N_eff), and write the estimates as JSON."""
    from headcount.laws.loose import fit_loose

    with _mistakes():
        print(json.dumps(fit_loose(_frame(file)), indent=2, allow_nan=False))


@app.command()
def show(name: Annotated[str, typer.Argument(help="a table, such as regimes or table01")], run: str = "demo") -> None:
    """Print a table of a finished run."""
    from headcount.publish.inputs import Inputs
    from headcount.publish.registry import load
    from headcount.publish.terminal import print_table

    with _mistakes():
        table = load("tables", name)
        print_table(table.make(Inputs(Path("results") / run)), table.SPEC)


@app.command()
def trace(
    table: Annotated[str, typer.Argument(help="a table, such as regimes or table01")],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROW] [COLUMN]",
            help="the row's number in the CSV, or column=value pairs such as `task=mmlu_hard condition=debate`; "
            "then the machine name of a column. Without them: the rows",
        ),
    ] = None,
    run: str = "demo",
    item: Annotated[str | None, typer.Option(help="show all answers to this item, and every reply")] = None,
    limit: Annotated[int, typer.Option(min=1, help="rows and items to show of each kind")] = 5,
    config: Annotated[
        Path | None, typer.Option(help="the run's YAML, which says what is private; by default found by its run")
    ] = None,
) -> None:
    """Follow a number of a finished run's table back to the rows that made it, down to raw replies."""
    from headcount.publish.inputs import Inputs
    from headcount.publish.trace import Wanted
    from headcount.publish.trace import trace as follow
    from headcount.publish.trace_replies import texts_of

    with _mistakes():
        inputs = Inputs(Path("results") / run)
        follow(inputs, Wanted(table, words or [], item, limit), texts_of(run, config))


@app.command()
def transcript(
    team: str,
    task: str,
    condition: str,
    item: str,
    n: Annotated[int, typer.Argument(help="team size")],
    run: str = "demo",
) -> None:
    """Print what a team of a finished run really said about an item, and how each reply was read."""
    from headcount.publish.transcript import Team, transcript

    with _mistakes():
        for line in transcript(Path("results") / run, Team(team, task, condition, item, n)):
            print(line)


@app.command()
def gate(
    file: Annotated[
        Path | None,
        typer.Argument(help="CSV or .jsonl of source, question_id, action; without it: the debates to decide about"),
    ] = None,
    run: str = "demo",
    condition: str = "debate",
    n: Annotated[int | None, typer.Option("--n", min=2, help="team size; by default every size")] = None,
) -> None:
    """Score a gate of your own on a finished run's debates, beside the oracle and no debate at all; writes CSV.

    An action is `keep`, `freeze` (to the first majority), `answer:<answer>` or `abstain`, one for each debate. Without
    a file: the debates as CSV, with all that a gate may know before the last round, probes of the question included.
    """
    from headcount.publish.gate_file import Chosen, score_file, to_decide
    from headcount.publish.render import as_csv
    from headcount.publish.tables.gate_replay import SPEC

    with _mistakes():
        chosen = Chosen(Path("results") / run, condition, n)
        if file is None:
            to_decide(chosen.debates()).to_csv(sys.stdout, index=False)
        else:
            print(as_csv(score_file(file, chosen), SPEC), end="")


@app.command()
def release(
    config: ConfigFile,
    target: Annotated[Path | None, typer.Option(help="resources/{run}")] = None,
    tier: Annotated[
        Literal["full", "open"] | None, typer.Option(help="in place of the configuration's; open: no text")
    ] = None,
) -> None:
    """Export a finished run's answers, so that its tables can be rebuilt without a model.

    What `--tier open` releases is replayed with `tier: open` in the configuration, or `--config tier=open`.
    """
    from headcount.config import load
    from headcount.debate.release import release as export

    with _mistakes():
        settings = load(config)
        settings = settings.model_copy(update={"tier": tier or settings.tier})
        files = export(
            settings,
            Path("results") / settings.run,
            Path("cache"),
            target or Path("resources") / settings.run,
        )
        for path in files:
            print(f"{path}  {path.stat().st_size / 1000:.0f} kB")


@app.command()
def card(
    file: Annotated[Path, typer.Argument(help="a model's reuse card, as JSON; or a release's release.json")],
) -> None:
    """Check a reuse card that anybody made, or what a release says of itself and whether its files are those."""
    from headcount.publish.card_check import check_card

    with _mistakes():
        print(check_card(file))


@app.command("import")
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

    with _mistakes():
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


@app.command()
def reference(
    folder: Annotated[Path, typer.Argument(help="where schema.json and README.md go")] = Path("config"),
) -> None:
    """Write the configuration's JSON schema and its reference page from the models that validate it."""
    from headcount.config_reference import write_reference

    with _mistakes():
        if not folder.is_dir():
            raise UserError(f"{folder}: no such folder.")
        write_reference(folder)


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
