"""How much faster all bootstrap fits at once are than SciPy's one by one, on the same curves, in
one run.

    OPENBLAS_NUM_THREADS=1 PYTHONPATH=workflow python benchmarks/fits.py [curves]

Prints seconds, ratios and the largest difference in (c, beta). Times are processor times, so that
a busy machine does not matter much; one thread, as the workflow's jobs run.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
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


def main(count: int) -> None:
    r = curves(count, np.random.default_rng(0))
    fit_curves(SIZES, r[:2], BOUNDS)  # warm up
    ours, fits = seconds(lambda: fit_curves(SIZES, r, BOUNDS))
    print(f"{count} curves of {SIZES.size} sizes\nheadcount           {ours:8.3f} s")
    for starts in (STARTS[:1], STARTS):
        theirs, theta = seconds(lambda starts=starts: scipy_fits(r, starts))
        gap = np.abs(np.stack([fits.c, fits.beta], axis=1) - theta).max()
        print(
            f"curve_fit, {len(starts)} start{'s'[: len(starts) > 1]:1s} {theirs:8.3f} s"
            f"  {theirs / ours:6.0f} times as long, largest difference {gap:.0e}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
