"""The files of a run's pilot as its manifest has them: what each is made from, and the code behind it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from headcount.schema import BUDGETS, PILOT_SIZES, PILOTS, Table

ERRORS = "resources/calibration/pilot_error.csv"  # what past predictions were off by


class PilotFile(NamedTuple):
    """A file, what it is made from, the code that makes it, and the stage it is of, if it is Parquet."""

    path: str
    made_from: tuple[str, ...]
    code: tuple[str, ...]
    table: Table | None


def pilot_files(teams: Sequence[str]) -> Iterator[PilotFile]:
    """Each file after what it is made from."""
    measures, subsets, answers = (
        tuple(f"{stage}/{team}.parquet" for team in teams) for stage in ("measures", "subsets", "answers")
    )
    yield PilotFile(ERRORS, (), (), None)
    for table in (PILOTS, PILOT_SIZES):
        yield PilotFile(f"{table.name}.parquet", (*measures, *subsets, ERRORS), ("headcount.laws.pilots",), table)
    yield PilotFile(f"{BUDGETS.name}.parquet", (*measures, *answers), ("headcount.laws.budgets",), BUDGETS)
    shown = tuple(f"{table.name}.parquet" for table in (PILOTS, PILOT_SIZES, BUDGETS))
    yield PilotFile("pilot.html", shown, ("headcount.publish.pilot_page", "publish/templates"), None)
