"""The rows of EXCESS that stand for a cell: everybody heard, after the last of the rounds run at the most sizes."""

from collections.abc import Sequence

import pandas as pd

from headcount.publish.cells import CELL, HEARD, STEADIEST
from headcount.publish.words import CONDITIONS

ENDS = {"value": "{}", "low": "{}_low", "high": "{}_high"}


def of_cells(excess: pd.DataFrame, subsets: Sequence[str] = STEADIEST) -> pd.DataFrame:
    """Rows of EXCESS after each cell's last round, by team, task and condition in the paper's order, null and N.

    Args:
        excess: rows of EXCESS.
        subsets: whose numbers, the preferred last; each number has one row.
    """
    rows = excess[(excess["peers"] == excess["condition"].map(HEARD)) & (excess["round"] > 1)]
    sizes = rows[rows["n"] > 0].groupby([*CELL, "round"], observed=True)["n"].nunique().rename("_sizes").reset_index()
    last = sizes.sort_values(["_sizes", "round"]).groupby(CELL).tail(1).drop(columns="_sizes")
    rows = rows.merge(last, on=[*CELL, "round"])
    rows = rows.assign(
        _whose=rows["subsets"].map(list(subsets).index).astype(int),
        _place=rows["condition"].map(list(CONDITIONS).index).astype(int),
    )
    number = ["team", "task", "_place", "null", "n", "quantity"]
    rows = rows.sort_values([*number, "_whose"]).drop_duplicates(number, keep="last", ignore_index=True)
    return rows.drop(columns=["_place", "_whose"])


def largest(rows: pd.DataFrame) -> pd.DataFrame:
    """Those of each cell's largest team."""
    return rows[rows["n"] == rows.groupby(CELL)["n"].transform("max")]


def named(rows: pd.DataFrame, null: str, quantity: str, name: str) -> pd.DataFrame:
    """A quantity against a null, one row a cell: CELL, and value and ends under a name."""
    here = rows[(rows["null"] == null) & (rows["quantity"] == quantity)]
    return here[[*CELL, *ENDS]].rename(columns={end: pattern.format(name) for end, pattern in ENDS.items()})
