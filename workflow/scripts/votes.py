"""Answers of one team to what it would have said by every rule."""

from collections.abc import Mapping
from pathlib import Path

from headcount.jobs import job
from headcount.measures.aggregators import votes as votes_of
from headcount.schema import ANSWERS, VOTES
from headcount.store import read, write


def main(answers: Path, votes: Path, families: Mapping[str, str]) -> None:
    """`families`: the family of each model of the team."""
    write(votes, votes_of(read(answers, ANSWERS), families), VOTES)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            Path(snakemake.input.answers),
            Path(snakemake.output.votes),
            snakemake.params.families,
        )
