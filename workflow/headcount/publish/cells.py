"""Which row of the fits stands for a cell where a table or figure has room for one."""

from collections.abc import Sequence

import pandas as pd

from headcount.publish.words import CONDITIONS

CELL = ["team", "task", "condition"]
HEARD = {"self_consistency": "none", "debate": "full", "self_correction": "none", "noise": "full"}


# Whose numbers stand for teams of n, the preferred last: those who were asked, or the steadier means over subsets.
AS_ASKED, STEADIEST = ("adjusted", "all", "first"), ("first", "adjusted", "all")
# Over all teams of n, pair agreement is one number at every n: a law that has it at one size has it at all.
FORETOLD = ("all", "first", "adjusted")


def recommended(fits: pd.DataFrame) -> pd.DataFrame:
    """The fit of each cell that we recommend: pooled agreement, beta unbounded, the steadiest numbers there are."""
    return headline(fits, "ringelmann_free", "pooled_agreement", STEADIEST)


def headline(fits: pd.DataFrame, law: str, level: str = "answer", subsets: Sequence[str] = AS_ASKED) -> pd.DataFrame:
    """One fit a cell: all peers heard, at the last of the rounds that were run at the most sizes.

    The k-sweep runs some cells for more rounds at a few sizes only; their last round is not the cell's.
    Self-consistency has no revision: its round is the first. Teams are the first n agents, as the paper's are, unless
    the run has teams of all sizes only as means over subsets of one large team.

    Returns:
        rows of `fits`, by team, task and condition in the paper's order.
    """
    keep = (fits["law"] == law) & (fits["level"] == level) & (fits["peers"] == fits["condition"].map(HEARD))
    rows = fits[keep & ((fits["condition"] != "self_consistency") | (fits["round"] == 1))]
    order = {
        "_sizes": rows["sizes"].map(len),
        "_whose": rows["subsets"].map(subsets.index),
        "_place": rows["condition"].map(list(CONDITIONS).index),
    }
    rows = rows.assign(**order).sort_values(["_sizes", "_whose", "round"]).drop_duplicates(CELL, keep="last")
    return rows.sort_values(["team", "task", "_place"], ignore_index=True).drop(columns=list(order))


SERIES = [*CELL, "subsets", "peers", "round"]


def wide(estimates: pd.DataFrame, quantities: Sequence[str]) -> pd.DataFrame:
    """Estimates of a cell's headline series: one row a size, a quantity's value and interval in three columns.

    Args:
        estimates: rows of ESTIMATES.
        quantities: those wanted; one that a run lacks is an empty column.

    Returns:
        team, task, condition, subsets, peers, round, n, simulated, n_items, then q, q_low, q_high of each
        quantity q; by team, task and condition in the paper's order, and n.
    """
    rows = _headline_rows(estimates[estimates["quantity"].isin(quantities) & (estimates["n"] > 0)])
    table = spread(rows, quantities)
    table = table.assign(_place=table["condition"].map(list(CONDITIONS).index).astype(int))
    return table.sort_values(["team", "task", "_place", "n"], ignore_index=True).drop(columns="_place")


def spread(rows: pd.DataFrame, quantities: Sequence[str]) -> pd.DataFrame:
    """Rows of ESTIMATES with each quantity's value and interval side by side, whatever the series."""
    keys = [*SERIES, "n", "simulated"]
    table = rows.pivot(index=keys, columns="quantity", values=["value", "low", "high"])
    names = {"value": "{}", "low": "{}_low", "high": "{}_high"}
    table.columns = [names[column[0]].format(column[1]) for column in table.columns]
    wanted = [name.format(quantity) for quantity in quantities for name in names.values()]
    table = table.reindex(columns=wanted).astype(float)
    return table.assign(n_items=rows.groupby(keys, observed=True)["n_items"].max()).reset_index()


def largest(rows: pd.DataFrame) -> pd.DataFrame:
    """The row of each cell at its largest size."""
    return rows.loc[rows.groupby(CELL, sort=False)["n"].idxmax()].reset_index(drop=True)


def _headline_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Those of each cell's series with all peers heard that has the most sizes; of these the last round."""
    rows = rows[rows["peers"] == rows["condition"].map(HEARD)]
    rows = rows[(rows["condition"] != "self_consistency") | (rows["round"] == 1)]
    sizes = rows.groupby(SERIES, observed=True)["n"].nunique().rename("_sizes").reset_index()
    chosen = sizes.sort_values(["_sizes", "subsets", "round"]).groupby(CELL).tail(1)
    return rows.merge(chosen.drop(columns="_sizes"), on=SERIES)
