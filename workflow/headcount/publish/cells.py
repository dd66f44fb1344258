"""Which row of the fits stands for a cell where a table or figure has room for one."""

import pandas as pd

from headcount.publish.words import CONDITIONS

CELL = ["team", "task", "condition"]
HEARD = {"self_consistency": "none", "debate": "full", "self_correction": "none", "noise": "full"}


def headline(fits: pd.DataFrame, law: str, level: str = "answer") -> pd.DataFrame:
    """One fit a cell: all peers heard, at the last of the rounds that were run at the most sizes.

    The k-sweep runs some cells for more rounds at a few sizes only; their last round is not the cell's.
    Self-consistency has no revision: its round is the first.

    Returns:
        rows of `fits`, by team, task and condition in the paper's order.
    """
    rows = fits[(fits["law"] == law) & (fits["level"] == level)]
    rows = rows[rows["peers"] == rows["condition"].map(HEARD)]
    rows = rows[(rows["condition"] != "self_consistency") | (rows["round"] == 1)]
    rows = rows.assign(_sizes=rows["sizes"].map(len), _place=rows["condition"].map(list(CONDITIONS).index))
    rows = rows.sort_values(["_sizes", "round"]).groupby(CELL).tail(1)
    rows = rows.sort_values(["team", "task", "_place"])
    return rows.drop(columns=["_sizes", "_place"]).reset_index(drop=True)
