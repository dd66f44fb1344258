"""Screens of models and debates of their teams to what the one says about the other."""

from pathlib import Path
from typing import Any

import pandas as pd

from headcount.config import parse
from headcount.jobs import job
from headcount.ledger.model_rows import model_rows
from headcount.ledger.screen_associations import screen_associations
from headcount.ledger.screen_audits import family_forecasts, reorderings, selection
from headcount.schema import (
    ASSOCIATIONS,
    FORECASTS,
    MODEL_ROWS,
    PROBES,
    REORDERINGS,
    SCREENS,
    SELECTION,
    TRANSITIONS,
)
from headcount.store import plain, read, write


def main(config: dict[str, Any], screens: Path, probes: list[Path], transitions: list[Path], results: Path) -> None:
    """Each file of transitions has the name of its team, which is of one model; `results` is where the tables go."""
    settings = parse(config, "config")
    debates = _stacked(
        [plain(read(path, TRANSITIONS)).assign(model=settings.teams[path.stem].members[0]) for path in transitions],
        [*TRANSITIONS.schema.names, "model"],
    )
    asked = ["model", "task", "item"]
    items = _stacked([plain(read(path, PROBES))[asked].drop_duplicates() for path in probes], asked)
    families = {name: model.family for name, model in settings.models.items()}
    rows = model_rows(plain(read(screens, SCREENS)), debates, items, families, settings.fitting.confidence)
    made = {
        MODEL_ROWS: rows,
        ASSOCIATIONS: screen_associations(rows, settings.fitting),
        REORDERINGS: reorderings(rows),
        SELECTION: selection(rows),
        FORECASTS: family_forecasts(rows, settings.fitting),
    }
    for table, frame in made.items():
        write(results / f"{table.name}.parquet", frame, table)


def _stacked(frames: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    return pd.concat([pd.DataFrame(columns=columns), *frames], ignore_index=True)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            Path(snakemake.input.screens),
            [Path(path) for path in snakemake.input.probes],
            [Path(path) for path in snakemake.input.transitions],
            Path(snakemake.output.rows).parent,
        )
