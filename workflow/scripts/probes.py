"""A screen's replies to its probes; of a private or recorded task its probes as they were released."""

from pathlib import Path
from typing import Any

from headcount.answers.probes import read_probes, released_probes
from headcount.config import parse
from headcount.debate.planner import plan
from headcount.jobs import job
from headcount.schema import ITEMS, PROBE_REPLIES, PROBES
from headcount.store import read, write


def main(
    config: dict[str, Any], screen: tuple[str, str, str], items: Path | None, replies: Path | None, probes: Path
) -> None:
    """`items` and `replies` are None where a release has the probes alone."""
    settings = parse(config, "config")
    planned = plan(settings).screen(*screen)
    if items is None or replies is None:
        write(probes, released_probes(settings, planned), PROBES)
    else:
        write(probes, read_probes(settings, planned, read(items, ITEMS), read(replies, PROBE_REPLIES)), PROBES)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        wildcards, given = snakemake.wildcards, snakemake.input
        main(
            snakemake.config,
            (wildcards.purpose, wildcards.model, wildcards.screened),
            Path(given.questions[0]) if given.questions else None,
            Path(given.replies[0]) if given.replies else None,
            Path(snakemake.output.probes),
        )
