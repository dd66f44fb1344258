"""Answers of all teams to what a re-draw of each would show."""

from collections.abc import Iterable
from pathlib import Path

from headcount.jobs import job
from headcount.ledger.redraw import NEEDED
from headcount.ledger.redraw import redraws as redraws_of
from headcount.schema import ANSWERS, REDRAWS, numbered
from headcount.store import read, write


def main(answers: Iterable[Path], folder: Path, seed: int) -> None:
    """Each file of answers has its team's name, which that of its re-draws bears too."""
    for path in answers:
        rows = read(path, numbered(ANSWERS, "item", "answer"), NEEDED)
        write(folder / path.name, redraws_of(rows, path.stem, seed), REDRAWS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(map(Path, snakemake.input.answers), Path(snakemake.output.redraws[0]).parent, snakemake.params.seed)
