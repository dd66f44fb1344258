"""How far labels hang on how debates are coded: the primary coding against each other one."""

from collections.abc import Collection, Mapping

import pandas as pd
import pyarrow as pa

from headcount.schema import LEDGER_STABILITY
from headcount.schema.ledger import CODINGS
from headcount.store import conform, plain

_CELL = ["team", "task", "condition", "n", "k", "round"]


def stability_run(transitions: Mapping[str, pa.Table], simulated: Collection[str] = ()) -> pa.Table:
    """How many debates of each cell have which label by the primary coding and by each other one.

    Args:
        transitions: rows of `schema.TRANSITIONS` by team.
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.LEDGER_STABILITY`; none for a pair of labels that no debate has.
    """
    frames = [_crossed(plain(table), coding) for table in transitions.values() for coding in CODINGS]
    rows = pd.concat([pd.DataFrame(columns=LEDGER_STABILITY.schema.names).astype(object), *frames])
    return conform(rows.assign(simulated=rows["team"].isin(simulated)), LEDGER_STABILITY, LEDGER_STABILITY.name)


def _crossed(rows: pd.DataFrame, coding: str) -> pd.DataFrame:
    crossed = rows.groupby([*_CELL, "transition", coding]).size()  # what is not known is left out
    return crossed.rename("debates").reset_index().rename(columns={coding: "recoded"}).assign(coding=coding)
