"""A model's weights: fetched, checked, and where they lie."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.errors import UserError
from headcount.jobs import job
from headcount.sources import fetch_weights


def main(config: dict[str, Any], model: str, cache: Path, weights: Path) -> None:
    source = parse(config, "config").models[model].weights
    if source is None:
        raise UserError(f"models.{model}: has no 'weights' to fetch.")
    weights.write_text(f"{fetch_weights(source, cache)}\n", encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            snakemake.wildcards.model,
            Path(snakemake.params.cache),
            Path(snakemake.output.weights),
        )
