"""Transitions and probes of a run to what gates would have done, and how early collapses show."""

from pathlib import Path
from typing import Any

import pandas as pd

from headcount.config import parse
from headcount.jobs import job
from headcount.ledger.gate_outcomes import gate_outcomes
from headcount.ledger.localised import localisation
from headcount.ledger.probe_features import read_probe_features
from headcount.ledger.saved_run import MIXED, OF_TRANSITIONS, team_debates
from headcount.schema import GATE_OUTCOMES, LOCALISATION, TRANSITIONS
from headcount.store import read, write


def main(
    config: dict[str, Any],
    transitions: list[Path],
    probes: list[Path],
    outcomes: Path,
    localised: Path,
) -> None:
    """Each file of transitions has its team's name; those of probes are of any models, or none."""
    settings, probed = parse(config, "config"), read_probe_features(probes)

    def debates_of(path: Path) -> pd.DataFrame:
        team = path.stem
        model = MIXED if settings.mixed(team) else settings.teams[team].member(1)
        ends = read(path, TRANSITIONS, OF_TRANSITIONS)
        return team_debates(ends, model, probed, simulated=settings.simulated(team))

    debates = pd.concat(map(debates_of, transitions), ignore_index=True)
    write(outcomes, gate_outcomes(debates, settings.fitting), GATE_OUTCOMES)
    write(localised, localisation(debates, settings.fitting), LOCALISATION)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.transitions],
            [Path(path) for path in snakemake.input.probes],
            Path(snakemake.output.outcomes),
            Path(snakemake.output.localisation),
        )
