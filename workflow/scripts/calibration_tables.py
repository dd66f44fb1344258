"""Studies of calibration to the tables of `docs/calibration.md`."""

from pathlib import Path

import pandas as pd

from headcount.jobs import job
from headcount.publish.calibration_tables import page


def main(studies: list[Path], markdown: Path) -> None:
    markdown.write_text(page({study.stem: pd.read_csv(study) for study in studies}), encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main([Path(study) for study in snakemake.input], Path(snakemake.output[0]))
