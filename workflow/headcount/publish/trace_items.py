"""What a number of a cell averages: its value of each item, and the number again from these."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.laws.derived import derived
from headcount.laws.joined import TeamNumbers, joined_tasks
from headcount.laws.levels import LEVELS, Level
from headcount.laws.quantities import CORRECT, COST, DIVERSITY, Quantity, of
from headcount.laws.quantities_of_moves import EXPOSED, MOVING, exposed
from headcount.laws.quantities_of_votes import rules_of, voting
from headcount.laws.series import Series, TaskRows, item_means, split_series
from headcount.measures.arrays import BoolArray, FloatArray
from headcount.schema import MEASURES, MOVES, SUBSETS, VOTES, Table
from headcount.store import read

Row = Mapping[Hashable, Any]
Columns = Mapping[str, FloatArray]


@dataclass(frozen=True)
class ItemValues:
    """What each item gives to a number.

    Attributes:
        files: where the values come from.
        columns: what they are; columns of these files, or computed from some by `laws/derived.py`.
        items: identifiers.
        sizes: (sizes,).
        values: (items, sizes, columns), replicates averaged; NaN where an item has none.
        rows: rows of the files behind them.
        again: (sizes,), the number recomputed from the values.
    """

    files: list[Path]
    columns: list[str]
    items: list[str]
    sizes: list[int]
    values: FloatArray
    rows: int
    again: FloatArray

    def texts(self, item: str) -> list[str]:
        """An item's values at each size, as text; several columns are told apart by a slash."""
        return ["/".join(map(_short, parts)) for parts in self.values[self.items.index(item)]]

    def first(self, item: str | None) -> "ItemValues":
        """The same with an item in front, if it has values."""
        order = sorted(range(len(self.items)), key=lambda place: self.items[place] != item)
        return replace(self, items=[self.items[place] for place in order], values=self.values[order])

    @property
    def means(self) -> list[str]:
        """Means over items at each size, as text."""
        return ["/".join(map(_short, parts)) for parts in np.nanmean(self.values, axis=0)]


def item_values(results: Path, row: Row) -> ItemValues | None:
    """The values of each item behind a row of CURVES, FITS, ESTIMATES or another file with a level or a quantity.

    At the row's size if it has one, else at all. None where a number is no function of means over items.
    """
    for task in _tasks(results, row):
        recipe = _recipe(row, task)
        series = next((one for one in split_series(task) if _is_of(one, row)), None)
        if recipe and series:
            return _values(results, row, task, series, recipe)
    return None


@dataclass(frozen=True)
class _Recipe:
    """What is averaged, and what is made of the means."""

    columns: list[str]
    parts: Callable[[Columns], FloatArray]
    value: Callable[[FloatArray, Any], FloatArray]


def _tasks(results: Path, row: Row) -> list[TaskRows]:
    """The rows of a cell, of the kind of teams that a number is of, with all that is joined to them."""
    tables = {table: _of_cell(results, table, row) for table in (MEASURES, SUBSETS, MOVES, VOTES)}
    if row.get("subsets") == "adjusted":
        tables[SUBSETS] = _round_one(results, row, tables[MEASURES])
    team = TeamNumbers(tables[MEASURES], tables[SUBSETS], tables[MOVES], tables[VOTES])
    return [
        replace(rows, columns=rows.columns | derived(rows.columns))
        for _, rows in joined_tasks(team)
        if rows.subsets == row.get("subsets", "first")
    ]


def _of_cell(results: Path, table: Table, row: Row, keys: Sequence[str] = ("task", "condition")) -> pa.Table | None:
    path = results / table.name / f"{row['team']}.parquet"
    if table is not MEASURES and not path.exists():
        return None
    rows = read(path, table)
    for name in keys:
        rows = rows.filter(pc.equal(rows[name].cast(pa.string()), row[name]))
    return rows if rows.num_rows or table is MEASURES else None


def _round_one(results: Path, row: Row, measures: pa.Table) -> pa.Table | None:
    """Means over all teams of n by which a cell is adjusted: they may stand under another condition of its task."""
    rows = _of_cell(results, SUBSETS, row, ("task",))
    return None if rows is None else rows.filter(pc.is_in(rows["item"], measures["item"].combine_chunks()))


def _is_of(series: Series, row: Row) -> bool:
    return (series.condition, series.peers, series.round) == (row["condition"], row["peers"], row["round"])


def _recipe(row: Row, task: TaskRows) -> _Recipe | None:
    if "quantity" in row:
        counts = [of(name, column) for name, column in EXPOSED.items()]
        entries = (*DIVERSITY, *CORRECT, *COST, *MOVING, *voting(rules_of(task.columns)), *counts)
        found = [_of_quantity(one) for one in entries if one.name == averaged(row)]
    else:
        found = [_of_level(level) for level in LEVELS if level.name == row.get("level")]
    return next((one for one in found if set(one.columns) <= task.columns.keys()), None)


def averaged(row: Row) -> str:
    """The quantity of each size that a row's quantity is, or is fitted to: n_eff of a rule for its c and beta."""
    parameter, _, rule = row["quantity"].partition("_")
    return f"n_eff_{rule}" if parameter in ("c", "beta") else str(row["quantity"])


def _of_quantity(quantity: Quantity) -> _Recipe:
    def parts(rows: Columns) -> FloatArray:
        return np.stack([rows[name] for name in quantity.columns], axis=1)

    return _Recipe(list(quantity.columns), parts, quantity.value)


def _of_level(level: Level) -> _Recipe:
    asked = _Asked()
    level.parts(asked)
    return _Recipe(asked.names, level.parts, level.n_eff)


class _Asked(dict[str, FloatArray]):
    """Columns that remember which of them were read."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __missing__(self, name: str) -> FloatArray:
        self.names.append(name)
        return np.zeros(1)


def _values(results: Path, row: Row, task: TaskRows, series: Series, recipe: _Recipe) -> ItemValues:
    here = {name: column[series.rows] for name, column in task.columns.items()}
    values = item_means(task, series, recipe.parts(here))
    chosen = np.flatnonzero(series.sizes == row["n"]) if row.get("n") else np.arange(series.sizes.size)
    values, sizes = values[:, chosen], series.sizes[chosen]
    known: BoolArray = np.asarray(np.isfinite(values).any(axis=(1, 2)))
    if row.get("quantity") in EXPOSED:  # all agents of the rows, not a mean over items
        again = exposed(here[recipe.columns[0]], series.size, series.sizes.size)[chosen]
    else:
        again = recipe.value(np.nanmean(values[known], axis=0)[None], sizes)[0]
    return ItemValues(
        [results / table.name / f"{row['team']}.parquet" for table in _tables(recipe, task)],
        recipe.columns,
        [item for item, has in zip(task.items, known, strict=True) if has],
        sizes.tolist(),
        values[known],
        int(np.isin(series.size, chosen).sum()),
        again,
    )


def _tables(recipe: _Recipe, task: TaskRows) -> list[Table]:
    """The files that a number's columns stand in; what is derived comes from the measures, adjusted also by subsets."""
    own = SUBSETS if task.subsets == "all" else MEASURES
    found = [
        VOTES if name.startswith("vote_") else MOVES if name in MOVES.schema.names and name not in own.keys else own
        for name in recipe.columns
    ]
    return sorted({*found, *([SUBSETS] if task.subsets == "adjusted" else [])}, key=lambda table: table.name)


def _short(value: float) -> str:
    if np.isnan(value):
        return "–"
    return f"{value:.0f}" if float(value).is_integer() and abs(value) != 1 else f"{value:.4g}"
