"""The templates of pages that need nothing outside them: each is read once, and escapes what models wrote."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def template(name: str) -> Template:
    """A template by the name of its page: cell, pilot or card."""
    return _environment().get_template(f"{name}.html.j2")


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
