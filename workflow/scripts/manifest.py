"""A finished run to the hashes that its numbers stand on."""

from pathlib import Path
from typing import Any

from headcount.config import parse
from headcount.jobs import job
from headcount.publish.manifest import manifest, save


def main(config: dict[str, Any], path: Path) -> None:
    save(path, manifest(parse(config, "config"), path.parent))


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(snakemake.config, Path(snakemake.output.manifest))
