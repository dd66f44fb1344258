"""What a number of a cell averages, on screen: items by team size, the number again, and what the run holds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console

from headcount.laws.estimate import LAWS
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.measures.arrays import FloatArray, IntArray
from headcount.publish.inputs import Inputs
from headcount.publish.trace_items import ItemValues, averaged
from headcount.publish.trace_screen import Row, grid_of_sizes, heading, line, more
from headcount.schema import CURVES, ESTIMATES, Table

CLOSE = 1e-9  # a sum in another order differs in its last bits
ABREAST = 6  # team sizes that fit into 80 columns
SEARCHED = 1e-5  # and least squares ends anywhere near the minimum


def print_values(inputs: Inputs, row: Row, values: ItemValues, limit: int, console: Console) -> None:
    """Print what each item gives to a row's number, and show that the number follows from it.

    Args:
        row: of a file with a level or a quantity.
        limit: how many items to show, the first ones.
    """
    files = ",\n".join(map(str, values.files))
    heading(console, files, f"{values.rows} rows: {len(values.items)} items, {_hearing(row)}, round {row['round']}")
    name = averaged(row) if "quantity" in row else f"N_eff at {row['level']} level"
    line(console, f"What each item gives to {name}, by team size N: {' / '.join(values.columns)}")
    held, where = _held(inputs, row, values)
    for first in range(0, len(values.sizes), ABREAST):
        _print_grid(values, held, where, slice(first, first + ABREAST), limit, console)
    more(console, len(values.items) - limit, "items")
    _compare(values.again, held, CLOSE, console)
    if fit := _fit(inputs, row):
        _print_refit(*fit, np.array(values.sizes), values.again, console)


def _print_grid(values: ItemValues, held: FloatArray, where: str, chosen: slice, limit: int, console: Console) -> None:
    """Items by some of the team sizes, and the number of each size below."""
    grid = grid_of_sizes("item", values.sizes[chosen])
    for item in values.items[:limit]:
        grid.add_row(item, *values.texts(item)[chosen])
    if len(values.items) > limit:
        grid.add_row("...", *["..." for _ in values.sizes[chosen]])
    grid.add_section()
    if len(values.columns) > 1:
        grid.add_row("mean over items", *values.means[chosen])
    grid.add_row("recomputed", *map(_six, values.again[chosen]), style="bold")
    grid.add_row(f"in {where}", *map(_six, held[chosen]), style="bold")
    console.print(grid)


def _held(inputs: Inputs, row: Row, values: ItemValues) -> tuple[FloatArray, str]:
    """The same numbers where the run keeps them, and that file's name."""
    table, name = (ESTIMATES, "value") if "quantity" in row else (CURVES, "n_eff")
    key = {name: row.get(name, "first") for name in table.keys if name != "n"}
    key |= {"quantity": averaged(row)} if "quantity" in row else {}
    kept = _having(inputs, table, key)
    return kept.set_index("n")[name].reindex(values.sizes).to_numpy(float), f"{table.name}.parquet"


def _fit(inputs: Inputs, row: Row) -> tuple[str, FloatArray] | None:
    """The law that a row is a fit of, with its c and beta as the run keeps them."""
    if row.get("law") in LAWS and "c" in row:
        return row["law"], np.array([row["c"], row["beta"]], dtype=float)
    if "quantity" in row and averaged(row) != row["quantity"]:
        rule = averaged(row).removeprefix("n_eff_")
        keys = {name: row[name] for name in ESTIMATES.keys if name != "quantity"}
        kept = [_having(inputs, ESTIMATES, keys | {"quantity": f"{name}_{rule}"}) for name in ("c", "beta")]
        return "ringelmann", np.array([one["value"].iloc[0] for one in kept], dtype=float)
    return None


def _having(inputs: Inputs, table: Table, key: Mapping[str, Any]) -> pd.DataFrame:
    rows = inputs.read(table)
    return rows[np.all([rows[name] == value for name, value in key.items()], axis=0)]


def _print_refit(law: str, held: FloatArray, sizes: IntArray, n_eff: FloatArray, console: Console) -> None:
    """Fit a law again, to the recomputed curve."""
    fits = fit_curves(sizes, (n_eff / sizes)[None], Bounds(beta=LAWS[law]))
    again = np.array([fits.c[0], fits.beta[0]])
    line(console, f"{law} fitted to the recomputed sizes of two and more: c={again[0]:.6g}, beta={again[1]:.6g}")
    _compare(again, held, SEARCHED, console)


def _compare(again: FloatArray, held: FloatArray, within: float, console: Console) -> None:
    if np.allclose(again, held, rtol=within, atol=within, equal_nan=True):
        line(console, "Equal: the number follows from these rows.", "green")
    else:
        line(console, "NOT EQUAL: these files are not of one run of one version. Run the workflow again.", "bold red")


def _hearing(row: Row) -> str:
    return {"none": "nobody heard", "full": "all others heard"}.get(row["peers"], f"{row['peers']} others heard")


def _six(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.6g}"
