"""What paper_scale.py measured, as a section of a page."""

from collections.abc import Iterator

from results import Numbers, table

GIB = 2**30
STAGES = {"measures": "measures", "fits": "fits", "audits": "audits"}  # what naive.py does too, by kind of job
STEPS = {
    "plan": "plan alone (`snakemake --dry-run all`)",
    "rebuild": "the whole rebuild (`snakemake all`)",
    "nothing_to_do": "the same with nothing to do",
    "one_table": "one table, deleted and made again",
}
BESIDE = """Pandas and `curve_fit` were timed on one cell, agree with the workflow there, and are stretched by counts of
teams, curves and refits. The workflow's jobs do more: other votes, moves, pairs, ledgers, rival laws and skills."""


def section(numbers: Numbers, figures: str = "") -> Iterator[str]:
    """Lines of Markdown; figures: the path of their folder, with its slash."""
    run = numbers["rebuild"]
    yield f"## The paper's grid: {run['cells']} cells, {run['final_answers']:,} final answers, {run['turns']:,} turns"
    yield ""
    made = f"the simulator in {run['simulate_seconds']:.1f} s, {run['answers_bytes'] / 1e6:.1f} MB"
    yield f"Seen on {run['seen']}, {run['cores']} cores. Answers were written by {made}."
    yield ""
    yield from table(("step", "seconds", "peak memory, GiB"), _steps(run))
    yield f"![Seconds of each kind of job]({figures}where.png)"
    yield ""
    yield from table(("job", "jobs", "seconds", "of processor time", "a job", "peak, GiB"), _kinds(run["kinds"]))
    yield from table(("what pandas and curve_fit take", "seconds", "the workflow's job", "times"), _ratios(numbers))
    yield BESIDE
    yield ""
    yield from table(("no rebuild can go below", "seconds"), _floor(numbers["floor"]))
    if growth := numbers.get("curve"):
        yield f"![Seconds against items, cells and replicates]({figures}growth.png)"
        yield ""
        head = ("share of items", "cells", "replicates", "final answers", "seconds", "peak memory, GiB")
        yield from table(head, _growing(growth))


def _steps(run: Numbers) -> Iterator[tuple[object, ...]]:
    for step, words in STEPS.items():
        yield words, f"{run[step]['seconds']:.1f}", f"{run[step]['peak'] / GIB:.2f}"


def _kinds(kinds: Numbers) -> Iterator[tuple[object, ...]]:
    for kind, own in kinds.items():
        each = own["wall"] / own["jobs"]
        seconds = (f"{own['wall']:.1f}", f"{own['processor']:.1f}", f"{each:.2f}")
        yield kind, f"{own['jobs']:.0f}", *seconds, f"{own['peak'] / GIB:.2f}"


def _ratios(numbers: Numbers) -> Iterator[tuple[object, ...]]:
    theirs, ours = numbers["naive"], numbers["rebuild"]["kinds"]
    pairs = {stage: (theirs[f"{stage}_seconds"], ours[kind]["processor"]) for stage, kind in STAGES.items()}
    pairs["all three"] = (sum(a for a, _ in pairs.values()), sum(b for _, b in pairs.values()))
    for stage, (naive, own) in pairs.items():
        yield stage, f"{naive:,.0f}", f"{own:.1f}", f"{naive / own:,.0f}"


def _growing(points: list[Numbers]) -> Iterator[tuple[object, ...]]:
    for point in sorted(points, key=lambda point: (point["items"], point["cells"], point["replicates"])):
        size = (f"{point['items']:g}", point["cells"], point["replicates"], f"{point['final_answers']:,}")
        yield *size, f"{point['seconds']:.0f}", f"{point['peak'] / GIB:.2f}"


def _floor(floor: Numbers) -> Iterator[tuple[object, ...]]:
    yield f"reading {floor['rows']:,} rows once, {floor['bytes'] / 1e6:.1f} MB", f"{floor['reading_seconds']:.2f}"
    words = f"{floor['product_flops'] / 1e9:.1f} Gflop of weighted means behind the fits"
    yield words, f"{floor['product_seconds']:.2f}"
