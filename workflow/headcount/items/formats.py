"""The task formats of the configuration: where each comes from, how many items it has, how it is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from headcount.config import Task
from headcount.config_sources import Source
from headcount.items import arc, arithmetic, gpqa, gsm_hard, humaneval, mmlu, user_file
from headcount.items.item import Item


@dataclass(frozen=True)
class Format:
    """A published set of questions."""

    sources: tuple[Source, ...]  # none if it is not public
    count: int
    read: Callable[[Sequence[Path]], list[Item]]


PUBLISHED = {
    "mmlu_hard": Format(mmlu.SOURCES, mmlu.COUNT, mmlu.read),
    "arc_challenge": Format(arc.SOURCES, arc.COUNT, arc.read),
    "arithmetic": Format(arithmetic.SOURCES, arithmetic.COUNT, arithmetic.read),
    "gsm_hard": Format(gsm_hard.SOURCES, gsm_hard.COUNT, gsm_hard.read),
    "gpqa_diamond": Format((), gpqa.COUNT, gpqa.read),
    "humaneval": Format(humaneval.SOURCES, humaneval.COUNT, humaneval.read),
}


def sources_of(task: Task) -> tuple[Source, ...]:
    """Where a task's items come from: the source it names, or the pinned ones of its format."""
    return PUBLISHED[task.format].sources if task.source is None else (task.source,)


def read_items(task: Task, paths: Sequence[Path]) -> list[Item]:
    """All items in a task's files, before any subset is taken."""
    if task.format == "file":
        return user_file.read(paths, quote=not task.private)
    return PUBLISHED[task.format].read(paths)
