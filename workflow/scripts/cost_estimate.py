"""The cost of hosted models, before anything is sent: to files, and to the terminal."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.publish.cost_estimate import cost_estimate


def main(config: dict[str, Any], cache: Path, csv: Path, md: Path) -> None:
    table, page = cost_estimate(parse(config, "config"), cache)
    for path, text in ((csv, table), (md, page)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"\n{page}\n({csv}, {md})\n", flush=True)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            Path(snakemake.params.cache),
            Path(snakemake.params.csv),
            Path(snakemake.params.md),
        )
