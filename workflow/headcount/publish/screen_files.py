"""The files of a run that its screens are made into, and what they are made from."""

from collections.abc import Iterator

from headcount.config import Config
from headcount.debate.planner import Plan
from headcount.schema import (
    ASSOCIATIONS,
    FORECASTS,
    MODEL_ROWS,
    RELIABILITY,
    REORDERINGS,
    SCREENS,
    SELECTION,
    Table,
)

# The module whose imports are the code behind a stage, as in the stage's rule.
_ENTRIES = {
    SCREENS.name: "headcount.ledger.screen_rates",
    RELIABILITY.name: "headcount.ledger.screen_reliability",
    MODEL_ROWS.name: "headcount.ledger.model_rows",
    ASSOCIATIONS.name: "headcount.ledger.screen_associations",
    REORDERINGS.name: "headcount.ledger.screen_audits",
    SELECTION.name: "headcount.ledger.screen_audits",
    FORECASTS.name: "headcount.ledger.screen_audits",
}


def screen_files(config: Config, planned: Plan) -> Iterator[tuple[Table, tuple[str, ...], str]]:
    """Each table, the files it is made from, and the entry of its code; none where no model is probed."""
    screens = [screen for screen in planned.screens if screen.purpose == "probe"]
    if not screens:
        return
    probes = tuple(f"probes/{screen.model}/{screen.task}.parquet" for screen in screens)
    teams = sorted({cell.team for cell in planned.cells if not config.mixed(cell.team)})
    debates = tuple(f"transitions/{team}.parquet" for team in teams)
    for table in (SCREENS, RELIABILITY):
        yield table, probes, _ENTRIES[table.name]
    for table in (MODEL_ROWS, ASSOCIATIONS, REORDERINGS, SELECTION, FORECASTS):
        yield table, (f"{SCREENS.name}.parquet", *probes, *debates), _ENTRIES[table.name]
