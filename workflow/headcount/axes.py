"""The names of the two answers that a program is: a task that asks for programs has a second name, for their code."""

from collections.abc import Container

CODE = ".code"  # behind a task's name: its answers on the code axis


def code_task(task: str) -> str:
    """Name under which a task's answers on the code axis stand, beside `task` for its pass vectors."""
    return f"{task}{CODE}"


def asked(task: str, tasks: Container[str]) -> str:
    """The task whose replies the answers of a task were read from: itself, or the one whose code axis it is."""
    return task if task in tasks else task.removesuffix(CODE)
