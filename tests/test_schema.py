"""What passes between stages is typed, sorted, unique, whole, and hashed for what it says."""

from time import process_time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.content import content_hash
from headcount.errors import UserError
from headcount.schema import DRAWS, ITEMS, TABLES, numbered
from headcount.store import conform, read, write


def draws(rows: int = 6) -> pd.DataFrame:
    frame = pd.DataFrame({"item": [f"q{i // 2}" for i in range(rows)], "agent": [1 + i % 2 for i in range(rows)]})
    return frame.assign(
        replicate=1,
        n=0,
        request=[f"key{i}" for i in range(rows)],
        text=[f"FINAL: {'ä' * i}" for i in range(rows)],
        finish_reason=["stop", "length"] * (rows // 2),
        token_ends=[[i, i + 1] if i % 3 else None for i in range(rows)],
        token_logprobs=[[-0.5 * i] * (i % 3) for i in range(rows)],
        prompt_tokens=7,
        completion_tokens=range(rows),
        server=["one", None] * (rows // 2),
    )


def refused(frame: pd.DataFrame | pa.Table) -> str:
    with pytest.raises(UserError) as error:
        conform(frame, DRAWS, "here.parquet")
    return str(error.value)


@given(st.permutations(range(6)), st.permutations(range(12)))
def test_rows_come_out_sorted_by_key_and_columns_in_order(rows, columns):
    frame = draws()
    table = conform(frame.iloc[rows, columns], DRAWS, "here")
    assert table.schema == DRAWS.schema
    assert table["item"].to_pylist() == ["q0", "q0", "q1", "q1", "q2", "q2"]
    assert table["agent"].to_pylist() == [1, 2] * 3
    assert table["request"].to_pylist() == list(frame["request"])


_KEYS = st.tuples(
    st.sampled_from(["", "a", "ab", "B", "é", "z", "\U0001f600", "\uffee"]),  # UTF-16 orders the last two otherwise
    st.integers(-3, 3),
    st.integers(-(2**15), 2**15 - 1),
    st.integers(0, 4),
)


@given(st.lists(_KEYS, unique=True, max_size=12), st.sampled_from([2**62, 100]))
def test_rows_are_in_the_order_that_arrow_would_sort_them_in(keys, largest):
    """Also where the ranks of keys together are more than a number can hold."""
    columns = dict(zip(("item", "replicate", "n", "agent"), map(list, zip(*keys, strict=True)), strict=False))
    rows = draws(len(keys) * 2).iloc[: len(keys)].assign(server="one", token_ends=[[1]] * len(keys), **columns)
    table = pa.Table.from_pylist(rows.to_dict("records"), schema=DRAWS.schema)
    sorted_by_arrow = table.sort_by([(key, "ascending") for key in DRAWS.keys])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("headcount.store._LARGEST", largest)
        assert conform(table, DRAWS, "here").equals(sorted_by_arrow)


def test_every_table_has_its_keys_first_and_none_of_them_empty():
    for table in TABLES.values():
        assert tuple(table.schema.names[: len(table.keys)]) == table.keys
        assert not any(table.schema.field(key).nullable for key in table.keys)


def test_missing_and_unknown_columns_are_named():
    message = refused(draws().rename(columns={"text": "words"}))
    assert message == "here.parquet: not a table of draws: lacks ['text'], has unknown ['words']."


@pytest.mark.parametrize("column", ["text", "finish_reason", "agent"])
def test_an_empty_cell_is_named_by_row_and_column(column):
    frame = draws().astype({column: object})
    frame.loc[3, column] = None
    message = f"here.parquet: row 4: '{column}' is empty, and draws need it."
    assert refused(frame) == message
    assert refused(pa.Table.from_pandas(frame)) == message


def test_a_repeated_key_is_named():
    frame = pd.concat([draws(), draws().iloc[[2]]])
    key = {"item": "q1", "replicate": 1, "n": 0, "agent": 1}
    assert refused(frame) == f"here.parquet: {key} stands 2 times; draws have it once."


@pytest.mark.parametrize("wrong", [{"agent": 40_000}, {"agent": "first"}, {"token_ends": 3}])
def test_a_value_of_the_wrong_type_is_an_error_of_the_file(wrong):
    assert refused(draws().assign(**wrong)).startswith("here.parquet: not a table of draws: ")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "draws.parquet"
    write(path, draws(), DRAWS)
    before = path.read_bytes()
    with pytest.raises(UserError):
        write(path, pd.concat([draws(), draws()]), DRAWS)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["draws.parquet"]


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "no such file. Run the workflow that makes it first"), (b"PAR1", "not a readable Parquet file")],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, content, message):
    path = tmp_path / "draws.parquet"
    if content:
        path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read(path, DRAWS)
    assert str(error.value).startswith(f"{path}: {message}")


def test_a_file_of_another_stage_is_refused(tmp_path):
    write(tmp_path / "draws.parquet", draws(), DRAWS)
    with pytest.raises(UserError, match=r"not a table of items: lacks \['question'"):
        read(tmp_path / "draws.parquet", ITEMS)


def test_some_columns_are_those_of_the_whole_with_its_keys(tmp_path):
    write(tmp_path / "draws.parquet", draws(), DRAWS)
    whole, some = read(tmp_path / "draws.parquet", DRAWS), read(tmp_path / "draws.parquet", DRAWS, ["server", "text"])
    assert some.column_names == [*DRAWS.keys, "text", "server"]
    assert some.equals(whole.select(some.column_names))
    with pytest.raises(ValueError, match="no columns \\['words'\\]"):
        read(tmp_path / "draws.parquet", DRAWS, ["words"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"agent": [1, 1] * 3}, "stands 2 times; draws have it once"),
        ({"text": [None] * 6}, "row 1: 'text' is empty, and draws need it"),
    ],
)
def test_columns_that_are_read_are_checked(tmp_path, wrong, message):
    path = tmp_path / "draws.parquet"
    draws().assign(**wrong).to_parquet(path)
    with pytest.raises(UserError, match=message):
        read(path, DRAWS, ["text"])
    draws().drop(columns="text").to_parquet(path)
    assert read(path, DRAWS, ["server"]).num_rows == 6
    with pytest.raises(UserError, match=r"not a table of draws: lacks \['text'\]"):
        read(path, DRAWS, ["text"])


@given(st.permutations(range(6)), st.integers(1, 7), st.booleans())
def test_content_does_not_depend_on_how_it_is_stored(tmp_path_factory, rows, group, dictionary):
    path = tmp_path_factory.mktemp("draws") / "draws.parquet"
    table = conform(draws(), DRAWS, "here")
    write(path, draws().iloc[rows], DRAWS)
    assert content_hash(read(path, DRAWS)) == content_hash(table)
    pq.write_table(pq.read_table(path), path, row_group_size=group, use_dictionary=dictionary, compression="none")
    assert content_hash(read(path, DRAWS)) == content_hash(table)


def test_content_does_not_depend_on_chunks_dictionaries_or_what_lies_under_a_null():
    labels = pa.array(["b", None, "a", "b"])
    flags = pa.array([True, None, False, True])
    whole = pa.table({"label": labels, "value": pa.array([1.5, None, 2.5, 3.5]), "list": [[1], None, [], [2, 3]]})
    whole = whole.append_column("flag", flags)
    hidden = pa.array(np.array([1.5, 99.0, 2.5, 3.5]), mask=np.array([False, True, False, False]))
    other = pa.table({"label": labels.dictionary_encode(), "value": hidden, "list": whole["list"], "flag": flags})
    for cut in range(5):
        assert content_hash(pa.concat_tables([other.slice(0, cut), other.slice(cut)])) == content_hash(whole)


CELLS = st.one_of(st.none(), st.text("ab", max_size=2))
COLUMNS = st.lists(st.one_of(st.none(), st.lists(CELLS, max_size=2)), max_size=3)


@given(COLUMNS, COLUMNS)
def test_content_differs_exactly_where_values_do(one, other):
    kind = pa.list_(pa.string())
    hashes = [content_hash(pa.table({"x": pa.array(column, kind)})) for column in (one, other)]
    assert (hashes[0] == hashes[1]) == (one == other)


def test_content_tells_names_types_and_borders_apart():
    tables = [
        pa.table({"x": ["ab", "c"]}),
        pa.table({"x": ["a", "bc"]}),
        pa.table({"y": ["ab", "c"]}),
        pa.table({"x": pa.array([1, 2], pa.int16())}),
        pa.table({"x": pa.array([1, 2], pa.int32())}),
        pa.table({"x": pa.array([[1], [2]], pa.list_(pa.int16()))}),
        pa.table({"x": pa.array([[1, 2], []], pa.list_(pa.int16()))}),
        pa.table({"x": ["1"], "y": ["2"]}),
        pa.table({"x": ["1"]}),
    ]
    assert len({content_hash(table) for table in tables}) == len(tables)


def test_a_known_content_has_its_known_hash():
    """So that a library that changes it is noticed: manifests are compared over years."""
    known = "d289e99273bf74ff9a0b5ac3c0d5f7b5305d869f65ba7806b7be65c082df9a8f"
    assert content_hash(conform(draws(), DRAWS, "here")) == known


def test_a_million_rows_are_hashed_in_a_second_or_so():
    rows = 1_000_000
    text = pa.array([f"FINAL: {i}" for i in range(1000)] * (rows // 1000))
    table = pa.table({"text": text, "label": text.dictionary_encode(), "n": np.arange(rows), "x": np.ones(rows)})
    start = process_time()
    content_hash(table)
    assert process_time() - start < 3


@given(st.permutations(range(6)))
def test_numbered_texts_are_the_texts_and_written_as_the_texts_are(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("numbered")
    write(folder / "texts", draws(), DRAWS)
    labels = numbered(DRAWS, "item", "request")
    told = read(folder / "texts", labels)
    assert told.schema == labels.schema
    assert told.cast(DRAWS.schema).equals(read(folder / "texts", DRAWS))
    write(folder / "numbers", told.take(pa.array(rows)), DRAWS)
    assert (folder / "numbers").read_bytes() == (folder / "texts").read_bytes()
