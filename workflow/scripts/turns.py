"""Items and draws to the revisions of one cell."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.debate.generate import generate_turns
from headcount.debate.planner import plan
from headcount.debate.shards import Shard
from headcount.jobs import job
from headcount.schema import DRAWS, ITEMS, TURNS
from headcount.store import read, write


def main(
    config: dict[str, Any],
    cell: tuple[str, str, str],
    cache: Path,
    items: Path,
    draws: list[Path],
    turns: Path,
    shard: Shard,
) -> None:
    """Args: draws: `draws/{model}/{task}.parquet` of each of the team's models."""
    settings = parse(config, "config")
    known = {path.parent.name: read(path, DRAWS) for path in draws}
    planned = plan(settings).cell(*cell)
    write(turns, generate_turns(settings, planned, read(items, ITEMS), known, cache, shard), TURNS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            (snakemake.wildcards.team, snakemake.wildcards.task, snakemake.wildcards.condition),
            Path(snakemake.params.cache),
            Path(snakemake.input.questions),
            [Path(path) for path in snakemake.input.draws],
            Path(snakemake.output.turns),
            Shard(*snakemake.params.shard),
        )
