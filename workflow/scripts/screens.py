"""Probes of all models to the rates of their screens, and how far they come back."""

from pathlib import Path
from typing import Any

import pandas as pd

from headcount.config import parse
from headcount.jobs import job
from headcount.ledger.flips import as_asked
from headcount.ledger.screen_rates import screen_rates
from headcount.ledger.screen_reliability import screen_reliability
from headcount.schema import PROBES, RELIABILITY, SCREENS
from headcount.store import plain, read, write


def main(config: dict[str, Any], probes: list[Path], screens: Path, reliability: Path) -> None:
    """Files of probes may be none; then the others have no rows."""
    settings = parse(config, "config")
    nothing = pd.DataFrame(columns=PROBES.schema.names)
    rows = as_asked(pd.concat([nothing, *(plain(read(path, PROBES)) for path in probes)], ignore_index=True))
    simulated = [name for name, model in settings.models.items() if model.engine == "simulated"]
    write(screens, screen_rates(rows, settings.fitting, simulated), SCREENS)
    write(reliability, screen_reliability(rows, settings.fitting, simulated), RELIABILITY)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.probes],
            Path(snakemake.output.screens),
            Path(snakemake.output.reliability),
        )
