"""The command line: single steps of the road that data takes, for people who debug and tools that call."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from headcount.cli_files import commands, mistakes
from headcount.errors import UserError

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
app.add_typer(commands)

ConfigFile = Annotated[Path, typer.Argument(help="a run's YAML, such as config/demo.yaml")]


@app.command()
def plan(
    config: ConfigFile,
    jobs: Annotated[bool, typer.Option("--jobs", help="the jobs of a cluster instead: GPUs, hours, memory")] = False,
) -> None:
    """Print the cells of a run, and the calls, tokens and jobs they need."""
    from headcount.config import load
    from headcount.publish.plan import print_plan
    from headcount.publish.plan_jobs import print_jobs

    with mistakes():
        (print_jobs if jobs else print_plan)(load(config))


@app.command()
def show(name: Annotated[str, typer.Argument(help="a table, such as regimes or table01")], run: str = "demo") -> None:
    """Print a table of a finished run."""
    from headcount.publish.inputs import Inputs
    from headcount.publish.registry import load
    from headcount.publish.terminal import print_table

    with mistakes():
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

    with mistakes():
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

    with mistakes():
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

    with mistakes():
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

    with mistakes():
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
def simulate(
    config: ConfigFile,
    to: Annotated[Path, typer.Option(help="folder of the release that is made; resources/ is the usual place")],
) -> None:
    """Write all answers of a run of simulated agents at once, with no prompt in between: millions in a minute.

    They are a release of answers alone: `--config replay=FOLDER tier=open` makes everything else of them.
    """
    from headcount.answers.simulated_release import simulate as write
    from headcount.config import load

    with mistakes():
        made = write(load(config), Path("cache"), to)
        for path in made.files:
            print(f"{path}  {path.stat().st_size / 1000:.0f} kB")
        print(f"SIMULATED: {made.turns:,} turns in {made.seconds:.1f} s. Replay: --config replay={to} tier=open")


@app.command()
def reference(
    folder: Annotated[Path, typer.Argument(help="where schema.json and README.md go")] = Path("config"),
) -> None:
    """Write the configuration's JSON schema and its reference page from the models that validate it."""
    from headcount.config_reference import write_reference

    with mistakes():
        if not folder.is_dir():
            raise UserError(f"{folder}: no such folder.")
        write_reference(folder)
