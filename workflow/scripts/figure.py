"""A run's fits and curves to one of its figures, and the numbers in it."""

from pathlib import Path

from headcount.jobs import job
from headcount.publish.figures.style import save
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load


def main(name: str, fits: Path, curves: Path, published: Path, pdf: Path, png: Path, csv: Path) -> None:
    figure, data = load("figures", name).make(Inputs(published, fits_path=fits, curves_path=curves))
    save(figure, data, pdf, png, csv)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.params.name,
            Path(snakemake.input.fits),
            Path(snakemake.input.curves),
            Path(snakemake.input.published[0]).parent,
            Path(snakemake.output.pdf),
            Path(snakemake.output.png),
            Path(snakemake.output.csv),
        )
