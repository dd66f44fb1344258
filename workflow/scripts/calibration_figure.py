"""A study of calibration to its figure, and to the numbers in it."""

from pathlib import Path

import pandas as pd

from headcount.jobs import job
from headcount.publish.calibration import DRAWN
from headcount.publish.figures.style import save


def main(drawing: str, studies: list[Path], pdf: Path, svg: Path, png: Path, csv: Path) -> None:
    figure, data = DRAWN[drawing](*(pd.read_csv(study) for study in studies))
    save(figure, data, pdf, svg, png, csv)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.wildcards.drawing,
            [Path(study) for study in snakemake.input],
            Path(snakemake.output.pdf),
            Path(snakemake.output.svg),
            Path(snakemake.output.png),
            Path(snakemake.output.csv),
        )
