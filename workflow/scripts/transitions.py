"""Answers of one team to what became of each of its debates, at every endpoint."""

from pathlib import Path

from headcount.jobs import job
from headcount.ledger.transitions import transitions as transitions_of
from headcount.schema import ANSWERS, TRANSITIONS
from headcount.store import read, write


def main(answers: Path, transitions: Path) -> None:
    """The file of answers has the team's name."""
    write(transitions, transitions_of(read(answers, ANSWERS), answers.stem, "every"), TRANSITIONS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(Path(snakemake.input.answers), Path(snakemake.output.transitions))
