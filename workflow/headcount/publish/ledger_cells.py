"""The cells of the ledger that pages show: all peers heard, one endpoint for all sizes, two agents or more."""

from collections.abc import Iterable, Sequence

import pandas as pd

from headcount.ledger.codings import PRIMARY
from headcount.publish.cells import CELL, HEARD
from headcount.publish.columns import Column
from headcount.publish.words import CONDITIONS

PANEL = 3  # the paper's team size
_KEYS = [*CELL, "round", "n", "simulated"]


def two_sizes(run: Iterable[int]) -> list[int]:
    """Of the sizes that were run the paper's, or the next larger one, and the largest; one if they are the same."""
    sizes = sorted(run)
    return sorted({min((n for n in sizes if n >= PANEL), default=sizes[-1]), sizes[-1]}) if sizes else []


def cells(rates: pd.DataFrame) -> pd.DataFrame:
    """Rows of a cell's headline endpoint: the last of the rounds that were run at the most sizes.

    A team of one has nobody to hear; it is left out.

    Args:
        rates: rows of LEDGER_RATES.
    """
    heard = rates["n"].where(rates["condition"].map(HEARD) == "full", 1) - 1
    rows = rates[(rates["k"] == heard) & (rates["n"] > 1)]
    sizes = rows.groupby([*CELL, "round"])["n"].nunique().rename("_sizes").reset_index()
    chosen = sizes.sort_values(["_sizes", "round"]).groupby(CELL).tail(1)
    return rows.merge(chosen.drop(columns="_sizes"), on=[*CELL, "round"])


def wide(rates: pd.DataFrame, quantities: Sequence[str], coding: str = PRIMARY) -> pd.DataFrame:
    """One row a cell and size, by team, task and condition in the paper's order.

    Args:
        rates: rows of LEDGER_RATES.
        quantities: those wanted; one that a run lacks is an empty column.
        coding: the one they are taken from.

    Returns:
        team, task, condition, round, n, simulated, n_items, then q, q_events, q_base, q_low, q_high of each quantity q:
        Wilson's interval where q is a share, else the one from resampled items.
    """
    return _wide(cells(rates), quantities, coding)


def _wide(rows: pd.DataFrame, quantities: Sequence[str], coding: str) -> pd.DataFrame:
    """`wide` of the rows of cells."""
    items = rows.groupby(_KEYS, observed=True)["n_items"].max()
    rows = rows[(rows["coding"] == coding) & rows["quantity"].isin(quantities)]
    for end in ("low", "high"):
        rows = rows.assign(**{end: rows[f"wilson_{end}"].fillna(rows[end])})
    table = rows.pivot(index=_KEYS, columns="quantity", values=list(_NAMES))
    table.columns = [_NAMES[column[0]].format(column[1]) for column in table.columns]
    wanted = [name.format(quantity) for quantity in quantities for name in _NAMES.values()]
    table = table.reindex(columns=wanted).astype(float).assign(n_items=items).reset_index()
    table = table.assign(_place=table["condition"].map(list(CONDITIONS).index).astype(int))
    return table.sort_values(["team", "task", "_place", "n"], ignore_index=True).drop(columns="_place")


_NAMES = {"value": "{}", "events": "{}_events", "base": "{}_base", "low": "{}_low", "high": "{}_high"}


def point(field: str, heading: str, meaning: str) -> Column:
    """A share without an interval, which people read as per cent."""
    return Column(field, heading, meaning, 4, 1, percent=True)


def side_by_side(
    rates: pd.DataFrame, common: Sequence[str], quantities: Sequence[str], codings: Sequence[str]
) -> pd.DataFrame:
    """`wide` for several codings: some quantities of the primary one, and `{quantity}_{coding}` of the others."""
    known = cells(rates)
    rows = _wide(known, common, PRIMARY)
    for coding in codings:
        own = _wide(known, quantities, coding).drop(columns=["n_items"])
        named = {name.format(q): name.format(f"{q}_{coding}") for q in quantities for name in _NAMES.values()}
        rows = rows.merge(own.rename(columns=named), on=_KEYS, how="left")
    return rows
