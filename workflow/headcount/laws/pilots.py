"""A plan from the smallest teams of a run: what larger ones would amount to, get right and cost, with intervals."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product

import pyarrow as pa

from headcount.laws.frames import Part, join
from headcount.laws.joined import TeamNumbers, joined_tasks
from headcount.laws.pilot_costs import Tokens
from headcount.laws.pilot_fit import pilot_of, planning_sizes
from headcount.laws.pilot_plan import Plan, Planning
from headcount.laws.pilot_tokens import series_tokens
from headcount.laws.profiles import LEVELS, Row, as_table, key_of, last_series, profile
from headcount.laws.series import Series, TaskRows
from headcount.laws.settings import item_weights
from headcount.measures.intervals import INTERVALS
from headcount.measures.subsets import SOLITARY
from headcount.schema import PILOT_SIZES, PILOTS


def pilots_of_run(
    teams: Mapping[str, TeamNumbers], how: Planning, simulated: Collection[str] = ()
) -> tuple[pa.Table, pa.Table]:
    """Plans of a run.

    Args:
        teams: measures and subsets by team.
        how: what to plan with. Intervals are the jackknife's, whatever the run's other intervals are.
        simulated: teams whose answers no model gave.

    Returns:
        rows of PILOTS, one for each series after its last round and level with a pilot of two sizes or more, and of
        PILOT_SIZES, one for each of them and size from 2 to 100.
    """
    how = replace(how, fitting=replace(how.fitting, interval=INTERVALS["jackknife_t"]))
    plans: list[Row] = []
    sizes: list[Part] = []
    for team, task, rows, tokens in _tasks(teams):
        weights = item_weights(len(rows.items), how.fitting, team, task)
        for series, level in product(last_series(rows), LEVELS):
            pilot = pilot_of(rows, series, profile(rows, series, level)) if _is_whole(rows, series) else None
            if pilot:
                key = key_of(team, task, rows, series) | {"level": level.name, "simulated": team in simulated}
                group = _group(series, team in how.mixed)
                plan = Plan.of(pilot, weights, tokens.get(series.condition), how, group, team)
                plans.append(key | plan.row(how))
                sizes.append({**key, **plan.sizes()})
    return as_table(plans, PILOTS), join(sizes, PILOT_SIZES)


def _tasks(teams: Mapping[str, TeamNumbers]) -> Iterator[tuple[str, str, TaskRows, dict[str, Tokens | None]]]:
    """Rows of each team and task, and the tokens of its conditions: of teams that were run, for their subsets too."""
    for team, numbers in teams.items():
        tokens: dict[str, Tokens | None] = {}
        for task, rows in joined_tasks(numbers):
            if rows.subsets == "first":
                tokens = {
                    series.condition: series_tokens(rows, series, planning_sizes(series.sizes[series.sizes > 1]))
                    for series in last_series(rows)
                }
            yield team, task, rows, tokens


def _is_whole(rows: TaskRows, series: Series) -> bool:
    """Whether a series is a condition's own: means over all teams are of first answers where others are heard."""
    return rows.subsets != "all" or series.condition in SOLITARY


def _group(series: Series, mixed: bool) -> str:
    """Whose past errors a series may expect."""
    if mixed:
        return "mixed"
    return "talk" if series.peers == "full" else "alone"
