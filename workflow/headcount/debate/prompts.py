"""The words put to an agent: templates as files.

What prompts share comes first, so that engines can reuse it: the question, then the peers, then the agent's own answer.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from headcount.engines.questions import Question

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Peer:
    """A snippet that an agent is shown: whose it is said to be, and its text."""

    agent: int
    text: str


Messages = tuple[tuple[str, str], ...]


def first(item: Question) -> Messages:
    """The prompt of round 1."""
    return (("user", _question(item)),)


def revision(item: Question, own: str, peers: tuple[Peer, ...]) -> Messages:
    """The prompt of a later round: the question again, the agent's last answer, and what it hears."""
    text = template("revision.j2").render(question=_question(item), own=own, peers=peers)
    return (("user", text),)


def grammar(item: Question, rationale_characters: int) -> str:
    """A GBNF grammar that admits only the requested format."""
    return template(f"{item.kind}.gbnf.j2").render(letters=item.letters, characters=rationale_characters)


def _question(item: Question) -> str:
    if item.kind == "code":
        return template("code.j2").render(question=item.question)
    choices = list(zip(item.letters, item.choices, strict=True)) if item.choices else None
    return template("question.j2").render(question=item.question, choices=choices)


@cache
def template(name: str) -> Template:
    """A file of templates/."""
    environment: Any = Environment(loader=FileSystemLoader(_TEMPLATES), undefined=StrictUndefined, autoescape=False)
    return environment.get_template(name)  # type: ignore[no-any-return]
