"""A task's items to the replies of one screened model."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.debate.generate import generate_probes
from headcount.debate.planner import plan
from headcount.jobs import job
from headcount.schema import ITEMS, PROBE_REPLIES
from headcount.store import read, write


def main(config: dict[str, Any], screen: tuple[str, str, str], cache: Path, items: Path, replies: Path) -> None:
    settings = parse(config, "config")
    planned = plan(settings).screen(*screen)
    write(replies, generate_probes(settings, planned, read(items, ITEMS), cache), PROBE_REPLIES)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        wildcards = snakemake.wildcards
        main(
            snakemake.config,
            (wildcards.purpose, wildcards.model, wildcards.task),
            Path(snakemake.params.cache),
            Path(snakemake.input.questions),
            Path(snakemake.output.replies),
        )
