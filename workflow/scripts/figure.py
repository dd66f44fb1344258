"""A run's numbers to one of its figures, and to the numbers in it."""

from pathlib import Path

from headcount.jobs import job
from headcount.publish.figures.style import save
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.words import PUBLISHED


def main(name: str, results: Path, published: Path, pdf: Path, svg: Path, png: Path, csv: Path) -> None:
    figure, data = load("figures", name).make(Inputs(results, published))
    save(figure, data, pdf, svg, png, csv)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.params.name,
            Path(snakemake.output.csv).parents[1],
            Path(PUBLISHED),
            Path(snakemake.output.pdf),
            Path(snakemake.output.svg),
            Path(snakemake.output.png),
            Path(snakemake.output.csv),
        )
