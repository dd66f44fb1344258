"""Measures and subsets of all teams to the run's rivals, skills, audits and projections."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.laws.audit import audits_of_curves
from headcount.laws.last_curves import last_curves
from headcount.laws.projection import projections_of_run
from headcount.laws.rivals import rivals_of_curves
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings
from headcount.laws.skills import skills_of_curves
from headcount.schema import AUDITS, MEASURES, PROJECTIONS, RIVALS, SKILLS, SUBSETS
from headcount.store import read, write


def main(
    config: dict[str, Any],
    measures: list[Path],
    subsets: list[Path],
    rivals: Path,
    skills: Path,
    audits: Path,
    projections: Path,
) -> None:
    settings = parse(config, "config")
    every = {path.stem: read(path, SUBSETS) for path in subsets}
    teams = {path.stem: TeamRows(read(path, MEASURES), every[path.stem]) for path in measures}
    simulated = [team for team in teams if settings.simulated(team)]
    how = FitSettings.of(settings.fitting)
    curves = last_curves(teams, simulated)
    write(rivals, rivals_of_curves(curves, how), RIVALS)
    write(skills, skills_of_curves(curves, how), SKILLS)
    write(audits, audits_of_curves(curves, how), AUDITS)
    write(projections, projections_of_run(teams, how, simulated), PROJECTIONS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.measures],
            [Path(path) for path in snakemake.input.subsets],
            Path(snakemake.output.rivals),
            Path(snakemake.output.skills),
            Path(snakemake.output.audits),
            Path(snakemake.output.projections),
        )
