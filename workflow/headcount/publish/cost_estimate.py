"""What hosted models will cost, for people and for machines, before anything is sent."""

import csv
import io
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from headcount.config import Config
from headcount.debate.prices import Line, hosted_lines
from headcount.engines.spending import spending_file, spent
from headcount.items.counts import known_counts

_FIELDS = (
    *("model", "team", "task", "condition", "calls", "answered", "prompt_tokens", "prompt_tokens_worst"),
    *("reply_tokens", "reply_tokens_worst", "usd", "usd_worst"),
)
_HEADINGS = ("task", "asked for", "calls", "answered", "prompts", "replies", "USD", "at worst")
_TEXTS = 2  # leading columns that hold no numbers


def cost_estimate(config: Config, cache: Path) -> tuple[str, str]:
    """The cost of a run's hosted models as CSV and as Markdown.

    Args:
        cache: where the journals and what was spent are.
    """
    lines = hosted_lines(config, known_counts(config), cache)
    return _csv(lines), _markdown(config, lines, spent(spending_file(cache, config.run)))


def _csv(lines: Iterable[Line]) -> str:
    """Every number; a model without prices has no USD, and draws have no condition."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_FIELDS)
    for line in lines:
        tokens = line.tokens
        counts = (line.calls, line.answered, tokens.prompt, tokens.prompt_most, tokens.reply, tokens.reply_most)
        usd = ("" if usd is None else f"{usd:.4f}" for usd in (line.usd, line.usd_most))
        writer.writerow((line.model, line.team, line.task, line.condition, *counts, *usd))
    return text.getvalue()


def _markdown(config: Config, lines: list[Line], already: float) -> str:
    """A table for each model, whose columns are aligned for a terminal too, and what they are to be held against."""
    said = [f"# Cost of run '{config.run}' before it is sent", ""]
    if not lines:
        return "\n".join([*said, "Nothing: no hosted model is asked.", ""])
    for model, group in groupby(lines, lambda line: line.model):
        rows = list(group)
        said += [f"{model}, {_prices(rows[0])}:", "", *_table([*map(_row, rows), _total(rows)]), ""]
    return "\n".join([*said, *_remarks(config, lines, already), ""])


def _prices(line: Line) -> str:
    if line.prices is None:
        return "NO PRICE: what it costs is not known, and is in no sum. Give it 'prices'"
    return f"{line.prices.prompt:g} USD per million tokens of prompts, {line.prices.completion:g} of replies"


def _row(line: Line) -> tuple[str, ...]:
    asked_for = line.condition or "first answers"
    if line.team != line.model:
        asked_for += f" of {line.team}"
    return (line.task, asked_for, *_numbers([line]))


def _total(lines: list[Line]) -> tuple[str, ...]:
    return ("in all", "", *_numbers(lines))


def _numbers(lines: Sequence[Line]) -> tuple[str, ...]:
    calls, answered = sum(line.calls for line in lines), sum(line.answered for line in lines)
    tokens = (sum(line.tokens.prompt for line in lines), sum(line.tokens.reply for line in lines))
    return (f"{calls:,}", f"{answered:,}", *map(_short, tokens), *_usd(lines))


def _usd(lines: Sequence[Line]) -> tuple[str, str]:
    if any(line.prices is None for line in lines):
        return "no price", "no price"
    return f"{sum(line.usd or 0 for line in lines):,.2f}", f"{sum(line.usd_most or 0 for line in lines):,.2f}"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(_HEADINGS, *rows, strict=True)]
    rule = ["-" * width if place < _TEXTS else "-" * (width - 1) + ":" for place, width in enumerate(widths)]
    return [
        "| " + " | ".join(cell.ljust(w) if i < _TEXTS else cell.rjust(w) for i, (cell, w) in enumerate(cells)) + " |"
        for cells in (list(zip(row, widths, strict=True)) for row in (_HEADINGS, rule, *rows))
    ]


def _remarks(config: Config, lines: list[Line], already: float) -> Iterable[str]:
    priced = [line for line in lines if line.prices]
    unpriced = sorted({line.model for line in lines if not line.prices})
    typical, worst = _usd(priced)
    yield f"- Typical: {typical} USD. Worst: {worst} USD."
    if unpriced:
        yield f"- On top, at prices that are not known: {', '.join(unpriced)}."
    cap = config.spending_cap
    yield f"- Spending cap: {'none. Set `spending_cap`' if cap is None else f'{cap:,.2f} USD'}."
    yield f"- Counted as spent by this run so far: {already:,.2f} USD."
    yield (
        f"- Typical: {config.estimates.question_tokens} tokens a question, {config.protocol.snippet_tokens} a snippet, "
        "and replies as long as those in the cache, or as `estimates` says. Worst: prompts twice as long, and every "
        "reply of `max_tokens`. Replies that are lost and asked for again come on top."
    )
    yield "- Answered: replies in the cache, which are not asked for again. The sums are those of all calls."


def _short(number: int) -> str:
    """A count of tokens in three digits or so."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return str(number)
