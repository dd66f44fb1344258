"""Replies that state programs to what these do."""

from pathlib import Path

from headcount.answers.verdicts import judge
from headcount.jobs import job
from headcount.schema import DRAWS, ITEMS, TURNS, VERDICTS
from headcount.store import read, write


def main(items: Path, draws: list[Path], turns: list[Path], known: list[Path], verdicts: Path, threads: int) -> None:
    """Args: known: the released verdicts, if a release is replayed."""
    replies = [*(read(path, DRAWS) for path in draws), *(read(path, TURNS) for path in turns)]
    released = read(known[0], VERDICTS) if known else None
    write(verdicts, judge(read(items, ITEMS), replies, released, threads), VERDICTS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            Path(snakemake.input.questions),
            [Path(path) for path in snakemake.input.draws],
            [Path(path) for path in snakemake.input.turns],
            [Path(path) for path in snakemake.input.released],
            Path(snakemake.output.verdicts),
            snakemake.threads,
        )
