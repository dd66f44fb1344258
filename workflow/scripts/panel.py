"""Answers of the run's mixed teams to what their models share, what rules make of them, and how far to trust them."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from headcount.config import Config, parse
from headcount.jobs import job
from headcount.laws.calibration import calibration_run
from headcount.laws.crowd import crowd_run
from headcount.laws.model_pairs import Options, pair_run
from headcount.laws.settings import FitSettings
from headcount.schema import ANSWERS, BEST_MEMBER, CALIBRATION, CROWD, ITEMS, PAIR_MEANS, PAIRS
from headcount.store import read, write


def main(config: dict[str, Any], answers: list[Path], items: list[Path], recorded: list[Path], results: Path) -> None:
    """Write pairs, pair_means, crowd, best_member and calibration.

    Args:
        answers: those of every mixed team, each in a file with the team's name.
        items: those of every task whose questions are at hand, each in a file with the task's name.
        recorded: the item table of a release of answers alone, if there is one.
        results: the run's folder.
    """
    settings = parse(config, "config")
    by_team = {path.stem: read(path, ANSWERS) for path in answers}
    simulated = [team for team in by_team if settings.simulated(team)]
    how = FitSettings.of(settings.fitting)
    families = {name: model.family for name, model in settings.models.items()}
    pairs, means = pair_run(by_team, families, _options(settings, items, recorded), how, simulated)
    rules, members = crowd_run(by_team, how, simulated)
    write(results / "pairs.parquet", pairs, PAIRS)
    write(results / "pair_means.parquet", means, PAIR_MEANS)
    write(results / "crowd.parquet", rules, CROWD)
    write(results / "best_member.parquet", members, BEST_MEMBER)
    write(results / "calibration.parquet", calibration_run(by_team, how.confidence, simulated), CALIBRATION)


def _options(settings: Config, items: list[Path], recorded: list[Path]) -> Options:
    """How many options an item has, by task; nothing of free-form items, and of tasks without a table of items."""
    options = {path.stem: _count_choices(read(path, ITEMS)) for path in items}
    for path in recorded:
        table = pq.read_table(path, columns=["item", "n_options"]).to_pydict()
        known = dict(zip(table["item"], table["n_options"], strict=True))
        options |= {name: known for name, task in settings.tasks.items() if task.format == "recorded"}
    return options


def _count_choices(items: pa.Table) -> dict[str, int]:
    choices = zip(items["item"].to_pylist(), items["choices"].to_pylist(), strict=True)
    return {item: len(texts) for item, texts in choices if texts}


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            snakemake.config,
            [Path(path) for path in snakemake.input.answers],
            [Path(path) for path in snakemake.input.questions],
            [Path(path) for path in snakemake.input.recorded],
            Path(snakemake.output.pairs).parent,
        )
