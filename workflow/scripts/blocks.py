"""Answers of one mixed team to its pairs by family."""

from collections.abc import Mapping
from pathlib import Path

from headcount.jobs import job
from headcount.measures.blocks import block_pairs
from headcount.schema import ANSWERS, BLOCKS, numbered
from headcount.store import read, write


def main(answers: Path, families: Mapping[str, str], blocks: Path) -> None:
    """Families are those of the team's models."""
    write(
        blocks,
        block_pairs(read(answers, numbered(ANSWERS, "item", "answer"), ("model", "answer", "correct")), families),
        BLOCKS,
    )


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(Path(snakemake.input.answers), dict(snakemake.params.families), Path(snakemake.output.blocks))
