"""A run's numbers to some of its figures, and to the numbers in them."""

import gc
from collections.abc import Iterable
from pathlib import Path

from headcount.jobs import job
from headcount.publish.figures.style import save
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.words import PUBLISHED


def main(names: Iterable[str], results: Path, published: Path) -> None:
    """They go to the folder `figures` of the run's."""
    inputs = Inputs(results, published)
    for name in names:
        figure, data = load("figures", name).make(inputs)
        save(figure, data, *(results / "figures" / f"{name}.{form}" for form in ("pdf", "svg", "png", "csv")))


if __name__ == "__main__":
    gc.set_threshold(100_000)  # a figure is a hundred thousand objects, which Python would search again and again
    with job(snakemake.log[0]):
        main(snakemake.params.names, Path(snakemake.output[0]).parents[1], Path(PUBLISHED))
