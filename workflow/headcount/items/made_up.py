"""Questions without content, for simulated agents: they need an answer to know, and nothing to read."""

import numpy as np

from headcount.config import Task
from headcount.items.item import LETTERS, Item
from headcount.seeds import seed64


def make(task: Task) -> list[Item]:
    """A task's made-up items: each a pure function of the task's seed and its own number.

    So a larger set holds a smaller one, and two tasks of different seeds share no item.
    """
    assert task.items is not None
    return [_item(task, number) for number in range(1, task.items + 1)]


def _item(task: Task, number: int) -> Item:
    name = f"made-up-{task.seed}-{number:05}"
    rng = np.random.default_rng(seed64("made_up", name))
    if task.options is None:
        return Item(name, f"What is made-up number {number}?", None, str(rng.integers(100, 100_000)))
    choices = [f"made-up option {letter}" for letter in LETTERS[: task.options]]
    gold = LETTERS[rng.integers(task.options)]
    return Item(name, f"Which option is right in made-up question {number}?", choices, gold)
