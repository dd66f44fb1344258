"""Answers of one team to what a re-draw of it would show."""

from pathlib import Path

from headcount.jobs import job
from headcount.ledger.redraw import NEEDED
from headcount.ledger.redraw import redraws as redraws_of
from headcount.schema import ANSWERS, REDRAWS, numbered
from headcount.store import read, write


def main(answers: Path, redraws: Path, seed: int) -> None:
    """The file of answers has the team's name."""
    rows = read(answers, numbered(ANSWERS, "item", "answer"), NEEDED)
    write(redraws, redraws_of(rows, answers.stem, seed), REDRAWS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(Path(snakemake.input.answers), Path(snakemake.output.redraws), snakemake.params.seed)
