"""What docs/import.md claims: the messages that it shows are those of a file with such rows."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pages import Document
from saved_files import trace, write_lines
from typer.testing import CliRunner

from headcount.cli import app
from headcount.imports.report import SHOWN
from headcount.imports.rounds import PAPER_ROUNDS

IMPORT = Document("docs/import.md")
FILE = "debate_traces_qwen3-4b.jsonl"
ROWS = 200


def bad_file() -> list[object]:
    """The rows of the example: three bad ones, three whose stated majority is another, 14 missing answers."""
    rows: list[object] = []
    for line in range(1, ROWS):
        first = ["A", None if 50 <= line < 64 else "A", "B"]
        rows.append(trace(f"q{line}", [first, *(["A", "A", "A"] for _ in range(3))]))
    rows[16]["initial_answers"][1] = "K"
    del rows[30]["round_traces"][1]
    for line in (4, 5, 6):
        rows[line - 1]["final_answer"] = "B"
    return [*rows, '{"model": "qwen3-4b", "question_id": "q200", "correct_']


def imported() -> tuple[int, str]:
    """Status and words of `headcount import` on that file."""
    with _elsewhere():
        write_lines(FILE, bad_file())
        Path(FILE).write_text(Path(FILE).read_text().removesuffix("\n"))
        result = CliRunner().invoke(app, ["import", FILE, "--run", "theirs", "--task", "mmlu_pro"])
    return result.exit_code, result.output


@contextmanager
def _elsewhere() -> Iterator[None]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def messages() -> str:
    """Problems and remarks, without how the import ended."""
    lines = imported()[1].splitlines()
    return "\n".join(lines[: 1 + max(place for place, line in enumerate(lines) if line.startswith("  "))])


IMPORT.shows(f"{FILE}: line 17", messages)
IMPORT.says("nothing is written, and the status is {}.", lambda: [imported()[0]])
IMPORT.says("a terminal shows the first {}", lambda: [SHOWN])


@IMPORT.says("revisions that are kept: {} by default, as in the paper")
def rounds_kept():
    return [PAPER_ROUNDS]


IMPORT.leaves(r"(?s)^```json\n.*?^```$|^item,agent.*?^```$", "examples of rows")
IMPORT.leaves(r"^(headcount|snakemake) .*$", "commands")
IMPORT.leaves(r"count from 1\b|from 1 \||round 1\b|row 1\b|round 4|\bR[03]\b", "how things are counted")
IMPORT.leaves(r"begin at 0 each|tokens are 0", "conventions")
IMPORT.leaves(r"SHA-256", "a name")
