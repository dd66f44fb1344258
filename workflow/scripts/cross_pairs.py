"""Answers of one team to its pairs within and across the teams of a size."""

from pathlib import Path

from headcount.jobs import job
from headcount.measures.cross_pairs import cross_pairs
from headcount.schema import ANSWERS, CROSS_PAIRS
from headcount.store import read, write


def main(answers: Path, pairs: Path) -> None:
    write(pairs, cross_pairs(read(answers, ANSWERS)), CROSS_PAIRS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(Path(snakemake.input.answers), Path(snakemake.output.pairs))
