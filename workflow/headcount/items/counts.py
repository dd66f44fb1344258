"""How many items a task has, for who plans a run and must not fetch."""

from pathlib import Path

from headcount.config import Config, Task
from headcount.config_sources import FileSource
from headcount.errors import UserError
from headcount.items.formats import PUBLISHED, read_items
from headcount.sources import fetch


def known_count(task: Task) -> int | None:
    """The number of items that `load_items` will give; None if only fetching can tell.

    A recorded or made-up task says how many it has, and so does one of high-flip questions. A file that is on this
    machine is counted, which checks all of its rows too; a published set has its size, and `load_items` refuses a
    download of any other.
    """
    if task.format in ("recorded", "made_up", "high_flip"):
        return task.items
    if isinstance(task.source, FileSource) and (task.source.path.exists() or task.format not in PUBLISHED):
        whole = len(read_items(task, [fetch(task.source, Path())]))
    elif task.format in PUBLISHED:
        whole = PUBLISHED[task.format].count
    else:
        return None
    return whole if task.items is None else min(whole, task.items)


def known_counts(config: Config) -> dict[str, int]:
    """Items of each task that some experiment or screen uses, where all of them are known."""
    used = {task for block in config.experiments.values() for task in block.tasks}
    used |= set(config.probing.tasks if config.probing else ())
    used |= {str(config.tasks[name].of) for name in used if config.tasks[name].of}
    counts = {name: known_count(task) for name, task in config.tasks.items() if name in used}
    for name, count in counts.items():
        if count is None:
            raise UserError(
                f"tasks.{name}: how many items it has is known once it is fetched. Set 'items' to plan before."
            )
    return {name: count for name, count in counts.items() if count is not None}
