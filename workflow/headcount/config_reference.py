"""The configuration's JSON schema and its reference page, generated from the models that validate it."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from headcount.config import Config

_INTRODUCTION = """# Configuration

A run is one YAML file. `demo.yaml` is the default; another is chosen with `--configfile`. Every key is checked before
anything runs, unknown keys are refused, and errors name the key, the value and what is allowed.

| file | what it runs |
|---|---|
| `demo.yaml` | a small real model on real questions, on this machine, in minutes |
| `showcase.yaml` | the same kind to teams of 10, replayed from `resources/showcase` |
| `ledger.yaml` | panels of three that debate for three rounds, and a screen of their model, on the embedded model |
| `panel.yaml` | the published answers of 29 models to MMLU-Pro, from `resources/panel`; asks nothing |
| `rehearsal.yaml` | the paper's grid with simulated agents and made-up questions |
| `benchmark.yaml` | the same at full item counts, for `benchmarks/paper_scale.py` |
| `paper.yaml` | the whole grid of arXiv 2606.02646, for a GPU cluster |

This page and `schema.json` (for editors) are generated: `headcount reference` writes them.
"""


def write_reference(folder: Path) -> None:
    """Write schema.json and README.md of the configuration into a folder."""
    (folder / "schema.json").write_text(schema(), encoding="utf-8")
    (folder / "README.md").write_text(reference(), encoding="utf-8")


def schema() -> str:
    """The JSON schema, as text."""
    return json.dumps(Config.model_json_schema(), indent=1) + "\n"


def reference() -> str:
    """The reference page: a section a model, a row a key."""
    sections = (_section(model) for model in _models(Config, []))
    return _INTRODUCTION + "".join(sections)


def _models(model: type[BaseModel], seen: list[type[BaseModel]]) -> list[type[BaseModel]]:
    """A model and all that it holds, in the order of reading."""
    if model not in seen:
        seen.append(model)
        for field in model.model_fields.values():
            for part in _parts(field.annotation):
                _models(part, seen)
    return seen


def _parts(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _parts(argument)


def _section(model: type[BaseModel]) -> str:
    rows = "".join(_row(name, field) for name, field in model.model_fields.items())
    documented = " ".join((model.__doc__ or "").split())
    return f"\n## {model.__name__}\n\n{documented}\n\n| key | type | default | meaning |\n|---|---|---|---|\n{rows}"


def _row(name: str, field: FieldInfo) -> str:
    default = "needed" if field.default is PydanticUndefined else f"`{_plain(field.default)}`"
    kind = _type(field.annotation).replace("|", "\\|")
    return f"| `{name}` | {kind} | {default} | {_limits(field)} |\n"


def _limits(field: FieldInfo) -> str:
    signs = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    limits = [
        f"{sign} {getattr(rule, key)}" for rule in field.metadata for key, sign in signs.items() if hasattr(rule, key)
    ]
    return "; ".join(filter(None, [field.description or "", " and ".join(limits)]))


def _plain(value: Any) -> str:
    if isinstance(value, BaseModel):
        return "see below"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_plain, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)


def _type(annotation: Any) -> str:
    """A type in the words of someone who writes YAML."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_type(part) for part in arguments if part is not NoneType))
    if origin is tuple:
        return f"list of {_type(arguments[0])}"
    if origin is dict:
        return f"{_type(arguments[1])} by name"
    names = {str: "text", int: "whole number", float: "number", bool: "true or false", Path: "path"}
    if annotation in names:
        return names[annotation]
    return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
