"""Measures and subsets of all teams to the run's plans from its smallest teams."""

from pathlib import Path
from typing import Any

from headcount.config import Config, parse
from headcount.jobs import job
from headcount.laws.joined import TeamNumbers
from headcount.laws.pilot_error import PilotErrors
from headcount.laws.pilot_plan import Planning
from headcount.laws.pilot_tokens import Budget, Prices
from headcount.laws.pilots import pilots_of_run
from headcount.laws.settings import FitSettings
from headcount.schema import MEASURES, PILOT_SIZES, PILOTS, SUBSETS
from headcount.store import read, write


def main(
    config: dict[str, Any], measures: list[Path], subsets: list[Path], errors: Path, pilots: Path, sizes: Path
) -> None:
    """Measures and subsets are those of every team, each in a file with the team's name."""
    settings = parse(config, "config")
    every = {path.stem: read(path, SUBSETS) for path in subsets}
    teams = {path.stem: TeamNumbers(read(path, MEASURES), every[path.stem]) for path in measures}
    simulated = [team for team in teams if settings.simulated(team)]
    plans, predicted = pilots_of_run(teams, planning(settings, PilotErrors.read(errors)), simulated)
    write(pilots, plans, PILOTS)
    write(sizes, predicted, PILOT_SIZES)


def planning(settings: Config, errors: PilotErrors) -> Planning:
    """What a run's configuration plans with."""
    asked = settings.pilot
    return Planning(
        fitting=FitSettings.of(settings.fitting),
        errors=errors,
        target=asked.target,
        budget=Budget(asked.budget_usd, asked.budget_tokens, asked.budget_answers),
        prices={team: prices(settings, team) for team in settings.teams},
        mixed=[team for team in settings.teams if settings.mixed(team)],
    )


def prices(settings: Config, team: str) -> Prices | None:
    """US dollars per million prompt and completion tokens, the mean over a team's members; none if one has no price."""
    members = [settings.models[name].prices for name in settings.teams[team].members]
    known = [price for price in members if price]
    if len(known) < len(members):
        return None
    return sum(price.prompt for price in known) / len(known), sum(price.completion for price in known) / len(known)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.measures],
            [Path(path) for path in snakemake.input.subsets],
            Path(snakemake.input.errors),
            Path(snakemake.output.pilots),
            Path(snakemake.output.sizes),
        )
