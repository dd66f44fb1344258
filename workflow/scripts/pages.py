"""A run's numbers and replies to a page for each of its cells."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.publish.cell_pages import write_pages


def main(config: dict[str, Any], results: Path) -> None:
    """Args: results: the run's folder; a team's pages go to `pages/{team}` in it."""
    write_pages(parse(config, "config"), results)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(snakemake.config, Path(snakemake.output.pages[0]).parents[1])
