"""A user's own items: JSONL, CSV or Parquet with the columns id, question, answer and perhaps choices.

Choices are a list in the column `choices` (a JSON list where cells are text), or stand in the columns
`choice_a` to `choice_j`, empty ones last. A row may have 2 to 10 of them, all different, or none: then its
answer is free-form.

With choices, `answer` is a letter (A is the first), or the exact text of a choice. Without, it is a decimal
number. Every other column goes into the item's metadata. Blanks around ids, choices and answers are dropped.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from headcount.items.item import LETTERS, BadRow, Item, parse_rows, require_columns
from headcount.items.numbers import exact
from headcount.items.rows import Row, load_json, read_rows, text_of

_NEEDED = ("id", "question", "answer")
_CHOICE_COLUMNS = tuple(f"choice_{letter.lower()}" for letter in LETTERS)
_OWN = {*_NEEDED, "choices", *_CHOICE_COLUMNS}
_NEXT = ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def read(paths: Sequence[Path], *, quote: bool = True) -> list[Item]:
    """All items of the file, or one error that names everything wrong with it.

    Args:
        quote: whether errors may show answers; not of a private task.
    """
    (path,) = paths
    rows = read_rows(path)
    require_columns(path, rows, *_NEEDED, quote=quote)
    return parse_rows(path, rows, partial(_item, quote=quote))


def _item(row: Row, *, quote: bool) -> Item:
    item, question, answer = ((text_of(row.cells.get(name)) or "") for name in _NEEDED)
    problems = [
        f"'{name}' is empty. Fill it in, or remove the row."
        for name, value in zip(_NEEDED, (item, question, answer), strict=True)
        if not value.strip()
    ]
    choices = _choices(row, problems)
    gold = "" if problems else _gold(answer.strip(), choices, problems, quote=quote)
    if problems:
        raise BadRow(*problems)
    metadata = {name: value for name, value in row.cells.items() if name not in _OWN}
    return Item(item.strip(), question, choices, gold, {"row": row.number, **metadata})


def _choices(row: Row, problems: list[str]) -> list[str] | None:
    """A row's choices, None if it is free-form; what is wrong with them is added to the problems."""
    listed, spread = _listed(row.cells.get("choices"), problems), _spread(row.cells)
    if listed and spread:
        problems.append("has both 'choices' and 'choice_a'. Keep one of them.")
    choices = [(text_of(choice) or "").strip() for choice in listed or spread]
    problems += _wrong_with(choices)
    return choices or None


def _wrong_with(choices: list[str]) -> list[str]:
    """Too many, only one, empty ones, equal ones."""
    if len(choices) > len(LETTERS):
        return [f"has {len(choices)} choices; {len(LETTERS)} is the most. Remove some."]
    if len(choices) == 1:
        return ["has one choice only. Give it a second, or none for a free-form item."]
    empty = [f"choice {LETTERS[i]} is empty. Fill it in." for i, text in enumerate(choices) if not text]
    same = [
        f"choices {LETTERS[choices.index(text)]} and {LETTERS[i]} are the same. Change one."
        for i, text in enumerate(choices)
        if text and choices.index(text) < i
    ]
    return empty + same


def _listed(cell: object, problems: list[str]) -> list[object]:
    """The column `choices`: a list, or the JSON text of one."""
    if isinstance(cell, str) and cell.strip():
        try:
            cell = load_json(cell)
        except ValueError:
            cell = {}
    if isinstance(cell, list):
        return cell
    if cell is not None and cell != "":
        problems.append("""'choices' is not a list of texts. Write it as ["first", "second"].""")
    return []


def _spread(cells: dict[str, object]) -> list[object]:
    """The columns `choice_a`, `choice_b`, ..., up to the last that is filled."""
    texts = [(text_of(cells.get(name)) or "").strip() for name in _CHOICE_COLUMNS]
    filled = [i for i, text in enumerate(texts) if text]
    return list(texts[: filled[-1] + 1]) if filled else []


def _gold(answer: str, choices: list[str] | None, problems: list[str], *, quote: bool) -> str:
    """The letter or exact decimal that an answer stands for."""
    name = f"answer '{answer}'" if quote else "its answer"
    if choices is None:
        number = exact(answer)
        if number is None:
            problems.append(f"{name} is not a decimal number, and there are no choices. Write digits only, as 1200.5.")
        return number or ""
    meant = _meant(answer, choices)
    if len(meant) == 1:
        return meant.pop()
    problems.append(f"{name} {_not_one(answer, choices, ambiguous=bool(meant))}")
    return ""


def _meant(answer: str, choices: list[str]) -> set[str]:
    """The letters that an answer may stand for: as a letter, and as a choice's text."""
    letters = LETTERS[: len(choices)]
    return {letter for letter, text in zip(letters, choices, strict=True) if answer in (letter, text)}


def _not_one(answer: str, choices: list[str], *, ambiguous: bool) -> str:
    if ambiguous:
        return "is the letter of one choice and the text of another. Write the letter of the choice's text."
    count = len(choices)
    wrong = f"is not one of the {count} choices A-{LETTERS[count - 1]}"
    if answer == LETTERS[count : count + 1]:
        return f"{wrong}. Fix the row, or give it a {_NEXT[count - 2]} choice."
    return f"{wrong}. Fix the row: a letter, or the exact text of a choice."
