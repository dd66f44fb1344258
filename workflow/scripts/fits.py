"""Measures of all teams to the run's fits and curves."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.laws.cells import FitSettings, fit_run
from headcount.schema import CURVES, FITS, MEASURES
from headcount.store import read, write


def main(config: dict[str, Any], measures: list[Path], fits: Path, curves: Path) -> None:
    settings = parse(config, "config")
    fitting = settings.fitting
    by_team = {path.stem: read(path, MEASURES) for path in measures}
    simulated = [team for team in by_team if settings.simulated(team)]
    how = FitSettings(
        n_boot=fitting.bootstrap,
        confidence=fitting.confidence,
        seed=fitting.seed,
        missing_limit=fitting.missing_limit,
    )
    fitted, drawn = fit_run(by_team, how, simulated)
    write(fits, fitted, FITS)
    write(curves, drawn, CURVES)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.measures],
            Path(snakemake.output.fits),
            Path(snakemake.output.curves),
        )
