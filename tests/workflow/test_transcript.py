"""From a number back to the words that made it."""

import pyarrow as pa
import pyarrow.compute as pc

from headcount.schema import ANSWERS, TURNS
from headcount.store import read


def test_a_transcript_is_what_the_team_said_and_how_it_was_read(finished):
    results = finished.folder / "results/small"
    said = _of(read(results / "turns/alone/letters/debate.parquet", TURNS), item="l1", n=3, replicate=1)
    shown = finished.headcount("transcript", "alone", "letters", "debate", "l1", "3", "--run", "small")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "Which is letter 1?" in shown.stdout
    assert said.num_rows == 6  # three agents, two updates
    assert all(turn["text"].rstrip() in shown.stdout for turn in said.to_pylist())
    assert all(turn["request"][:12] in shown.stdout for turn in said.to_pylist())
    read_as = _of(read(results / "answers/alone.parquet", ANSWERS), condition="debate", item="l1", n=3, replicate=1)
    assert shown.stdout.count(", right (") == read_as["correct"].to_pylist().count(True)


def test_an_item_that_does_not_exist_is_a_message(finished):
    shown = finished.headcount("transcript", "alone", "letters", "debate", "nothing", "3", "--run", "small")
    assert shown.returncode == 1
    assert "There is no item 'nothing'" in shown.stderr
    assert "Traceback" not in shown.stderr


def _of(rows: pa.Table, **wanted: object) -> pa.Table:
    for column, value in wanted.items():
        rows = rows.filter(pc.equal(rows[column], value))
    return rows
