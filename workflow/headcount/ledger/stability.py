"""How far labels hang on how debates are coded: the primary coding against each other one."""

from collections.abc import Collection, Iterator, Mapping

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.ledger.labels import LABELS
from headcount.ledger.parts import places
from headcount.measures.groups import factorise, group
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
    frames = [frame for table in transitions.values() for frame in _crossed(table)]
    rows = pd.concat([pd.DataFrame(columns=LEDGER_STABILITY.schema.names).astype(object), *frames])
    return conform(rows.assign(simulated=rows["team"].isin(simulated)), LEDGER_STABILITY, LEDGER_STABILITY.name)


def _crossed(rows: pa.Table) -> Iterator[pd.DataFrame]:
    """The pairs of labels of a team's cells, for each coding; what is not known is left out."""
    codes = [factorise(rows[name]).codes for name in _CELL[:3]]
    cells = group([*codes, *(rows[name].to_numpy().astype(np.int64) for name in _CELL[3:])])
    keys = plain(rows.select(_CELL).take(pa.array(cells.first)))
    primary, size = places(rows["transition"], LABELS), len(LABELS)
    for coding in CODINGS:
        recoded = places(rows[coding], LABELS)
        known = recoded >= 0
        pair = (cells.of_row * size + primary) * size + recoded
        count = np.bincount(pair[known], minlength=len(keys) * size**2)
        there = np.flatnonzero(count)
        cell, first, other = np.unravel_index(there, (len(keys), size, size))
        labels = {"transition": np.array(LABELS)[first], "recoded": np.array(LABELS)[other]}
        yield keys.iloc[cell].assign(**labels, coding=coding, debates=count[there])
