"""A user's own items: the same from every kind of file, exactly as written, and errors that help."""

import csv
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.config import Task
from headcount.errors import UserError
from headcount.items.load import load_items
from headcount.items.user_file import read

LETTERS = "ABCDEFGHIJ"
NASTY = [
    "None",
    "NA",
    "null",
    "nan",
    "007",
    "1.0",
    "1",
    "true",
    "-",
    "a,b",
    'say "x"',
    "a\nb",
    "é",
    "'",
    "#",
    "E",
]
words = st.sampled_from(NASTY) | st.text(
    st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=8
).map(str.strip).filter(bool)


@st.composite
def row(draw):
    """An item as a user may write it, and the gold that it means."""
    choices = draw(st.none() | st.lists(words, min_size=2, max_size=10, unique=True))
    row = {"question": draw(words), "choices": choices, "note": draw(words)}
    if choices is None:
        number = draw(st.integers(-(10**25), 10**25))
        return row | {"answer": f"{number}.0"}, str(number)
    right = draw(st.integers(0, len(choices) - 1))
    letters = LETTERS[: len(choices)]
    spellings = [
        spelling
        for spelling in (letters[right], choices[right])
        if all(spelling not in pair for i, pair in enumerate(zip(letters, choices, strict=True)) if i != right)
    ]
    if not spellings:
        return row | {"choices": ["x", "y"], "answer": "y"}, "B"
    return row | {"answer": draw(st.sampled_from(spellings))}, letters[right]


def write_all(folder: Path, rows: list[dict]) -> list[Path]:
    """The same items in the four ways that a user may write them."""
    paths = [folder / name for name in ("a.jsonl", "b.parquet", "listed.csv", "spread.csv")]
    paths[0].write_text("".join(json.dumps(row) + "\n" for row in rows))
    kind = pa.schema([(name, pa.list_(pa.string()) if name == "choices" else pa.string()) for name in rows[0]])
    pq.write_table(pa.Table.from_pylist(rows, schema=kind), paths[1])
    listed = [row | {"choices": json.dumps(row["choices"]) if row["choices"] else ""} for row in rows]
    spread = [
        {name: value for name, value in row.items() if name != "choices"}
        | {f"choice_{x.lower()}": text for x, text in zip(LETTERS, (row["choices"] or []) + [""] * 10, strict=False)}
        for row in rows
    ]
    for path, table in ((paths[2], listed), (paths[3], spread)):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(table[0]))
            writer.writeheader()
            writer.writerows(table)
    return paths


@settings(deadline=None)  # writes files
@given(st.lists(row(), min_size=1, max_size=5))
def test_every_kind_of_file_gives_the_same_items_with_texts_as_written(drawn):
    rows = [{"id": f"{i:03}", **row} for i, (row, _) in enumerate(drawn)]
    with TemporaryDirectory() as folder:
        for path in write_all(Path(folder), rows):
            items = read([path])
            assert [item.id for item in items] == [row["id"] for row in rows]
            assert [item.gold for item in items] == [gold for _, gold in drawn]
            for item, row in zip(items, rows, strict=True):
                assert (item.question, item.choices) == (row["question"], row["choices"])
                assert item.metadata["note"] == row["note"]


def test_numbers_in_json_and_parquet_are_taken_exactly(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 7, "question": "?", "answer": 0.10000000000000000001}\n\n'
        '{"id": "b", "question": "?", "answer": 0.50, "choices": [0.25, 0.50]}\n'
    )
    first, second = read([path])
    assert (first.id, first.gold, first.metadata) == ("7", "0.10000000000000000001", {"row": 1})
    assert (second.choices, second.gold, second.metadata) == (["0.25", "0.50"], "B", {"row": 3})
    path = tmp_path / "a.parquet"
    columns = {"id": [1, 2], "question": ["?", "?"], "answer": [5.0, 1e20], "x": [float("nan"), 1.0]}
    pq.write_table(pa.table(columns), path)
    table = load_items(Task(format="file", source={"path": path}), tmp_path)
    assert table["gold"].to_pylist() == ["5", "1" + "0" * 20]
    assert json.loads(table["metadata"][0].as_py())["x"] is None


GOOD = {"id": "x", "question": "Which?", "choices": ["a", "b", "c", "d"], "answer": "A"}
FREE = {"id": "x", "question": "How many?", "answer": "12"}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            GOOD | {"answer": "E"},
            "answer 'E' is not one of the 4 choices A-D. Fix the row, or give it a fifth choice.",
        ),
        (
            GOOD | {"answer": "e"},
            "answer 'e' is not one of the 4 choices A-D. Fix the row: a letter, or the exact text",
        ),
        (GOOD | {"answer": 1}, "answer '1' is not one of the 4 choices A-D."),
        (GOOD | {"answer": None}, "'answer' is empty. Fill it in, or remove the row."),
        (GOOD | {"question": " "}, "'question' is empty."),
        (GOOD | {"id": ["x"]}, "'id' is empty."),
        (GOOD | {"choices": list("abcdefghijk")}, "has 11 choices; 10 is the most."),
        (
            GOOD | {"choices": list("bcdefghijk"), "answer": "K"},
            "answer 'K' is not one of the 10 choices A-J.",
        ),
        (GOOD | {"choices": ["a"]}, "has one choice only."),
        (GOOD | {"choices": ["a", "b", "a"]}, "choices A and C are the same."),
        (GOOD | {"choices": ["a", "", "c"]}, "choice B is empty."),
        (GOOD | {"choices": "a, b"}, "'choices' is not a list of texts."),
        (GOOD | {"choices": {"A": "a"}}, "'choices' is not a list of texts."),
        (GOOD | {"choices": ["B", "A"]}, "answer 'A' is the letter of one choice and the text of another."),
        (GOOD | {"choice_a": "a", "choice_b": "b"}, "has both 'choices' and 'choice_a'."),
        (FREE | {"answer": "1,200"}, "answer '1,200' is not a decimal number, and there are no choices."),
        (FREE | {"answer": "twelve"}, "answer 'twelve' is not a decimal number"),
        (FREE | {"id": "first"}, "id 'first' stands in row 1 too. Give each row its own."),
        (FREE | {"question": "\ud83d"}, "not valid JSON"),
    ],
)
def test_a_bad_row_is_named_and_says_what_to_do(write_jsonl, row, says):
    path = write_jsonl([FREE | {"id": "first"}, row])
    with pytest.raises(UserError) as error:
        read([path])
    assert str(error.value).startswith(f"{path}: row 2: {says}")
    assert len(str(error.value).splitlines()) == 1


def test_all_problems_are_shown_up_to_twenty(write_jsonl):
    rows = [GOOD | {"id": str(i), "answer": "Z"} for i in range(30)]
    path = write_jsonl([*rows[:3], GOOD | {"id": "", "question": ""}, *rows[3:]])
    with pytest.raises(UserError) as error:
        read([path])
    lines = str(error.value).splitlines()
    assert len(lines) == 21
    assert [line.split(": ")[1] for line in lines[2:6]] == ["row 3", "row 4", "row 4", "row 5"]
    assert lines[-1] == "... and 12 more"


def test_csv_rows_count_as_in_a_spreadsheet_whatever_lines_they_take(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text('\ufeffid,question,answer\na,"two\nlines",1\n\nb,one,two,three\nc,one,x\n', encoding="utf-8")
    with pytest.raises(UserError) as error:
        read([path])
    assert [line.split(": ")[1] for line in str(error.value).splitlines()] == ["row 4", "row 5"]
    assert "has 4 cells, and the header 3" in str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"id,question\na,b\n", "has no column 'answer'. Its columns: id, question."),
        ("a.csv", b"id,question,answer\n", "holds no items."),
        ("a.csv", b"", "holds no items."),
        ("a.csv", b"id,id,question,answer\n1,2,3,4\n", "two columns of its header have one name"),
        ("a.csv", b"id,question,answer\n1,\xe9,3\n", "not UTF-8 text"),
        ("a.csv", b'id,question,answer\n1,"open,3\n', "not a readable .csv file"),
        ("a.jsonl", b"{]\n", "row 1: not valid JSON"),
        ("a.jsonl", b'{"id": 1, "question": "?", "answer": NaN}', "row 1: not valid JSON (NaN is not JSON)"),
        ("a.jsonl", b"[1]\n", "row 1: not a JSON object"),
        ("a.parquet", b"PAR1", "not a readable .parquet file"),
        ("a.arrow", b"nothing", "not a readable .arrow file"),
        ("a.jsonl.gz", b"nothing", "not a readable .jsonl file"),
        ("a.xlsx", b"", "'.xlsx' is not a kind of file that items are read from (.jsonl, .csv"),
    ],
)
def test_a_file_that_is_not_one(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read([path])
    assert str(error.value).startswith(f"{path}: ")
    assert says in str(error.value)


def test_a_private_tasks_errors_quote_no_answer(write_jsonl, tmp_path):
    bad = [GOOD | {"answer": "secret"}, FREE | {"answer": "secret"}]
    path = write_jsonl([row | {"id": str(i)} for i, row in enumerate(bad)])
    with pytest.raises(UserError, match="row 1: its answer is not") as error:
        load_items(Task(format="file", source={"path": path}, private=True), tmp_path)
    assert "secret" not in str(error.value)
