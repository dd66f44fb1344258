"""A run's fits to one of its tables."""

from pathlib import Path

from headcount.jobs import job
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.render import write_table


def main(name: str, fits: Path, published: Path, csv: Path, md: Path, tex: Path) -> None:
    table = load("tables", name)
    frame = table.make(Inputs(published, fits_path=fits))
    write_table(frame, table.SPEC, csv, md, tex)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.params.name,
            Path(snakemake.input.fits),
            Path(snakemake.input.published[0]).parent,
            Path(snakemake.output.csv),
            Path(snakemake.output.md),
            Path(snakemake.output.tex),
        )
