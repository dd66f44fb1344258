"""A team's draws and turns to its answers."""

from pathlib import Path
from typing import Any

from headcount.answers.team import team_answers
from headcount.config import parse
from headcount.jobs import job
from headcount.schema import ANSWERS
from headcount.store import write


def main(config: dict[str, Any], team: str, results: Path, answers: Path) -> None:
    """Args: results: the run's folder, which holds items, draws, turns and verdicts."""
    write(answers, team_answers(parse(config, "config"), team, results), ANSWERS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        answers = Path(snakemake.output.answers)
        main(snakemake.config, snakemake.wildcards.team, answers.parent.parent, answers)
