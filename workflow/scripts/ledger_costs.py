"""Transitions and answers of all teams, and all probes, to what each took and what it brought."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.ledger.costs import ledger_costs
from headcount.schema import ANSWERS, LEDGER_COSTS, PROBES, TRANSITIONS
from headcount.store import read, write


def main(config: dict[str, Any], transitions: list[Path], answers: list[Path], probes: list[Path], costs: Path) -> None:
    """Each file of transitions and answers has its team's name."""
    columns = ["task", "condition", "n", "k", "round", "model", "prompt_tokens", "completion_tokens"]
    debates = {
        ends.stem: (read(said, ANSWERS, columns).select(columns), read(ends, TRANSITIONS, ["transition"]))
        for ends, said in zip(transitions, answers, strict=True)
    }
    write(costs, ledger_costs(debates, (read(path, PROBES) for path in probes), parse(config, "config")), LEDGER_COSTS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.transitions],
            [Path(path) for path in snakemake.input.answers],
            [Path(path) for path in snakemake.input.probes],
            Path(snakemake.output.costs),
        )
