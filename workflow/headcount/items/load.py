"""From a task's section of the configuration to the table of its items."""

from pathlib import Path

import pyarrow as pa

from headcount.config import Task
from headcount.config_sources import FileSource
from headcount.errors import UserError
from headcount.items import made_up
from headcount.items.formats import PUBLISHED, read_items, sources_of
from headcount.items.item import Item, to_table
from headcount.items.subset import subset
from headcount.sources import fetch_all


def load_items(task: Task, cache: Path) -> pa.Table:
    """The items of a task, fetched if need be, checked, and cut to the size of its subset.

    Args:
        cache: where fetched files are kept.

    Returns:
        a table of `schema.ITEMS`, sorted by item.
    """
    if task.format == "made_up":
        return to_table(made_up.make(task), "made-up items")
    paths = fetch_all(sources_of(task), cache)
    items = read_items(task, paths)
    _check_count(task, items, paths[0])
    return to_table(subset(items, task.items, task.seed), str(paths[0]))


def _check_count(task: Task, items: list[Item], path: Path) -> None:
    """What was planned is what is run: a published set that was fetched is complete."""
    published = PUBLISHED.get(task.format)
    if isinstance(task.source, FileSource) or published is None or len(items) == published.count:
        return
    raise UserError(
        f"{path}: holds {len(items)} items, and {task.format} has {published.count}. "
        "Correct the source, or use format 'file' for another set."
    )
