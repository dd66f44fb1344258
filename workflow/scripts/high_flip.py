"""The questions of a task on which a model flipped most, as a task of their own."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.ledger.flip_pool import high_flip_questions
from headcount.schema import ITEMS, PROBES
from headcount.store import read, write


def main(config: dict[str, Any], task: str, items: Path, probes: Path, questions: Path) -> None:
    settings = parse(config, "config")
    write(questions, high_flip_questions(settings, task, read(items, ITEMS), read(probes, PROBES)), ITEMS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            snakemake.wildcards.chosen,
            Path(snakemake.input.questions),
            Path(snakemake.input.probes),
            Path(snakemake.output.questions),
        )
