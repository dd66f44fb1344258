"""How many agent turns a second the simulated engine makes, on each of its paths.

    python benchmarks/simulator.py [ITEMS]

A turn is a row of ANSWERS: one agent's answer in one round. Written directly, seconds count from a task's questions to
its rows in memory, and once more with their file; the most memory that the process held stands beside. Through prompts
they count whole stages: protocol, journal, extraction. One core is used, and the table is of a team on the sizes of
arXiv 2606.02646 under its four conditions, with the k-sweep of its homogeneous teams.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from results import Numbers, Row, show

from headcount.answers.simulated_rows import Rows
from headcount.answers.simulated_team import Sitting
from headcount.answers.table import Replies, answer_cell
from headcount.config import CONDITIONS, Config, parse
from headcount.debate.generate import generate_draws, generate_turns
from headcount.debate.planner import plan
from headcount.engines.questions import questions
from headcount.items.load import load_items
from headcount.schema import ANSWERS, DRAWS, TURNS
from headcount.store import conform, write_chunks

SIZES = [1, 2, 3, 5, 7, 10, 15, 20, 30]
ASKED = 8  # items on the path through prompts
Timed = dict[str, float]
POPULATION = {"correlation": 0.2, "missing": 0.02, "redraw": 0.2, "sharpening": 0.1, "switching": 0.01}


def measured(items: int = 724) -> Numbers:
    """Turns, seconds and processor seconds of each path, and the most memory that the process held, bytes."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    paths: dict[str, Timed] = {}
    for options in (4, None):
        for title, config in (("sweep", _sweep(items, options)), ("k-sweep", _k_sweep(items, options))):
            kind = f"{title}, {'free-form' if options is None else f'{options} options'}"
            paths[f"{kind}, rows in memory"] = _timed(_rows(config))
            with TemporaryDirectory() as folder:
                paths[f"{kind}, file written"] = _timed(_written(config, Path(folder)))
    paths["sweep, through prompts, journal and extraction"] = _timed(_asked(_sweep(ASKED, 4)))
    return {"paths": paths, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 2**10}


def rows(numbers: Numbers) -> Iterator[Row]:
    for what, own in numbers["paths"].items():
        rate = f"{own['turns'] / own['processor']:,.0f} turns a second of one core's processor time"
        yield Row(f"simulator: {what}", rate, "20,000" if "prompts" in what else "200,000")
    yield Row("most memory that it held", f"{numbers['peak'] / 2**30:.2f} GiB")


def _timed(counts: Iterator[int]) -> Timed:
    """Turns, seconds, and seconds of processor time, which other programs on the machine do not lengthen."""
    started = time.perf_counter(), time.process_time()
    turns = sum(counts)
    return {"turns": turns, "seconds": time.perf_counter() - started[0], "processor": time.process_time() - started[1]}


def _config(items: int, options: int | None, **block: object) -> Config:
    task = {"format": "made_up", "items": items} | ({"options": options} if options else {})
    model = {"family": "f", "engine": "simulated", "population": POPULATION}
    experiment = {"teams": ["t"], "tasks": ["a"], **block}
    return parse(
        {
            "run": "benchmark",
            "models": {"m": model, "o": model | {"family": "g"}},
            "teams": {"t": {"members": ["m", "o"]}},
            "tasks": {"a": task},
            "experiments": {"e": experiment},
        },
        "benchmark",
    )


def _sweep(items: int, options: int | None) -> Config:
    return _config(items, options, sizes=SIZES, conditions=list(CONDITIONS))


def _k_sweep(items: int, options: int | None) -> Config:
    return _config(items, options, sizes=[10, 30], peers=[1, 2, 4, 9], updates=6, conditions=["debate"])


def _rows(config: Config) -> Iterator[int]:
    yield from (chunk.num_rows for chunk in _chunks(config))


def _written(config: Config, folder: Path) -> Iterator[int]:
    yield write_chunks(folder / "answers.parquet", _chunks(config), ANSWERS)


def _chunks(config: Config) -> Iterator[pa.Table]:
    cells = sorted(plan(config).cells, key=lambda cell: cell.condition)
    agents = max(shape.n for cell in cells for shape in cell.shapes)
    sitting = Sitting.of(config, "t", questions(load_items(config.tasks["a"], Path("cache"))), agents)
    for cell in cells:
        yield from Rows(sitting, cell).chunks()


def _asked(config: Config) -> Iterator[int]:
    planned, items = plan(config), load_items(config.tasks["a"], Path("cache"))
    with TemporaryDirectory() as folder:
        cache = Path(folder)
        draws = {
            pool.model: conform(generate_draws(config, pool, items, cache), DRAWS, "draws") for pool in planned.pools
        }
        for cell in planned.cells:
            turns = None
            if cell.condition != "self_consistency":
                turns = conform(generate_turns(config, cell, items, draws, cache), TURNS, "turns")
            yield len(answer_cell(config, cell, items, Replies(draws, turns)))


if __name__ == "__main__":
    show(rows(measured(*map(int, sys.argv[1:]))))
