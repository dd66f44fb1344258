"""Measures and answers of all teams to what sampling makes of their calls and tokens."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.laws.budgets import budgets_of_run
from headcount.laws.joined import TeamNumbers
from headcount.laws.settings import FitSettings
from headcount.schema import ANSWERS, BUDGETS, MEASURES
from headcount.store import read, write


def main(config: dict[str, Any], measures: list[Path], answers: list[Path], budgets: Path) -> None:
    """Measures and answers are those of every team, each in a file with the team's name."""
    settings = parse(config, "config")
    said = {path.stem: read(path, ANSWERS, ["model", "answer", "correct"]) for path in answers}
    teams = {path.stem: TeamNumbers(read(path, MEASURES)) for path in measures}
    simulated = [team for team in teams if settings.simulated(team)]
    write(budgets, budgets_of_run(teams, said, FitSettings.of(settings.fitting), simulated), BUDGETS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.measures],
            [Path(path) for path in snakemake.input.answers],
            Path(snakemake.output.budgets),
        )
