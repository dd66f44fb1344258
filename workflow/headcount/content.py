"""What a table says, as one hash: equal however Arrow or Parquet hold it."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


def content_hash(rows: pa.Table) -> str:
    """SHA-256 of what a table says, in the order of its rows (`read` sorts them), however Arrow or Parquet hold it."""
    return _hash(rows.num_rows, ((name, rows[name]) for name in rows.column_names))


def file_hash(path: Path, schema: pa.Schema) -> str:
    """The hash of what a Parquet file holds whose rows are in order, read a column at a time: it may be large."""
    with pq.ParquetFile(path) as file:
        columns = ((field.name, file.read([field.name])[field.name].cast(field.type)) for field in schema)
        return _hash(file.metadata.num_rows, columns)


def _hash(rows: int, columns: Iterable[tuple[str, pa.ChunkedArray]]) -> str:
    hashed = hashlib.sha256(f"{rows} rows".encode())
    for name, column in columns:
        hashed.update(f"\n{name}:".encode())
        for part in _content(column):
            hashed.update(part)
    return hashed.hexdigest()


def _content(column: pa.ChunkedArray) -> Iterator[bytes | pa.Buffer]:
    """A column as bytes: its type, which rows have a value, and these values end to end.

    Lists and text are preceded by their lengths, so that ("ab", "c") and ("a", "bc") differ. Neither chunks nor
    dictionaries nor what lies under a null leave a trace.
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        yield from _content(column.cast(kind.value_type))
        return
    yield b"list" if pa.types.is_list(kind) else str(kind).encode()
    yield from (chunk.is_valid().to_numpy(zero_copy_only=False).tobytes() for chunk in column.chunks)
    values = column.drop_null()
    if pa.types.is_list(kind):
        yield from _content(pc.list_value_length(values))
        yield from _content(pc.list_flatten(values))
    elif pa.types.is_string(kind):
        yield from _content(pc.binary_length(values))
        yield from (_joined(chunk) for chunk in values.chunks)
    else:
        yield from (chunk.to_numpy(zero_copy_only=False).tobytes() for chunk in values.chunks)


def _joined(texts: pa.StringArray) -> pa.Buffer:
    """Texts end to end, in UTF-8."""
    whole = pa.ListArray.from_arrays(pa.array([0, len(texts)], pa.int32()), texts)
    return pc.binary_join(whole, "")[0].as_buffer()
