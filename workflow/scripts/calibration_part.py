"""One part of a study of calibration."""

import sys
import time
from pathlib import Path

from headcount.calibration.parts import make
from headcount.jobs import job

EVERY = 20.0  # seconds between lines about the progress


def main(study: str, part: str, data_sets: int, csv: Path) -> None:
    spoken = time.monotonic()

    def say(line: str) -> None:
        nonlocal spoken
        if time.monotonic() - spoken > EVERY:
            print(f"calibration: {study} {part}: {line}", file=sys.stderr, flush=True)
            spoken = time.monotonic()

    make(study, part, data_sets, say).to_csv(csv, index=False, float_format="%.5g", lineterminator="\n")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.wildcards.study,
            snakemake.wildcards.part,
            snakemake.params.data_sets,
            Path(snakemake.output[0]),
        )
