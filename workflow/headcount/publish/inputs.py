"""The files that tables and figures are made from, each read when it is first asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from headcount.errors import UserError
from headcount.publish.words import PUBLISHED
from headcount.schema import Table
from headcount.store import plain, read


@dataclass(frozen=True)
class Inputs:
    """A run's folder, and that of published numbers."""

    results: Path
    published: Path = Path(PUBLISHED)
    _known: dict[str, pd.DataFrame] = field(default_factory=dict)

    def read(self, table: Table) -> pd.DataFrame:
        """The run's rows of a table that is one file: fits, estimates, ..."""
        return self._once(table.name, lambda: plain(read(self.results / f"{table.name}.parquet", table)))

    def printed(self, name: str) -> pd.DataFrame:
        """A published table, every cell as printed."""
        return self._once(f"printed {name}", lambda: _printed(self.published, name))

    def _once(self, name: str, make: Callable[[], pd.DataFrame]) -> pd.DataFrame:
        if name not in self._known:
            self._known[name] = make()
        return self._known[name]


def _printed(folder: Path, name: str) -> pd.DataFrame:
    """A published table, every cell as printed, "" where nothing was printed."""
    path = folder / f"{name}.csv"
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise UserError(f"{path}: no such published table. Is {folder} resources/published?") from None
