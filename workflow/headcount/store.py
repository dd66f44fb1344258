"""The only way to read and write a stage's file: in its schema, sorted by its keys, whole or not at all."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

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
    place = _places(rows, table)
    if not (np.diff(place) > 0).all():  # a stage's file comes in order, and needs no sorting
        order = np.argsort(place, kind="stable")
        rows = rows.take(pa.array(order))
        _check_unique(rows, place[order], table, where)
    return rows.combine_chunks()


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
        there = None if columns is None else [name for name in pq.read_schema(path).names if name in table.schema.names]
        rows = pq.read_table(path, columns=there)
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


def plain(rows: pa.Table) -> pd.DataFrame:
    """A stage's rows with labels as text: categories neither join nor sort as their names do."""
    frame: pd.DataFrame = rows.to_pandas()
    labels = frame.select_dtypes("category").columns
    return frame.astype(dict.fromkeys(labels, "object"))


def _relabelled(rows: pa.Table) -> pa.Table:
    """Labels numbered in the order of the rows, whatever they were joined from: equal rows are then equal files."""
    for place, field in enumerate(rows.schema):
        if pa.types.is_dictionary(field.type):
            labels = rows[place].cast(field.type.value_type).dictionary_encode()
            rows = rows.set_column(place, field, labels.cast(field.type))
    return rows


def _typed(rows: pd.DataFrame | pa.Table, table: Table, where: str) -> pa.Table:
    """Rows in a table's columns and types, where empty cells are still allowed."""
    schema = pa.schema([field.with_nullable(True) for field in table.schema])
    try:
        if isinstance(rows, pd.DataFrame):
            rows = pa.Table.from_pandas(rows, schema=schema, preserve_index=False)
        return rows.select(schema.names).replace_schema_metadata(None).cast(schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as problem:
        raise UserError(f"{where}: not a table of {table.name}: {'. '.join(map(str, problem.args))}.") from None


def _names(rows: pd.DataFrame | pa.Table) -> list[str]:
    return list(rows.columns) if isinstance(rows, pd.DataFrame) else list(rows.column_names)


def _check_nulls(rows: pa.Table, table: Table, where: str) -> None:
    for field in table.schema:
        if not field.nullable and rows[field.name].null_count:
            row = pc.index(pc.is_null(rows[field.name]), True).as_py()
            raise UserError(f"{where}: row {row + 1}: '{field.name}' is empty, and {table.name} need it.")


def _places(rows: pa.Table, table: Table) -> NDArray[np.int64]:
    """A number for each row that orders rows as their keys do, the first key weighing most; equal keys share one.

    Each key becomes its rank, and ranks are the digits of the number. Sorting numbers takes a tenth of sorting texts.
    """
    place, top = np.zeros(rows.num_rows, np.int64), 1
    for key in table.keys:
        rank, ranks = _ranks(rows[key])
        if top * ranks > _LARGEST:
            _, place = np.unique(place, return_inverse=True)
            top = rows.num_rows
        place, top = place * ranks + rank, top * ranks
    return place


def _ranks(column: pa.ChunkedArray) -> tuple[NDArray[np.int64], int]:
    """The rank of each value among a column's distinct ones, texts by their bytes; and how many ranks there are."""
    if not pa.types.is_dictionary(column.type):
        if not pa.types.is_string(column.type):
            values = column.to_numpy().astype(np.int64)
            least = int(values.min(initial=0))
            return values - least, int(values.max(initial=0)) - least + 1
        column = column.dictionary_encode()
    array = column.unify_dictionaries().combine_chunks()
    texts = array.dictionary.to_pylist() if column.num_chunks else []
    rank_of = {text: rank for rank, text in enumerate(sorted(set(texts), key=str.encode))}
    ranks = np.array([rank_of[text] for text in texts], dtype=np.int64)
    codes = array.indices.to_numpy() if len(texts) else np.empty(0, np.int64)
    return ranks[codes], max(len(rank_of), 1)


_LARGEST = 2**62


def _check_unique(rows: pa.Table, place: NDArray[np.int64], table: Table, where: str) -> None:
    """Rows in order, with the places that put them there."""
    repeated = np.flatnonzero(np.diff(place) == 0)
    if repeated.size:
        key = {name: rows[name][int(repeated[0])].as_py() for name in table.keys}
        times = int((place == place[repeated[0]]).sum())
        raise UserError(f"{where}: {key} stands {times} times; {table.name} have it once.")
