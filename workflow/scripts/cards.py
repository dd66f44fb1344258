"""A run's numbers to a model's ledger card and reuse card."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.publish.ledger_card import write_cards


def main(config: dict[str, Any], model: str, results: Path, html: Path, json: Path) -> None:
    """Args: results: the run's folder."""
    write_cards(parse(config, "config"), model, results, html, json)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        html, json = Path(snakemake.output.html), Path(snakemake.output.json)
        main(snakemake.config, snakemake.wildcards.model, html.parent.parent, html, json)
