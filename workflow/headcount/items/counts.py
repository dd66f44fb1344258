"""How many items a task has, for who plans a run and must not fetch."""

from pathlib import Path

from headcount.config import Task
from headcount.config_sources import FileSource
from headcount.items.formats import PUBLISHED, read_items
from headcount.sources import fetch


def known_count(task: Task) -> int | None:
    """The number of items that `load_items` will give; None if only fetching can tell.

    A recorded or made-up task says how many it has. A file that is on this machine is counted, which checks all of
    its rows too; a published set has its size, and `load_items` refuses a download of any other.
    """
    if task.format in ("recorded", "made_up"):
        return task.items
    if isinstance(task.source, FileSource) and (task.source.path.exists() or task.format not in PUBLISHED):
        whole = len(read_items(task, [fetch(task.source, Path())]))
    elif task.format in PUBLISHED:
        whole = PUBLISHED[task.format].count
    else:
        return None
    return whole if task.items is None else min(whole, task.items)
