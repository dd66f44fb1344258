"""Sums over all teams of n that a pool of agents can form, without forming them.

A pool of agents gave answer v m_v times. What a team makes of its answers is often a product over answers of
something that depends on how many of its members gave each. The sum of such a product over all teams is a
coefficient of a polynomial, since C(m, j) of the choices among m agents take j of them:

    sum over teams of n of prod_v f(j_v)  =  [z^n] prod_v sum_j C(m_v, j) f(j) z^j .

Every term is positive, so nothing cancels, and a pool of up to 1,000 agents fits in float64.
"""

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray


def team_sums(counts: IntArray, functions: FloatArray) -> FloatArray:
    """Sums over the teams of each size of products over answers.

    Pools share their work: counts are sorted, and each distinct tail of them is multiplied out once.

    Args:
        counts: (pools, answers), how often each answer was given; zeros may pad.
        functions: (functions, degree + 1), f(j) for j = 0 to degree; f(0) must be 1.

    Returns:
        (functions, pools, degree + 1), the sum over all teams of 0 to degree agents; 0 where a pool has too few.
    """
    steps, last = shared_tails(np.sort(counts, axis=1))
    return _multiplied(steps, functions, binomials(int(counts.max(initial=0))))[:, last]


def largest_sums(counts: IntArray, functions: FloatArray) -> FloatArray:
    """`team_sums` over the teams of the largest size alone, (functions, pools).

    The answer given most often is multiplied last, and only into the one coefficient that is wanted.
    """
    ways, degree = binomials(int(counts.max(initial=0))), functions.shape[1] - 1
    counts = np.sort(np.pad(counts, ((0, 0), (1, 0))), axis=1)
    steps, last = shared_tails(counts[:, :-1])
    others = _multiplied(steps, functions, ways)[:, :, ::-1] * functions[:, None]  # f(j) at degree - j others
    taken = choose(ways, counts[:, -1:], np.arange(degree + 1))
    return np.asarray(np.stack([np.einsum("pj,pj->p", taken, part[last]) for part in others]))


def shared_tails(factors: IntArray) -> tuple[list[tuple[IntArray, IntArray]], IntArray]:
    """How to multiply out what products have in common once: they share work as far as their first factors agree.

    Args:
        factors: (products, factors), codes of each product's factors in turn.

    Returns:
        for each column the factor and the product so far of each distinct beginning, (beginnings,) both, where the
        product before the first column is 0; and which of the last ones each product is, (products,).
    """
    steps, size, tail = [], 1, np.zeros(len(factors), np.int64)
    for column in factors.T:
        pair, tail = np.unique(column * size + tail, return_inverse=True)
        steps.append((pair // size, pair % size))
        size = pair.size
    return steps, tail


def binomials(top: int) -> FloatArray:
    """Pascal's triangle: C(a, b) at [a, b] for a and b from 0 to `top`, 0 where b > a."""
    table = np.zeros((top + 1, top + 1))
    table[:, 0] = 1.0
    for row in range(1, top + 1):
        table[row, 1:] = table[row - 1, 1:] + table[row - 1, :-1]
    return table


def choose(table: FloatArray, top: IntArray, bottom: IntArray | int) -> FloatArray:
    """C(top, bottom) from `binomials`, broadcast; 0 where bottom is below 0 or above top."""
    bottom = np.asarray(bottom)
    known = (bottom >= 0) & (bottom <= top)
    return np.asarray(np.where(known, table[top, np.where(known, bottom, 0)], 0.0))


def exponentials(largest: float) -> tuple[FloatArray, FloatArray]:
    """1/s as a sum of exponentials, so that the mean of a reciprocal is a mean of products.

    1/s = integral of t^(s - 1) over t from 0 to 1 ~ sum_q weight_q exp(-rate_q s) for s in [1, largest], by
    Gauss-Legendre after t = v^4, which smooths the end at 0; relative error below 1e-10 for `largest` up to 2,000.

    Returns:
        rates and weights, each (nodes,); the number of nodes grows with the root of `largest`.
    """
    nodes, weights = np.polynomial.legendre.leggauss(16 + int(np.ceil(5.0 * np.sqrt(largest))))
    v = (nodes + 1.0) / 2.0
    return -4.0 * np.log(v), 2.0 * weights / v


def _multiplied(steps: list[tuple[IntArray, IntArray]], functions: FloatArray, ways: FloatArray) -> FloatArray:
    """Products of the polynomials of answers, (functions, distinct products, degree + 1)."""
    products = np.zeros((functions.shape[0], 1, functions.shape[1]))
    products[:, :, 0] = 1.0
    for count, old in steps:
        products = _times(products[:, old], count, functions, ways)
    return products


def _times(products: FloatArray, count: IntArray, functions: FloatArray, ways: FloatArray) -> FloatArray:
    """Products times the polynomial of one more answer, given `count` times; both by pool, cut at the degree."""
    result = np.empty_like(products)
    degree = functions.shape[1] - 1
    for m in np.unique(count):
        here = np.flatnonzero(count == m)
        before = products[:, here]
        after = before.copy()  # nobody of those who gave this answer
        for j in range(1, min(int(m), degree) + 1):
            taken = (ways[m, j] * functions[:, j])[:, None, None]
            after[:, :, j:] += taken * before[:, :, : degree + 1 - j]
        result[:, here] = after
    return result
