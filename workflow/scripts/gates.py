"""Transitions, answers and probes of a run to what gates would have done, and how early collapses show."""

from pathlib import Path
from typing import Any

import pandas as pd

from headcount.config import parse
from headcount.jobs import job
from headcount.ledger.gate_outcomes import gate_outcomes
from headcount.ledger.localised import localisation
from headcount.ledger.probe_features import read_probe_features
from headcount.ledger.saved_run import OF_ANSWERS, OF_TRANSITIONS, team_debates
from headcount.schema import ANSWERS, GATE_OUTCOMES, LOCALISATION, TRANSITIONS
from headcount.store import read, write


def main(
    config: dict[str, Any],
    transitions: list[Path],
    answers: list[Path],
    probes: list[Path],
    outcomes: Path,
    localised: Path,
) -> None:
    """Each file of transitions and answers has its team's name; those of probes are of any models, or none."""
    settings, probed = parse(config, "config"), read_probe_features(probes)
    frames = [  # a team at a time: answers are many
        team_debates(
            read(ends, TRANSITIONS, OF_TRANSITIONS),
            read(said, ANSWERS, OF_ANSWERS),
            probed,
            simulated=settings.simulated(ends.stem),
        )
        for ends, said in zip(transitions, answers, strict=True)
    ]
    debates = pd.concat(frames, ignore_index=True)
    write(outcomes, gate_outcomes(debates, settings.fitting), GATE_OUTCOMES)
    write(localised, localisation(debates, settings.fitting), LOCALISATION)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.transitions],
            [Path(path) for path in snakemake.input.answers],
            [Path(path) for path in snakemake.input.probes],
            Path(snakemake.output.outcomes),
            Path(snakemake.output.localisation),
        )
