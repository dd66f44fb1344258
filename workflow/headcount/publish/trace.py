"""From a number in a table back to the rows that made it, and to the words that an item's answers were read from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from headcount.errors import UserError
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.tables import PAGES
from headcount.publish.terminal import print_table
from headcount.publish.trace_items import item_values
from headcount.publish.trace_number import Number, choose, column_of, numbered, text_of
from headcount.publish.trace_replies import Texts, print_item
from headcount.publish.trace_screen import Row, heading, line, more, pairs
from headcount.publish.trace_stages import Stage, of_the_paper, printed, stages
from headcount.publish.trace_values import print_values
from headcount.publish.words import SIMULATED
from headcount.schema.ledger import ALL


@dataclass(frozen=True)
class Wanted:
    """What to trace, and how much of it to show.

    Attributes:
        table: its own name or the paper's.
        words: which row and column; none: list the rows.
        item: show what was said about this item.
        limit: rows and items shown of each kind.
    """

    table: str
    words: Sequence[str]
    item: str | None = None
    limit: int = 5


def trace(inputs: Inputs, wanted: Wanted, texts: Texts, console: Console | None = None) -> None:
    """Print the way from a number to the files it stands on, what each item gives to it, and an item's replies."""
    console = console or Console(highlight=False)
    table = load("tables", wanted.table)
    frame = table.make(inputs)
    if not wanted.words:
        print_table(*numbered(frame, table.SPEC), console)
        line(console, f"Columns: {', '.join(table.SPEC.fields)}")
        return
    number = choose(frame, table.SPEC, wanted.words)
    _print_number(inputs, number, console)
    page = PAGES[table.__name__.rpartition(".")[2]]
    if number.row.get("source") == "paper":
        _print_printed(of_the_paper(inputs, page.published, number), wanted.limit, console)
        return
    found = stages(inputs, page, number)
    for stage in found:
        _print_stage(stage, wanted.limit, console)
    if not any(stage.held_in for stage in found):
        _print_printed(printed(inputs, page.published, number), wanted.limit, console)
    if "probes" in page.needs:
        heading(console, f"{inputs.results}/probes/MODEL/TASK.parquet")
        line(console, "Those rows are made from these: one a probe, with the answer before it and after it.")
    row = _cell(found)
    if row and row["team"] == ALL:
        line(console, "That is of all teams together. Trace the row of one team to see the answers that made it.")
    elif row:
        _print_cell(inputs, wanted, row, texts, console)


def _print_number(inputs: Inputs, number: Number, console: Console) -> None:
    """The number, and the rest of its row that says what it is of."""
    file = inputs.results / "tables" / f"{number.spec.name}.csv"
    heading(console, f"{number.spec.name}, row {number.place} of {number.of}", f"({file})")
    if number.row.get("simulated"):
        line(console, f"{SIMULATED}: from a statistical model of agents, not from a language model", "bold red")
    columns = [column for column in number.spec.columns if not column.is_number or column.field in _WHERE]
    said = {column.field: text_of(number.row[column.field]) for column in columns if column.field != number.column}
    pairs(console, {name: value for name, value in said.items() if value})
    line(console, f"{number.column} = {text_of(number.value) or 'nothing'}", "bold")
    line(console, column_of(number.spec, number.column).meaning, "dim")
    if not number.chosen:
        others = [field for column in number.spec.columns if column.is_number for field in column.fields]
        line(console, f"The row's first number. Others: {', '.join(others)}", "dim")


_WHERE = ("n", "round")


def _print_stage(stage: Stage, limit: int, console: Console) -> None:
    keys = " ".join(f"{name}={text_of(value)}" for name, value in stage.keys.items())
    heading(console, str(stage.path), f"{stage.found} rows of {keys}" if keys else f"{stage.found} rows")
    if stage.held_in:
        times = "" if stage.times == 1 else f", times {stage.times:g}"
        line(console, f"The number stands there, as {stage.held_in}{times}:")
    else:
        line(
            console,
            "No row there holds the number. Its row of the table is made from these:" if stage.rows else "None.",
        )
    for row in stage.rows[:limit]:
        said = {name: text_of(row[name]) for name in stage.table.schema.names}
        pairs(console, {name: said.pop(name) for name in stage.table.keys}, style="cyan")
        pairs(console, said, indent=4)
    more(console, len(stage.rows) - limit, "rows")


def _print_printed(found: Iterable[tuple[str, int, dict[str, str]]], limit: int, console: Console) -> None:
    for name, place, cells in list(found)[:limit]:
        paper = "2609.35279" if name.startswith("ledger/") else "2606.02646"
        heading(console, f"resources/published/{name}.csv", f"row {place}, as printed in arXiv {paper}")
        pairs(console, {key: value for key, value in cells.items() if value})


def _cell(found: Iterable[Stage]) -> Row | None:
    """The row that says best which cell, series and quantity a number is of."""
    rows = [(stage, stage.rows[0]) for stage in found if stage.rows and {"team", "task"} <= stage.rows[0].keys()]
    rows.sort(key=lambda pair: (not pair[0].held_in, not {"level", "quantity"} & pair[1].keys()))
    return rows[0][1] if rows else None


def _print_cell(inputs: Inputs, wanted: Wanted, row: Row, texts: Texts, console: Console) -> None:
    """The items behind a row, and the replies to one of them."""
    values = item_values(inputs.results, row) if {"condition", "peers", "round"} <= row.keys() else None
    if values:
        print_values(inputs, row, values.first(wanted.item), wanted.limit, console)
    else:
        heading(console, f"{inputs.results}/measures/{row['team']}.parquet")
        line(console, "The number starts from this team's rows there, and is more than one mean over items.")
    if wanted.item is None:
        _print_next(inputs, wanted, values.items[0] if values else "ITEM", console)
    elif "condition" not in row:
        raise UserError(f"That row of {wanted.table} is of several conditions. Choose a table with a row for each.")
    else:
        print_item(inputs.results, row, wanted.item, texts, console)


def _print_next(inputs: Inputs, wanted: Wanted, item: str, console: Console) -> None:
    words = " ".join([wanted.table, *wanted.words, "--run", inputs.results.name, "--item", item])
    heading(console, "To read what every agent answered to an item, and each reply:")
    console.print(Text(f"  headcount trace {words}", "cyan"), soft_wrap=True)
