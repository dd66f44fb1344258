"""The paper's printed numbers, as text: `0.00` and `0.000` are different claims."""

from pathlib import Path

import pandas as pd

from headcount.errors import UserError

CELL = ["team", "task", "condition"]


def read_published(folder: Path, name: str) -> pd.DataFrame:
    """A published table, every cell as printed, "" where nothing was printed."""
    path = folder / f"{name}.csv"
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise UserError(f"{path}: no such published table. Is {folder} resources/published?") from None


def published_fits(folder: Path) -> pd.DataFrame:
    """The paper's answer-level fits: Table 1, and from Table 11 the cells that Table 1 lacks.

    Returns:
        one row a cell: team, task, condition, then published_c, published_c_low, ... and published_in.
    """
    first = read_published(folder, "table01_regimes").assign(published_in="Table 1")
    master = read_published(folder, "table11_master_fits").assign(published_in="Table 11")
    rows = pd.concat([first, master]).rename(columns=_RENAMED)
    rows = rows.drop_duplicates(CELL, keep="first").fillna("")
    return rows[[*CELL, *(name for name in _RENAMED.values() if name != "team"), "published_in"]].reset_index(drop=True)


_RENAMED = {
    "model": "team",
    "c": "published_c",
    "c_ci_low": "published_c_low",
    "c_ci_high": "published_c_high",
    "beta": "published_beta",
    "beta_ci_low": "published_beta_low",
    "beta_ci_high": "published_beta_high",
    "regime": "published_regime",
    "r2": "published_r2",
}
