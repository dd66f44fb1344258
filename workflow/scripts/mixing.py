"""Blocks of all mixed teams to the run's agreement within and between families."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.laws.mixing import mixing_of_run
from headcount.laws.settings import FitSettings
from headcount.schema import BLOCKS, MIXING
from headcount.store import read, write


def main(config: dict[str, Any], blocks: list[Path], mixing: Path) -> None:
    """Blocks are those of every mixed team, each in a file with the team's name."""
    settings = parse(config, "config")
    by_team = {path.stem: read(path, BLOCKS) for path in blocks}
    simulated = [team for team in by_team if settings.simulated(team)]
    how = FitSettings.of(settings.fitting)
    write(mixing, mixing_of_run(by_team, how, simulated), MIXING)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(snakemake.config, [Path(path) for path in snakemake.input.blocks], Path(snakemake.output.mixing))
