"""Measures, subsets and pairs across teams of all teams to what each cell loses beyond its nulls."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.laws.excess import SocialRows, excess_run
from headcount.laws.settings import FitSettings
from headcount.schema import CROSS_PAIRS, EXCESS, MEASURES, SUBSETS
from headcount.store import read, write

STAGES = {"measures": MEASURES, "subsets": SUBSETS, "cross_pairs": CROSS_PAIRS}


def main(config: dict[str, Any], paths: dict[str, list[Path]], excess: Path) -> None:
    """Paths are those of every team, by stage."""
    settings = parse(config, "config")
    tables = {stage: {path.stem: read(path, table) for path in paths[stage]} for stage, table in STAGES.items()}
    teams = {team: SocialRows(**{stage: tables[stage][team] for stage in STAGES}) for team in tables["measures"]}
    simulated = [team for team in teams if settings.simulated(team)]
    write(excess, excess_run(teams, FitSettings.of(settings.fitting), simulated), EXCESS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        paths = {stage: [Path(path) for path in snakemake.input[stage]] for stage in STAGES}
        main(snakemake.config, paths, Path(snakemake.output.excess))
