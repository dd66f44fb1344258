"""A run's plans to the page of its pilot."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.publish.pilot_page import write_page


def main(config: dict[str, Any], results: Path, page: Path) -> None:
    """Args: results: the run's folder."""
    write_page(parse(config, "config"), results, page)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        page = Path(snakemake.output.page)
        main(snakemake.config, page.parent, page)
