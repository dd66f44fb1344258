"""A run's numbers to each model's ledger card and reuse card."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.publish.ledger_card import write_cards


def main(config: dict[str, Any], results: Path, folder: Path) -> None:
    """Args: results: the run's folder."""
    write_cards(parse(config, "config"), results, folder)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        folder = Path(snakemake.output[0]).parent
        main(snakemake.config, folder.parent, folder)
