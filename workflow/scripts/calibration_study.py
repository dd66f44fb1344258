"""The parts of a study of calibration, one after the other."""

from pathlib import Path

import pandas as pd

from headcount.jobs import job


def main(parts: list[Path], csv: Path) -> None:
    frames = [pd.read_csv(part, dtype=str, keep_default_na=False) for part in parts]
    pd.concat(frames).to_csv(csv, index=False, lineterminator="\n")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main([Path(part) for part in snakemake.input], Path(snakemake.output[0]))
