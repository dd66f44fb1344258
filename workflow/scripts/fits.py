"""Measures and subsets of all teams to the run's fits and curves."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.laws.cells import fit_run
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings
from headcount.schema import CURVES, FITS, MEASURES, SUBSETS
from headcount.store import read, write


def main(config: dict[str, Any], measures: list[Path], subsets: list[Path], fits: Path, curves: Path) -> None:
    """Measures and subsets are those of every team, each in a file with the team's name."""
    settings = parse(config, "config")
    drawn = {path.stem: read(path, SUBSETS) for path in subsets}
    by_team = {path.stem: TeamRows(read(path, MEASURES), drawn[path.stem]) for path in measures}
    simulated = [team for team in by_team if settings.simulated(team)]
    how = FitSettings.of(settings.fitting)
    fitted, curved = fit_run(by_team, how, simulated)
    write(fits, fitted, FITS)
    write(curves, curved, CURVES)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.measures],
            [Path(path) for path in snakemake.input.subsets],
            Path(snakemake.output.fits),
            Path(snakemake.output.curves),
        )
