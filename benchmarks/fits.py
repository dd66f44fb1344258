"""How much faster all bootstrap fits at once are than SciPy's one by one, on the same curves, in
one run.

    OPENBLAS_NUM_THREADS=1 python benchmarks/fits.py [curves]

Prints ratios and the largest difference in (c, beta). Times are processor times, so that
a busy machine does not matter much; one thread, as the workflow's jobs run.
"""

import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
from results import Numbers, Row, show
from scipy.optimize import curve_fit

from headcount.laws.forms import ringelmann
from headcount.laws.least_squares import Bounds, fit_curves

SIZES = np.array([2.0, 3, 5, 7, 10, 15, 20, 30])
BOUNDS = Bounds(c=(0, 5))
STARTS = [(0.5, 0.2), (0.1, 0.5), (2.0, 0.05)]


def curves(count: int, rng: np.random.Generator) -> np.ndarray:
    """Efficiencies of laws all over the plane, with noise of a bootstrap's size, (count, sizes)."""
    c, beta = rng.uniform(0.05, 1, (count, 1)), rng.uniform(-0.1, 0.6, (count, 1))
    return ringelmann(SIZES, c, beta) * (1 + 0.02 * rng.standard_normal((count, SIZES.size)))


def scipy_fits(r: np.ndarray, starts: list[tuple[float, float]]) -> np.ndarray:
    """The best (c, beta) of curve_fit from each start, (curves, 2)."""
    best = np.full((len(r), 2), np.nan)
    for i, curve in enumerate(r):
        fits = [curve_fit(ringelmann, SIZES, curve, p0=p, bounds=BOUNDS.corners())[0] for p in starts]
        best[i] = min(fits, key=lambda fit: ((ringelmann(SIZES, *fit) - curve) ** 2).sum())
    return best


def seconds(work: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def measured(count: int = 1000) -> Numbers:
    """Processor seconds of both ways, and the largest difference in (c, beta), by the number of SciPy's starts."""
    r = curves(count, np.random.default_rng(0))
    fit_curves(SIZES, r[:2], BOUNDS)  # warm up
    ours, fits = seconds(lambda: fit_curves(SIZES, r, BOUNDS))
    numbers: Numbers = {"curves": count, "sizes": SIZES.size, "seconds": ours, "curve_fit": {}}
    for starts in (STARTS[:1], STARTS):
        theirs, theta = seconds(lambda starts=starts: scipy_fits(r, starts))
        gap = np.abs(np.stack([fits.c, fits.beta], axis=1) - theta).max()
        numbers["curve_fit"][str(len(starts))] = {"seconds": theirs, "gap": float(gap)}
    return numbers


def rows(numbers: Numbers) -> Iterator[Row]:
    for starts, theirs in numbers["curve_fit"].items():
        what = f"fits: {numbers['curves']:,} curves against `curve_fit` from {starts} start{'s'[: int(starts) > 1]}"
        times = f"{theirs['seconds'] / numbers['seconds']:,.0f} times faster"
        yield Row(what, f"{times}, (c, β) differ by {theirs['gap']:.0e} at most", "50")


if __name__ == "__main__":
    show(rows(measured(*map(int, sys.argv[1:]))))
