"""The shards of a pool of draws or of a cell's turns, together."""

from pathlib import Path

import pyarrow as pa

from headcount.jobs import job
from headcount.schema import TABLES
from headcount.store import read, write


def main(table: str, shards: list[Path], gathered: Path) -> None:
    """Args: table: the stage, `draws` or `turns`."""
    write(gathered, pa.concat_tables([read(path, TABLES[table]) for path in shards]), TABLES[table])


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.params.table,
            [Path(path) for path in snakemake.input.shards],
            Path(snakemake.output.gathered),
        )
