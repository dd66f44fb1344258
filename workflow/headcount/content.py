"""What a table says, as one hash: equal however Arrow or Parquet hold it."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


def content_hash(rows: pa.Table) -> str:
    """SHA-256 of what a table says, in the order of its rows (`read` sorts them), however Arrow or Parquet hold it."""
    return _hash(rows.num_rows, ((name, rows[name]) for name in rows.column_names))


def file_hash(path: Path, schema: pa.Schema) -> str:
    """The hash of what a Parquet file holds whose rows are in order, read a column at a time: it may be large."""
    with pq.ParquetFile(path) as file:
        columns = ((field.name, _read(file, field)) for field in schema)
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
    yield from map(_valid, column.chunks)
    values = column.drop_null()
    if pa.types.is_list(kind):
        yield from _content(pc.list_value_length(values))
        yield from _content(pc.list_flatten(values))
    elif pa.types.is_string(kind):
        yield from _content(pc.binary_length(values))
        yield from (_joined(chunk) for chunk in values.chunks)
    else:
        yield from map(_numbers, values.chunks)


def _read(file: pq.ParquetFile, field: pa.Field) -> pa.ChunkedArray:
    """A column as its stage has it. One column is little work, and threads would cost more than they save."""
    return file.read([field.name], use_threads=False)[field.name].cast(field.type)


def _valid(chunk: pa.Array) -> bytes | pa.Buffer:
    """A byte a row: whether it has a value. Most columns have all, and need not be looked at."""
    if not chunk.null_count:
        return b"\x01" * len(chunk)
    return _numbers(chunk.is_valid())


def _numbers(chunk: pa.Array) -> bytes | pa.Buffer:
    """Numbers without nulls end to end, as Arrow holds them; truth values, which it holds as bits, a byte each."""
    if not len(chunk):
        return b""
    held, start = chunk.buffers()[1], chunk.offset
    if pa.types.is_boolean(chunk.type):
        bits = np.unpackbits(np.frombuffer(held, np.uint8), bitorder="little")
        return bits[start : start + len(chunk)].tobytes()
    width = chunk.type.byte_width
    return held.slice(start * width, len(chunk) * width)


def _joined(texts: pa.StringArray) -> bytes | pa.Buffer:
    """Texts without nulls end to end, in UTF-8: Arrow holds them so, from the first one's offset to the last one's."""
    _, offsets, letters = texts.buffers()
    if not len(texts) or letters is None:
        return b""
    ends = np.frombuffer(offsets, np.int32)
    start, end = int(ends[texts.offset]), int(ends[texts.offset + len(texts)])
    return letters.slice(start, end - start)
