"""Answers of one team to what they say of it: read once, and seated once."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa

from headcount.jobs import job
from headcount.ledger.transitions import transitions
from headcount.measures.aggregators import votes
from headcount.measures.cross_pairs import cross_pairs
from headcount.measures.moves import moves
from headcount.measures.seats import Seats, seat
from headcount.measures.subsets import Sizes, subset_measures
from headcount.measures.table import measure
from headcount.schema import ANSWERS, CROSS_PAIRS, MEASURES, MOVES, SUBSETS, TRANSITIONS, VOTES, Table, numbered
from headcount.store import read, write

# Of ANSWERS, beside its keys; a team's answers are the largest thing that a job holds.
_CERTAINTY, _TOKENS = ("confidence", "logprob"), ("prompt_tokens", "completion_tokens")
NEEDED = ("model", "answer", "status", "rule", "correct", *_CERTAINTY, *_TOKENS)


def main(answers: Path, sizes: Sizes, families: Mapping[str, str], results: Path) -> None:
    """The files bear the name of that of answers, which is the team's.

    Args:
        sizes: those wanted of each (task, condition), of teams that could have been formed.
        families: the family of each model of the team.
        results: holds a folder for each stage.
    """
    seats = seat(read(answers, numbered(ANSWERS, "item", "answer"), NEEDED))
    for table, rows in _stages(seats, answers.stem, sizes, families):
        write(results / table.name / answers.name, rows, table)


def _stages(seats: Seats, team: str, sizes: Sizes, families: Mapping[str, str]) -> Iterator[tuple[Table, pa.Table]]:
    """One at a time, as they are large."""
    yield SUBSETS, subset_measures(seats, sizes)
    yield VOTES, votes(seats, families)
    yield CROSS_PAIRS, cross_pairs(seats)
    yield MEASURES, measure(seats)
    yield MOVES, moves(seats)
    yield TRANSITIONS, transitions(seats, team, "every")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            Path(snakemake.input.answers),
            {(task, condition): sizes for task, condition, sizes in snakemake.params.sizes},
            snakemake.params.families,
            Path(snakemake.output.measures).parents[1],
        )
