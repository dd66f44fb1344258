"""Files of other people's debates and probes to a run that replays them, and a report of what was found."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headcount.errors import UserError
from headcount.imports.imported import Wanted, import_files
from headcount.imports.report import ended, told
from headcount.jobs import job


def main(files: Sequence[Path], run: str, options: Mapping[str, Any], report: Path) -> None:
    """Args: options: what `headcount import` can be told; unknown ones are refused."""
    known = {"task", "model", "format", "rounds", "skip_bad"}
    if unknown := sorted(options.keys() - known):
        raise UserError(f"--config {unknown[0]}: is none of {', '.join(sorted(known))}.")
    wanted = Wanted(
        run,
        task=options.get("task"),
        models=str(options.get("model", "")).split(),
        kind=options.get("format"),
        rounds=options.get("rounds"),
        skip=bool(options.get("skip_bad", False)),
        overwrite=True,
    )
    done = import_files(files, wanted, Path())
    lines = "\n".join([*told(done.read), *ended(done)])
    if not done.written:
        raise UserError(lines)
    report.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input],
            snakemake.params.run,
            snakemake.params.told,
            Path(snakemake.output.report),
        )
