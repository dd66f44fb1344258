"""A plan on the terminal: what a run will ask, before it asks."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from rich.console import Console

from headcount.config import Config
from headcount.debate.costs import Cost, costs
from headcount.items.counts import known_counts

_LINE = "{:<18}{:>6}{:>8}{:>11}{:>11}{:>9}{:>9}{:>6}"  # fits 80 columns


def print_plan(config: Config, console: Console | None = None) -> None:
    """Print the cells of a run with their calls, estimated tokens and jobs, and the totals."""
    console = console or Console(highlight=False, soft_wrap=True)
    lines = sorted(costs(config, known_counts(config)), key=lambda line: (line.team, line.task))
    console.print(_LINE.format("", "", "", "", "calls if", "prompt", "output", ""), style="bold")
    console.print(_LINE.format("", "N", "items", "calls", "alone", "tokens", "tokens", "jobs"), style="bold")
    for (team, task), rows in groupby(lines, key=lambda line: (line.team, line.task)):
        console.print(f"{team} on {task}", style="cyan")
        for line in rows:
            console.print(_LINE.format(*_row(line)))
    console.print(_LINE.format(*_total(lines)), style="bold")
    console.print("\n".join(_remarks(config, lines)))


def _row(line: Cost) -> list[str]:
    sizes = f"to {line.sizes[-1]}" if len(line.sizes) > 1 else str(line.sizes[0])
    what = f"  {line.condition or 'first answers'}"
    return [what, sizes, f"{line.items:,}", *_numbers(line)]


def _numbers(line: Cost) -> list[str]:
    calls = (f"{number:,}" if number else "" for number in (line.calls, line.naive))
    return [*calls, _short(line.prompt_tokens), _short(line.output_tokens), str(line.jobs or "")]


def _total(lines: list[Cost]) -> list[str]:
    names = ("calls", "naive", "prompt_tokens", "output_tokens", "jobs")
    total = {name: sum(getattr(line, name) for line in lines) for name in names}
    return ["in all", "", "", *_numbers(replace(lines[0], **total))]


def _remarks(config: Config, lines: list[Cost]) -> Iterable[str]:
    calls, naive = sum(line.calls for line in lines), sum(line.naive for line in lines)
    if not naive:
        yield "0 calls: nothing is asked, all answers are recorded."
        return
    yield f"If every team asked for itself: {naive:,} calls. Shared answers leave {calls:,}, or {calls / naive:.0%}."
    yield "Jobs are those that ask a model; `--jobs` says what each needs of a cluster, and counts the light ones."
    yield (
        f"Tokens are estimates: {config.estimates.question_tokens} a question, "
        f"{config.protocol.snippet_tokens} a snippet, {config.estimates.reply_tokens} a reply at most."
    )


def _short(number: int) -> str:
    """A count of tokens in three digits or so."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return str(number or "")
