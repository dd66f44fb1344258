"""A run's numbers to some of its tables."""

from collections.abc import Iterable
from pathlib import Path

from headcount.jobs import job
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.render import write_table
from headcount.publish.words import PUBLISHED


def main(names: Iterable[str], results: Path, published: Path) -> None:
    """They go to the folder `tables` of the run's."""
    inputs = Inputs(results, published)
    for name in names:
        table = load("tables", name)
        files = (results / "tables" / f"{name}.{form}" for form in ("csv", "md", "tex"))
        write_table(table.make(inputs), table.SPEC, *files)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(snakemake.params.names, Path(snakemake.output[0]).parents[1], Path(PUBLISHED))
