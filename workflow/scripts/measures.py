"""Answers of one team to its measures."""

from pathlib import Path

from headcount.jobs import job
from headcount.measures.table import measure
from headcount.schema import ANSWERS, MEASURES
from headcount.store import read, write


def main(answers: Path, measures: Path) -> None:
    write(measures, measure(read(answers, ANSWERS)), MEASURES)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(Path(snakemake.input.answers), Path(snakemake.output.measures))
