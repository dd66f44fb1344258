"""What kind of rows a file holds: told by its first row, or by the user."""

from collections.abc import Callable, Sequence, Set
from typing import Literal, NamedTuple, get_args

from headcount.imports import plain, probe_rows, states, traces
from headcount.imports.fields import Fields
from headcount.imports.records import Battery, Debate
from headcount.imports.told import Told

Format = Literal["traces", "states", "probes", "plain"]
FORMATS: tuple[Format, ...] = get_args(Format)
KNOWN: dict[Format, Set[str]] = {
    "traces": traces.KNOWN,
    "states": states.KNOWN,
    "probes": probe_rows.KNOWN,
    "plain": plain.KNOWN,
}
_BY_ROW: dict[Format, Callable[[Fields, Told], Debate | Battery | None]] = {
    "traces": traces.read,
    "states": states.read,
    "probes": probe_rows.read,
}
_HOW = "Name its kind with --format; docs/import.md has a row of each"
_NOTHING = "Import the file that has the answers of every round"


def recognise(row: Fields) -> Format | None:
    """The kind of a file's first row; None, with the reason noted, where it is none that can be converted."""
    cells = row.cells
    if "probe_results" in cells:
        return "probes"
    if "initial_answers" in cells or "initial_states" in cells:
        rounds = cells.get("round_traces")
        lists = isinstance(rounds, list) and any(isinstance(trace, list) for trace in rounds)
        return "states" if lists or "initial_states" in cells else "traces"
    if cells.keys() >= plain.NEEDED:
        return "plain"
    row.wrong(*_unknown(cells.keys()))
    return None


class Found(NamedTuple):
    """What a file holds: records that nothing is wrong with by themselves, and how many it would have if all were."""

    records: list[Debate | Battery]
    seen: int


def read(kind: Format, rows: Sequence[Fields], told: Told) -> Found:
    """All debates or batteries of a file; what is wrong with the others is noted."""
    for row in rows:
        _remark_on_keys(kind, row)
    if kind == "plain":
        debates, seen = plain.read(rows, told)
        return Found(list(debates), seen)
    found = (_BY_ROW[kind](row, told) for row in rows)
    return Found([record for record in found if record is not None], len(rows))


def _unknown(keys: Set[str]) -> tuple[str, str]:
    """What is wrong, and what to do."""
    if "standard_debate" in keys:
        return "the row has the ends of a debate and no answers by round, so there is nothing to convert", _NOTHING
    if {"r1_majority_changed", "init_agree_frac"} & keys:
        return "the row has features made from a debate and not its answers, so there is nothing to convert", _NOTHING
    if lacking := plain.NEEDED - keys if {"item", "answer"} <= keys else ():
        return f"a plain row needs {', '.join(sorted(lacking))} too", "Give every row these columns"
    return f"not a kind of row that is known; its keys are {', '.join(sorted(keys)[:12]) or 'none'}", _HOW


def _remark_on_keys(kind: Format, row: Fields) -> None:
    prefixes = probe_rows.PREFIXES if kind == "probes" else ()
    unknown = [key for key in row.cells if key not in KNOWN[kind] and not key.startswith(prefixes or ("\0",))]
    if unknown:
        row.where.remark(f"not read: {', '.join(sorted(unknown))}")
