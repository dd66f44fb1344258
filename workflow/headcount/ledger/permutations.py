"""Exact permutation tests of a few rows: all n! arrangements up to nine rows, random ones beyond.

A p-value is a count over a count, and both are kept, so that it can be checked by hand.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, permutations

import numpy as np
from scipy import stats

from headcount.measures.arrays import FloatArray, IntArray

EXACT_UP_TO = 9  # 9! = 362,880 arrangements
DRAWS = 100_000
TOLERANCE = 1e-12  # arrangements as extreme as the observed one differ from it by rounding alone
BLOCK = 50_000  # arrangements at a time


@dataclass(frozen=True)
class Permuted:
    """Where a statistic stands among those of other arrangements of its rows.

    Attributes:
        statistic: the observed one.
        arrangements: how many it is compared with, itself included.
        as_extreme: those whose |statistic| is at least as large.
        as_directed: those at least as far in the observed direction.
        exact: whether they are all there are; else random draws and the observed one.
    """

    statistic: float
    arrangements: int
    as_extreme: int
    as_directed: int
    exact: bool

    @property
    def p_two_sided(self) -> float:
        """as_extreme / arrangements; NaN without a statistic."""
        return self.as_extreme / self.arrangements if np.isfinite(self.statistic) else float("nan")

    @property
    def p_one_sided(self) -> float:
        """as_directed / arrangements; NaN without a statistic."""
        return self.as_directed / self.arrangements if np.isfinite(self.statistic) else float("nan")


def permute(
    statistic: Callable[[IntArray], FloatArray],
    n: int,
    rng: np.random.Generator | None = None,
    exact_up_to: int = EXACT_UP_TO,
    draws: int = DRAWS,
) -> Permuted:
    """Compare a statistic of n rows with its values after the rows of one column are put in other orders.

    Up to `exact_up_to` rows every order counts once: p is exact. Beyond, `draws` random orders and the observed one
    do, so that p is valid and never 0 (Davison and Hinkley 1997, section 4.2).

    Args:
        statistic: (orders, n) -> (orders,): its value for each order of the rows.
        n: rows.
        rng: for random orders; needed beyond `exact_up_to`.
        exact_up_to: largest n to enumerate.
        draws: random orders.

    Raises:
        ValueError: where random orders are needed and no `rng` is given.
    """
    observed = float(statistic(np.arange(n)[None])[0])
    exact = n <= exact_up_to
    sign = -1.0 if observed < 0 else 1.0
    total = extreme = directed = 0 if exact else 1
    for block in _all_orders(n) if exact else _random_orders(n, draws, rng):
        values = statistic(block)
        total += len(values)
        extreme += int((np.abs(values) >= abs(observed) - TOLERANCE).sum())
        directed += int((sign * values >= abs(observed) - TOLERANCE).sum())
    return Permuted(observed, total, extreme, directed, exact)


def rank_test(
    x: FloatArray,
    y: FloatArray,
    rng: np.random.Generator | None = None,
    exact_up_to: int = EXACT_UP_TO,
    draws: int = DRAWS,
) -> Permuted:
    """Permutation test of Spearman's correlation with average ranks.

    p = #(|rho*| >= |rho| - 1e-12) / G! over all orders of y (arXiv 2609.35279, section 4.2).

    Args:
        x, y: (rows,), finite.
        rng, exact_up_to, draws: see `permute`.
    """
    one, other = (ranks - ranks.mean() for ranks in (stats.rankdata(x), stats.rankdata(y)))
    scale = float(np.sqrt((one**2).sum() * (other**2).sum()))

    def rho(orders: IntArray) -> FloatArray:
        return np.asarray(other[orders] @ one / scale) if scale > 0 else np.full(len(orders), np.nan)

    return permute(rho, one.size, rng, exact_up_to, draws)


def _all_orders(n: int) -> Iterator[IntArray]:
    orders = permutations(range(n))
    while block := list(islice(orders, BLOCK)):
        yield np.fromiter(chain.from_iterable(block), np.int64, len(block) * n).reshape(-1, n)


def _random_orders(n: int, draws: int, rng: np.random.Generator | None) -> Iterator[IntArray]:
    if rng is None:
        raise ValueError(f"{n} rows have too many orders to try them all: give a generator, `rng`, to draw some.")
    for start in range(0, draws, BLOCK):
        yield rng.permuted(np.tile(np.arange(n), (min(BLOCK, draws - start), 1)), axis=1)
