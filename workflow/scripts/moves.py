"""Answers of one team to what its revisions changed."""

from pathlib import Path

from headcount.jobs import job
from headcount.measures.moves import moves as moves_of
from headcount.schema import ANSWERS, MOVES
from headcount.store import read, write


def main(answers: Path, moves: Path) -> None:
    write(moves, moves_of(read(answers, ANSWERS)), MOVES)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(Path(snakemake.input.answers), Path(snakemake.output.moves))
