"""What no rebuild can go below: the bytes of the answers read once, and the product behind the resampled means."""

import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from headcount.laws.levels import LEVELS
from headcount.laws.series import TaskRows, TeamRows, split_series, split_tasks
from headcount.schema import MEASURES, SUBSETS
from headcount.store import read

GROUPS = 100  # of the jackknife
SIDE = 1000  # of the matrices whose product is timed


def measured(release: Path, results: Path, replicates: int = 1000) -> dict[str, float]:
    """Seconds of one core.

    Args:
        release: folder of answers.
        results: the rebuilt run, for the shapes of the products.
        replicates: rows of the paper's weights.

    Returns:
        rows, bytes and seconds of reading every answer once; floating-point operations of the weighted means behind all
        fits, and the seconds that they take at the rate of a square product.
    """
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    files = sorted(release.rglob("answers/**/*.parquet"))
    started = time.perf_counter()
    rows = sum(pq.read_table(path, use_threads=False).num_rows for path in files)
    reading = time.perf_counter() - started
    flops = sum(_operations(results, replicates))
    return {
        "rows": rows,
        "bytes": sum(path.stat().st_size for path in files),
        "reading_seconds": reading,
        "product_flops": flops,
        "product_seconds": flops / _rate(),
    }


def _operations(results: Path, replicates: int) -> Iterator[float]:
    """Two a replicate, item and column, of each series at each level, for values and for which are known."""
    for path in sorted((results / "measures").glob("*.parquet")):
        team = TeamRows(read(path, MEASURES), read(results / "subsets" / path.name, SUBSETS))
        for _, rows in split_tasks(team):
            draws = replicates + min(GROUPS, len(rows.items))
            yield from (2.0 * draws * len(rows.items) * columns for columns in _columns(rows))


def _columns(rows: TaskRows) -> Iterator[int]:
    for series, level in product(split_series(rows), LEVELS):
        here = {name: column[series.rows[:1]] for name, column in rows.columns.items()}
        yield series.sizes.size * level.parts(here).shape[1]


def _rate() -> float:
    """Floating-point operations a second of a square product, the best of five."""
    a = np.random.default_rng(0).random((SIDE, SIDE))
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        a @ a
        seconds.append(time.perf_counter() - started)
    return float(2 * SIDE**3 / min(seconds))
