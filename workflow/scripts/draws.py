"""A task's items to the round-1 replies of one model."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.debate.generate import generate_draws
from headcount.debate.planner import plan
from headcount.debate.shards import Shard
from headcount.jobs import job
from headcount.schema import DRAWS, ITEMS
from headcount.store import read, write


def main(config: dict[str, Any], model: str, task: str, cache: Path, items: Path, draws: Path, shard: Shard) -> None:
    settings = parse(config, "config")
    pool = plan(settings).pool(model, task)
    write(draws, generate_draws(settings, pool, read(items, ITEMS), cache, shard), DRAWS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            snakemake.wildcards.model,
            snakemake.wildcards.task,
            Path(snakemake.params.cache),
            Path(snakemake.input.questions),
            Path(snakemake.output.draws),
            Shard(*snakemake.params.shard),
        )
