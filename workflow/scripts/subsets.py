"""Answers of one team to the means over all teams of each size that its agents could have formed."""

from collections.abc import Mapping
from pathlib import Path

from headcount.jobs import job
from headcount.measures.subsets import subset_measures
from headcount.schema import ANSWERS, SUBSETS
from headcount.store import read, write


def main(answers: Path, sizes: Mapping[tuple[str, str], list[int]], subsets: Path) -> None:
    """Sizes are those wanted of each (task, condition)."""
    write(subsets, subset_measures(read(answers, ANSWERS), sizes), SUBSETS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        sizes = {(task, condition): sizes for task, condition, sizes in snakemake.params.sizes}
        main(Path(snakemake.input.answers), sizes, Path(snakemake.output.subsets))
