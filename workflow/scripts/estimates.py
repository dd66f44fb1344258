"""All numbers of all teams to the run's estimates and contrasts."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.laws.contrasts import contrast_run
from headcount.laws.estimates import estimate_run
from headcount.laws.joined import TeamNumbers
from headcount.laws.settings import FitSettings
from headcount.schema import CONTRASTS, ESTIMATES, MEASURES, MOVES, SUBSETS, VOTES
from headcount.store import read, write

STAGES = {"measures": MEASURES, "subsets": SUBSETS, "moves": MOVES, "votes": VOTES}


def main(config: dict[str, Any], paths: dict[str, list[Path]], estimates: Path, contrasts: Path) -> None:
    """Paths are those of every team, by stage."""
    settings = parse(config, "config")
    tables = {stage: {path.stem: read(path, table) for path in paths[stage]} for stage, table in STAGES.items()}
    teams = {team: TeamNumbers(**{stage: tables[stage][team] for stage in STAGES}) for team in tables["measures"]}
    simulated = [team for team in teams if settings.simulated(team)]
    how = FitSettings.of(settings.fitting)
    write(estimates, estimate_run(teams, how, simulated), ESTIMATES)
    write(contrasts, contrast_run(teams, how, simulated), CONTRASTS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            {stage: [Path(path) for path in snakemake.input[stage]] for stage in STAGES},
            Path(snakemake.output.estimates),
            Path(snakemake.output.contrasts),
        )
