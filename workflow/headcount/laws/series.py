"""The rows of one team on one task, cut into series: what a curve over N is made of."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.errors import UserError
from headcount.laws.adjusted import adjusted_columns
from headcount.laws.picked import Picked
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.groups import factorise, group
from headcount.measures.subsets import SOLITARY, round_one_condition
from headcount.schema import MEASURES, SUBSETS, Table

ObjectArray = NDArray[np.object_]


@dataclass(frozen=True)
class TaskRows:
    """Measures of one team on one task, as arrays.

    Attributes:
        subsets: `first` if teams are the first n agents; `all` if each row is the mean over all teams of n;
            `adjusted` if teams are the first n agents, adjusted by how they differed from all in round 1.
        items: identifiers of all items of the task in sorted order, so that item weights depend neither on the
            order of rows nor on which of them these rows have.
        item: (rows,), place of each row's item in `items`.
        condition: (rows,), as text.
        columns: numeric columns of MEASURES, SUBSETS or BLOCKS, each (rows,); NaN for null. Of adjusted rows, those
            of `adjusted_columns`.
    """

    subsets: str
    items: list[str]
    item: IntArray
    condition: list[str]
    columns: dict[str, FloatArray]

    def integer(self, name: str) -> IntArray:
        """A column of whole numbers, (rows,)."""
        return self.columns[name].astype(np.int64)

    @cached_property
    def conditions(self) -> tuple[list[str], IntArray]:
        """The conditions that rows have, sorted, and the place of each row's among them, (rows,)."""
        names = sorted(set(self.condition))
        return names, codes(pa.array(self.condition, pa.string()), names)


@dataclass(frozen=True)
class Series:
    """A curve's worth of rows: one condition, kind of peers and round, at several sizes.

    Attributes:
        rows: (rows of the series,), places in its `TaskRows`.
        sizes: (sizes,), ascending.
        size: (rows of the series,), place of each row's n in `sizes`.
    """

    condition: str
    peers: str
    round: int
    rows: IntArray
    sizes: IntArray
    size: IntArray


@dataclass(frozen=True)
class TeamRows:
    """What is known of a team: rows of MEASURES, and of SUBSETS for what its agents say before they hear anybody."""

    measures: pa.Table
    subsets: pa.Table | None = None


def split_tasks(team: TeamRows) -> Iterator[tuple[str, TaskRows]]:
    """The tasks of a team, by name, over the same items: its measures, then its subsets, then what these adjust.

    Adjusted are the revisions of conditions in which agents hear others, at the sizes that have means over all teams
    in round 1.

    Raises:
        UserError: where subsets have a task or an item that measures lack.
    """
    tasks = by_task(team.measures)
    subsets = by_task(team.subsets) if team.subsets else {}
    _check_known(subsets.keys(), tasks, "task")
    for task, rows in tasks.items():
        items = item_names(rows)
        first = task_rows(rows, items, MEASURES, "first")
        yield task, first
        if task in subsets:
            _check_known(item_names(subsets[task]), set(items), f"{task}: item")
            every = task_rows(subsets[task], items, SUBSETS, "all")
            yield task, every
            yield from ((task, rows) for rows in _adjusted(first, every))


def by_task(table: pa.Table) -> dict[str, pa.Table]:
    """Rows of each task of a table, by name, in order."""
    tasks = factorise(table["task"])
    names = tasks.values.to_pylist()
    rows = {names[code]: np.flatnonzero(tasks.codes == code) for code in np.unique(tasks.codes).tolist()}
    return {task: _at(table, rows[task]) for task in sorted(rows)}


def _at(table: pa.Table, rows: IntArray) -> pa.Table:
    """Some rows of a table, one or more, in order; a view where they stand together, as in a stage's file."""
    first, last = int(rows[0]), int(rows[-1])
    return table.slice(first, rows.size) if last - first + 1 == rows.size else table.take(pa.array(rows))


def item_names(rows: pa.Table) -> ObjectArray:
    """The items of these rows, sorted."""
    return np.array(sorted(pc.unique(rows["item"]).to_pylist()), dtype=object)


def codes(column: pa.Array | pa.ChunkedArray, names: Sequence[str] | ObjectArray) -> IntArray:
    """Place of each value in a list of names, (rows,); one past its end for a stranger."""
    found = pc.index_in(column, value_set=pa.array(names, pa.string()))
    return np.asarray(pc.fill_null(found, len(names)).to_numpy(), dtype=np.int64)


def _check_known(names: Iterable[str], known: Container[str], what: str) -> None:
    stranger = next((name for name in names if name not in known), None)
    if stranger is not None:
        raise UserError(
            f"subsets: {what} {stranger} is not in the team's measures, so the two were made from different answers. "
            f"Delete both files and run again."
        )


def task_rows(rows: pa.Table, items: ObjectArray, table: Table, subsets: str) -> TaskRows:
    """Rows of `table` on one task as arrays, in their order, over these sorted items."""
    conditions = factorise(rows["condition"])
    condition = np.array(conditions.values.to_pylist(), dtype=object)[conditions.codes].tolist()
    columns = {field.name: _floats(rows[field.name]) for field in table.schema if _is_number(field)}
    return TaskRows(subsets, items.tolist(), codes(rows["item"], items), condition, columns)


def _adjusted(first: TaskRows, every: TaskRows) -> Iterator[TaskRows]:
    """The revisions in `first` after talk, adjusted by round 1; nothing where no size has means over all teams."""
    names, condition = first.conditions
    numbers = {name: first.integer(name) for name in ("replicate", "n", "k", "round")}
    team = group([condition, first.item, numbers["replicate"], numbers["n"], numbers["k"]]).of_row
    before = _place_of(team, numbers["round"] == 1)
    u = _round_one(first, every)
    talks = ~np.isin(np.array(names, dtype=object), SOLITARY)[condition]
    later = np.flatnonzero(talks & (numbers["round"] > 1))
    cell = group([condition[later], *(numbers[name][later] for name in ("n", "k", "round"))]).of_row
    has = np.isin(cell, cell[(u[later] >= 0) & (before[later] >= 0)])
    later, cell = later[has], cell[has]
    if later.size:
        columns = adjusted_columns(
            Picked(first.columns, later),
            Picked(first.columns, before[later]),
            Picked(every.columns, u[later]),
            first.item[later],
            cell,
        )
        yield TaskRows("adjusted", first.items, first.item[later], [first.condition[row] for row in later], columns)


def _round_one(first: TaskRows, every: TaskRows) -> IntArray:
    """The row of `every` that has all teams of n in round 1 on the same item and replicate, (rows,); -1 for none."""
    names, condition = every.conditions
    mine = condition == names.index(round_one_condition(names))
    chosen = np.flatnonzero(mine & (every.integer("round") == 1))
    keys = [np.concatenate([every.item[chosen], first.item])]
    keys += [np.concatenate([every.integer(name)[chosen], first.integer(name)]) for name in ("replicate", "n")]
    code = group(keys).of_row
    place = _place_of(code, np.arange(code.size) < chosen.size)[chosen.size :]
    return np.where(place >= 0, chosen[place] if chosen.size else -1, -1)


def _place_of(code: IntArray, one: BoolArray) -> IntArray:
    """For each row the place of the row of its code that is `one` of all, (rows,); -1 where there is none."""
    place = np.full(int(code.max(initial=-1)) + 1, -1)
    place[code[one]] = np.flatnonzero(one)
    return place[code]


def split_series(task: TaskRows) -> list[Series]:
    """The series of a task, in the order of condition, peers and round.

    Peers are "none" where nobody is heard, as in means over all teams; "full" where everybody hears everybody
    (k = N - 1), else the number k. If a condition has rows with a k below N - 1, the teams of k + 1 belong to that
    number too (N = 5, k = 4 is both full and 4), so a fixed-k curve starts where it can. N = 1 belongs to "none" and
    "full" only.
    """
    n, k, turn = task.integer("n"), task.integer("k"), task.integer("round")
    names, condition = task.conditions
    series = []
    for place, name in enumerate(names):
        here = np.flatnonzero(condition == place)
        solitary = name in SOLITARY or task.subsets == "all"
        for peers, chosen in _peers(solitary, n[here], k[here]):
            of_peers = here[chosen]
            for number in np.unique(turn[of_peers]).tolist():
                rows = of_peers[turn[of_peers] == number]
                series.append(Series(name, peers, number, rows, *_places_among(n[rows])))
    return series


def _places_among(values: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct values, ascending, and the place of each value among them; of small numbers, none negative."""
    known = np.bincount(values) > 0
    return np.flatnonzero(known), (np.cumsum(known) - 1)[values]


def n_items(task: TaskRows, series: Series) -> int:
    """How many items have a row in a series."""
    return distinct(task.item[series.rows])


def distinct(values: IntArray) -> int:
    """How many distinct values there are; of small numbers, none negative."""
    return int(np.count_nonzero(np.bincount(values)))


def item_means(task: TaskRows, series: Series, values: FloatArray) -> FloatArray:
    """Values of each item at each size, averaged over its replicates.

    Replicates of an item share its difficulty, so the item is what may be resampled, and counts
    once.

    Args:
        values: (rows of the series, parts), NaN where a row has no value.

    Returns:
        (items, sizes, parts) for all items of the task; NaN where an item has no value.
    """
    shape = (len(task.items), series.sizes.size, values.shape[1])
    cell = task.item[series.rows] * series.sizes.size + series.size
    known = np.isfinite(values)
    means = np.full((shape[0] * shape[1], shape[2]), np.nan)
    if np.bincount(cell).max(initial=0) < 2:  # one replicate: nothing to average
        means[cell] = np.where(known, values, np.nan)
        return means.reshape(shape)
    for part in range(values.shape[1]):
        held = known[:, part]
        count = np.bincount(cell[held], minlength=means.shape[0])
        total = np.bincount(cell[held], values[held, part], minlength=means.shape[0])
        means[count > 0, part] = total[count > 0] / count[count > 0]
    return means.reshape(shape)


def _peers(solitary: bool, n: IntArray, k: IntArray) -> Iterator[tuple[str, BoolArray]]:
    if solitary:
        yield "none", np.ones(n.size, dtype=bool)
        return
    full = k == n - 1
    if full.any():
        yield "full", full
    for number in np.unique(k[k < n - 1]).tolist():
        yield str(number), (k == number) & (n > 1)


def _is_number(field: pa.Field) -> bool:
    kind = field.type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _floats(column: pa.ChunkedArray) -> FloatArray:
    return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
