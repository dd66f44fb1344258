"""A run's numbers to one of its tables."""

from pathlib import Path

from headcount.jobs import job
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.render import write_table
from headcount.publish.words import PUBLISHED


def main(name: str, results: Path, published: Path, csv: Path, md: Path, tex: Path) -> None:
    table = load("tables", name)
    write_table(table.make(Inputs(results, published)), table.SPEC, csv, md, tex)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.params.name,
            Path(snakemake.output.csv).parents[1],
            Path(PUBLISHED),
            Path(snakemake.output.csv),
            Path(snakemake.output.md),
            Path(snakemake.output.tex),
        )
