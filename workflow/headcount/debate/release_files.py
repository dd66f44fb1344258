"""The files of a release, and whether they are those that its metadata says."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq

from headcount.content import content_hash, file_hash
from headcount.debate.release_metadata import File, Metadata, RowTier, read_metadata
from headcount.errors import UserError
from headcount.schema import TABLES, Table
from headcount.store import read


def described(path: Path, table: Table, row_tier: RowTier) -> File:
    """A file of a release as its metadata has it."""
    rows = read(path, table)
    return File(table=table.name, rows=rows.num_rows, content=content_hash(rows), row_tier=row_tier)


def described_in_order(path: Path, table: Table, row_tier: RowTier) -> File:
    """The same of a file that was written in order: a column at a time, since it may be too large to be held."""
    rows = pq.read_metadata(path).num_rows
    return File(table=table.name, rows=rows, content=file_hash(path, table.schema), row_tier=row_tier)


def check_files(path: Path) -> Metadata:
    """What a release says, if its files are those that it says; an error names all that are not."""
    metadata = read_metadata(path)
    if wrong := list(_wrong(path.parent, metadata)):
        raise UserError("\n".join(f"{path}: {line}" for line in wrong))
    return metadata


def _wrong(folder: Path, metadata: Metadata) -> Iterator[str]:
    for name, said in metadata.files.items():
        if said.table not in TABLES:
            yield f"files.{name}.table: {said.table!r} is no table ({', '.join(TABLES)})."
        elif not (folder / name).exists():
            yield f"files.{name} is not there. Get the release anew."
        elif described(folder / name, TABLES[said.table], said.row_tier) != said:
            yield f"files.{name} holds other rows than the release was made with. Get the release anew."
    there = {str(path.relative_to(folder)) for path in folder.rglob("*.parquet")}
    yield from (f"{name} is not among 'files'. Take it away." for name in sorted(there - metadata.files.keys()))
