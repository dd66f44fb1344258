"""Every law fitted to a user's table of N and R, or of N and N_eff."""

import numpy as np
import pandas as pd

from headcount.errors import UserError
from headcount.laws.estimate import fit_all


def fit_loose(frame: pd.DataFrame) -> dict[str, object]:
    """Estimates of every law.

    Args:
        frame: columns N and R, or N and N_eff (in any case); one row a size.

    Raises:
        UserError: where a column is missing, a cell is no number, or a size stands twice.
    """
    columns = {str(name).lower(): name for name in frame.columns}
    if "n" not in columns or not {"r", "n_eff"} & columns.keys():
        raise UserError(
            f"The table needs columns N and R, or N and N_eff. It has: {', '.join(map(str, frame.columns))}."
        )
    if {"r", "n_eff"} <= columns.keys():
        raise UserError("The table has both R and N_eff, which may disagree. Leave one out.")
    if frame.empty:
        raise UserError("The table has no rows, so there is nothing to fit.")
    n = _numbers(frame, columns["n"])
    if (n != np.round(n)).any() or (n < 1).any():
        raise UserError("Column N: sizes are whole numbers of at least 1.")
    if len(np.unique(n)) != len(n):
        raise UserError("Column N: a size stands twice. Fit one curve at a time.")
    order = np.argsort(n)
    n_eff = _numbers(frame, columns["n_eff"]) if "n_eff" in columns else n * _numbers(frame, columns["r"])
    return fit_all(n[order].astype(np.int64), n_eff[order])


def _numbers(frame: pd.DataFrame, column: str) -> np.ndarray:
    values = pd.to_numeric(frame[column], errors="coerce")
    bad = values.isna() & frame[column].notna()
    if bad.any() or (column.lower() == "n" and values.isna().any()):
        row = int(np.argmax(bad | values.isna()))
        raise UserError(f"Column {column}, row {row + 1}: {frame[column].iloc[row]!r} is not a number.")
    return values.to_numpy(dtype=float)
