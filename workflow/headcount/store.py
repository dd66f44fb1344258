"""The only way to read and write a stage's file: in its schema, sorted by its keys, whole or not at all."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from headcount.errors import UserError
from headcount.schema import Table


def conform(rows: pd.DataFrame | pa.Table, table: Table, where: str) -> pa.Table:
    """Rows in a table's columns, types and order; an error where they cannot be.

    Args:
        rows: the columns of `table`, in any order.
        where: the file that the rows are bound for or come from, named in errors.
    """
    missing = [name for name in table.schema.names if name not in _names(rows)]
    extra = [name for name in _names(rows) if name not in table.schema.names]
    if missing or extra:
        raise UserError(f"{where}: not a table of {table.name}: lacks {missing}, has unknown {extra}.")
    rows = _typed(rows, table, where)
    _check_nulls(rows, table, where)
    rows = rows.cast(table.schema)
    if not _in_order(rows, table):  # a stage's file comes in order, and needs no sorting
        place = _places(rows, table)
        order = np.argsort(place, kind="stable")
        rows = rows.take(pa.array(order))
        _check_unique(rows, place[order], table, where)
    return rows


def write(path: Path, rows: pd.DataFrame | pa.Table, table: Table) -> None:
    """Write a stage's file: sorted, typed, compressed, and whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    pq.write_table(_relabelled(conform(rows, table, str(path))), partial, compression="zstd")
    partial.replace(path)


def write_chunks(path: Path, chunks: Iterable[pa.Table], table: Table) -> int:
    """Write a stage's file that is too large to be held, from rows that come in the order of its keys.

    Returns:
        the number of rows.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    last, rows = None, 0
    with pq.ParquetWriter(partial, table.schema, compression="zstd") as file:
        for chunk in chunks:
            chunk = conform(chunk, table, str(path))
            first, end = (tuple(chunk[key][place].as_py() for key in table.keys) for place in (0, -1))
            if last is not None and first <= last:
                raise UserError(f"{path}: rows of {first} come after those of {last}; {table.name} are sorted.")
            file.write_table(_relabelled(chunk))
            last, rows = end, rows + chunk.num_rows
    partial.replace(path)
    return rows


def read(path: Path, table: Table, columns: Collection[str] | None = None) -> pa.Table:
    """Read a stage's file; an error where it does not hold what the stage promises.

    Args:
        columns: those wanted, beside the keys: the others are neither decoded nor checked; by default all.
    """
    if columns is not None:
        table = _of_columns(table, columns)
    try:
        with pq.ParquetFile(path, read_dictionary=_repeated(table)) as file:  # `read_table` cuts columns into pieces
            there = [name for name in file.schema_arrow.names if columns is None or name in table.schema.names]
            rows = file.read(there)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file. Run the workflow that makes it first.") from None
    except (pa.ArrowInvalid, OSError) as problem:
        raise UserError(f"{path}: not a readable Parquet file ({problem}). Delete it and run again.") from None
    return conform(rows, table, str(path))


def _of_columns(table: Table, columns: Collection[str]) -> Table:
    """A table with its keys and some of its other columns, in its own order."""
    unknown = [name for name in columns if name not in table.schema.names]
    if unknown:
        raise ValueError(f"{table.name} have no columns {unknown}.")
    wanted = {*table.keys, *columns}
    return replace(table, schema=pa.schema([field for field in table.schema if field.name in wanted]))


def _repeated(table: Table) -> list[str]:
    """Columns that say the same text in many rows: a file holds it once, and to write it out takes longest of all."""
    labels = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
    return labels + [key for key in table.keys[:-1] if pa.types.is_string(table.schema.field(key).type)]


def plain(rows: pa.Table) -> pd.DataFrame:
    """A stage's rows with labels as text: categories neither join nor sort as their names do."""
    frame: pd.DataFrame = rows.to_pandas()
    labels = frame.select_dtypes("category").columns
    return frame.astype(dict.fromkeys(labels, "object"))


def _relabelled(rows: pa.Table) -> pa.Table:
    """Labels numbered in the order of the rows, whatever they were joined from: equal rows are then equal files."""
    for place, field in enumerate(rows.schema):
        if pa.types.is_dictionary(field.type):
            rows = rows.set_column(place, field, _renumbered(rows[place].unify_dictionaries().combine_chunks()))
    return rows


def _renumbered(labels: pa.DictionaryArray) -> pa.DictionaryArray:
    seen = pc.unique(labels.indices.drop_null()).to_numpy()  # as they come
    if np.array_equal(seen, np.arange(len(labels.dictionary))):
        return labels
    number = np.zeros(len(labels.dictionary), labels.indices.type.to_pandas_dtype())
    number[seen] = np.arange(seen.size)
    return pa.DictionaryArray.from_arrays(pa.array(number).take(labels.indices), labels.dictionary.take(pa.array(seen)))


def _typed(rows: pd.DataFrame | pa.Table, table: Table, where: str) -> pa.Table:
    """Rows in a table's columns and types, where empty cells are still allowed."""
    schema = pa.schema([field.with_nullable(True) for field in table.schema])
    try:
        if isinstance(rows, pd.DataFrame):
            rows = pa.Table.from_pandas(rows, schema=schema, preserve_index=False)
        return rows.select(schema.names).replace_schema_metadata(None).combine_chunks().cast(schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as problem:
        raise UserError(f"{where}: not a table of {table.name}: {'. '.join(map(str, problem.args))}.") from None


def _names(rows: pd.DataFrame | pa.Table) -> list[str]:
    return list(rows.columns) if isinstance(rows, pd.DataFrame) else list(rows.column_names)


def _check_nulls(rows: pa.Table, table: Table, where: str) -> None:
    for field in table.schema:
        if not field.nullable and rows[field.name].null_count:
            row = pc.index(pc.is_null(rows[field.name]), True).as_py()
            raise UserError(f"{where}: row {row + 1}: '{field.name}' is empty, and {table.name} need it.")


def _in_order(rows: pa.Table, table: Table) -> bool:
    """Whether rows come sorted by their keys, and none twice: told from neighbours, without a number for each."""
    alike = np.ones(max(rows.num_rows - 1, 0), np.bool_)  # neighbours whose keys so far are equal
    for key in table.keys:
        values = _comparable(rows[key])
        if (alike & (values[1:] < values[:-1])).any():
            return False
        alike &= values[1:] == values[:-1]
    return not alike.any()


def _places(rows: pa.Table, table: Table) -> NDArray[np.int64]:
    """A number for each row that orders rows as their keys do, the first key weighing most; equal keys share one.

    Each key is a digit of the number. Sorting numbers takes a tenth of sorting texts.
    """
    place, top = np.zeros(rows.num_rows, np.int64), 1
    for key in table.keys:
        values = _comparable(rows[key]).astype(np.int64)
        least = int(values.min(initial=0))
        digits = int(values.max(initial=0)) - least + 1
        if top * digits > _LARGEST:
            _, place = np.unique(place, return_inverse=True)
            top = rows.num_rows
        place, top = place * digits + values - least, top * digits
    return place


def _comparable(column: pa.ChunkedArray) -> NDArray[np.integer[Any]]:
    """Numbers in the order of a column's values: its own, or of each text its rank by bytes among the column's."""
    if not pa.types.is_dictionary(column.type):
        if not pa.types.is_string(column.type):
            return np.asarray(column.to_numpy())
        column = column.dictionary_encode()
    array = column.unify_dictionaries().combine_chunks()
    texts = array.dictionary.to_pylist() if column.num_chunks else []
    rank_of = {text: rank for rank, text in enumerate(sorted(set(texts), key=str.encode))}
    ranks = np.array([rank_of[text] for text in texts], dtype=np.int32)
    return ranks[array.indices.to_numpy()] if len(texts) else np.empty(0, np.int32)


_LARGEST = 2**62


def _check_unique(rows: pa.Table, place: NDArray[np.int64], table: Table, where: str) -> None:
    """Rows in order, with the places that put them there."""
    repeated = np.flatnonzero(np.diff(place) == 0)
    if repeated.size:
        key = {name: rows[name][int(repeated[0])].as_py() for name in table.keys}
        times = int((place == place[repeated[0]]).sum())
        raise UserError(f"{where}: {key} stands {times} times; {table.name} have it once.")
