"""Validation errors in the words of the person who wrote the file: key, value, what is allowed, what was meant."""

from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_MARKS = ("[key]", "literal['full']", "constrained-int")


def explain(problems: ValidationError, root: type[BaseModel], where: str) -> str:
    """Every problem of a configuration, one a line; what merely follows from a deeper one is left out."""
    lines: dict[tuple[str, ...], str] = {}
    for problem in problems.errors():
        lines.setdefault(_key(problem), _sentence(problem, root))
    deepest = [key for key in lines if not any(other != key and other[: len(key)] == key for other in lines)]
    return "\n".join(": ".join(filter(None, (where, ".".join(key), lines[key]))) for key in deepest)


def _key(problem: ErrorDetails) -> tuple[str, ...]:
    """`models.a.weights.sha256`: the tags of unions and the marks of mapping keys are not the user's words."""
    where = problem.get("ctx", {}).get("where")
    return (where,) if where else tuple(str(part) for part in _path(problem["loc"]))


def _path(location: tuple[int | str, ...]) -> list[int | str]:
    before = (None, *location)
    return [part for previous, part in zip(before, location, strict=False) if not _is_tag(previous, part)]


def _is_tag(previous: int | str | None, part: int | str) -> bool:
    return part in _MARKS or (previous in ("weights", "source") and part in ("wheel", "url", "hub", "path"))


def _sentence(problem: ErrorDetails, root: type[BaseModel]) -> str:
    context, value = problem.get("ctx", {}), problem["input"]
    match problem["type"]:
        case "extra_forbidden":
            return _refused("unknown key.", problem["loc"][-1], _keys_at(root, problem["loc"][:-1]))
        case "literal_error" if problem["loc"][-1] in _MARKS:  # a word or a number: the word's error comes first
            return f"{value!r} is not allowed ('full', or a number of at least 1)."
        case "literal_error":
            return _refused(f"{value!r} is not allowed.", value, _quoted(context["expected"]))
        case "unknown_name":
            return _refused(
                f"{context['value']!r} is not one of the {context['what']}.",
                context["value"],
                context["allowed"],
            )
        case "missing":
            return "this key is needed."
        case "value_error":
            return f"{context['error']}."
        case "source" | "misuse":
            return f"{problem['msg']}."
        case "model_type" | "dict_type":
            return f"{value!r} is not a section of keys and values."
        case "tuple_type":
            return f"{value!r} is not a list. Put it in brackets: [{value}]"
        case "too_short":
            return "is empty, and needs one entry at least."
        case _:
            return f"{value!r}: {problem['msg']}."


def _refused(problem: str, value: Any, allowed: list[str]) -> str:
    near = get_close_matches(str(value), allowed, n=1, cutoff=0.6)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"{problem}{meant} ({', '.join(allowed)})"


def _quoted(expected: str) -> list[str]:
    return [word.strip().strip("'") for word in expected.replace(" or ", ", ").split(",")]


def _keys_at(root: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The keys that a section may have, found by walking the models along the path."""
    models: list[type[BaseModel]] = [root]
    previous: int | str | None = None
    for part in location:
        having = [model for model in models if part in model.model_fields]
        if _is_tag(previous, part):
            models = having
        elif having:
            models = _models_in(having[0].model_fields[str(part)].annotation)
        previous = part
    return [name for model in models for name in model.model_fields]


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]
