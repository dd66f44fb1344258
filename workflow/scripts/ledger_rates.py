"""Transitions and re-draws of all teams to the rates of the run's ledger, and how stable its labels are."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.ledger.rates import rate_run
from headcount.ledger.stability import stability_run
from headcount.schema import LEDGER_RATES, LEDGER_STABILITY, REDRAWS, TRANSITIONS
from headcount.store import read, write


def main(config: dict[str, Any], transitions: list[Path], redraws: list[Path], rates: Path, stability: Path) -> None:
    """Each file of transitions or re-draws has its team's name."""
    settings = parse(config, "config")
    changes = {path.stem: read(path, TRANSITIONS) for path in transitions}
    nulls = {path.stem: read(path, REDRAWS) for path in redraws}
    simulated = [team for team in changes if settings.simulated(team)]
    write(rates, rate_run(changes, nulls, settings.fitting, simulated), LEDGER_RATES)
    write(stability, stability_run(changes, simulated), LEDGER_STABILITY)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.transitions],
            [Path(path) for path in snakemake.input.redraws],
            Path(snakemake.output.rates),
            Path(snakemake.output.stability),
        )
