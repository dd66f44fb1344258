"""A team's numbers and replies to a page for each of its cells."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.publish.cell_pages import write_pages


def main(config: dict[str, Any], team: str, results: Path, folder: Path) -> None:
    """Args: results: the run's folder."""
    write_pages(parse(config, "config"), team, results, folder)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        folder = Path(snakemake.output.pages)
        main(snakemake.config, snakemake.wildcards.team, folder.parent.parent, folder)
