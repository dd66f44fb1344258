"""A task's source, or a released cache, to its items."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.items.load import load_items
from headcount.jobs import job
from headcount.schema import ITEMS
from headcount.store import read, write


def main(config: dict[str, Any], task: str, cache: Path, items: Path) -> None:
    settings = parse(config, "config")
    if settings.replay:
        write(items, read(settings.replay / "items" / f"{task}.parquet", ITEMS), ITEMS)
    else:
        write(items, load_items(settings.tasks[task], cache), ITEMS)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            snakemake.wildcards.task,
            Path(snakemake.params.cache),
            Path(snakemake.output.questions),
        )
