"""The files that tables and figures are made from, each read when it is first asked for."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from headcount.errors import UserError
from headcount.schema import CURVES, FITS, Table
from headcount.store import plain, read


@dataclass(frozen=True)
class Inputs:
    """Paths of a run's files and of the folder of published numbers."""

    published: Path
    fits_path: Path | None = None
    curves_path: Path | None = None

    @cached_property
    def fits(self) -> pd.DataFrame:
        return _frame(self.fits_path, FITS)

    @cached_property
    def curves(self) -> pd.DataFrame:
        return _frame(self.curves_path, CURVES)


def _frame(path: Path | None, table: Table) -> pd.DataFrame:
    if path is None:
        raise UserError(f"This needs the run's {table.name}. Give it their file.")
    return plain(read(path, table))
