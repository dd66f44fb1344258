"""The curves of a run that laws are set against each other on: each series after its last round, at two levels."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from operator import attrgetter, itemgetter

from headcount.laws.nulls import Side, sides
from headcount.laws.profiles import LEVELS, Profile, Row, key_of, last_series, profile
from headcount.laws.series import TeamRows, split_tasks


@dataclass(frozen=True)
class LastCurve:
    """A series at a level.

    Attributes:
        side: the series, and the rows that hold its measures.
        of_task: all series of its team and task.
        simulated: whether no model gave the team's answers.
    """

    team: str
    task: str
    side: Side
    of_task: Sequence[Side]
    profile: Profile
    simulated: bool

    @property
    def items(self) -> int:
        """All items of the task."""
        return len(self.side.rows.items)

    @property
    def key(self) -> Row:
        """The columns that name it."""
        named = key_of(self.team, self.task, self.side.rows, self.side.series)
        return named | {"level": self.profile.level.name, "simulated": self.simulated}


def last_curves(teams: Mapping[str, TeamRows], simulated: Collection[str] = ()) -> list[LastCurve]:
    """Those of all teams, task by task.

    Args:
        teams: measures and subsets by team.
        simulated: teams whose answers no model gave.
    """
    return [
        LastCurve(team, task, side, of_task, profile(side.rows, side.series, level), team in simulated)
        for team, tables in teams.items()
        for task, of_task, last in _of_team(tables)
        for side, level in product(last, LEVELS)
    ]


def by_task(curves: Iterable[LastCurve]) -> Iterator[list[LastCurve]]:
    """The curves of each team and task, which share its item weights."""
    return (list(group) for _, group in groupby(curves, key=attrgetter("team", "task")))


def _of_team(tables: TeamRows) -> Iterator[tuple[str, list[Side], list[Side]]]:
    """Each task, all its series, and those after their last rounds."""
    for task, group in groupby(split_tasks(tables), key=itemgetter(0)):
        each = [rows for _, rows in group]
        yield task, sides(each), [Side(rows, series) for rows in each for series in last_series(rows)]
