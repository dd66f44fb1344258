"""Sums over all teams with given seats of each model, without forming them: coefficients in several variables.

Answer v was given by m_vg agents of model g. As in `subsets_sums`, the sum over the teams with w_g agents of each model
of a product over answers is a coefficient,

    sum over teams of prod_v f(j_v)
        = [z_1^w_1 ... z_G^w_G] prod_v sum_j f(j_1 + ... + j_G) prod_g C(m_vg, j_g) z_g^j_g .

Polynomials are multiplied by their Fourier transforms, exact but for rounding: z is scaled so that the coefficient
wanted is among the largest, and its relative error stays near 1e-13. A transform of L_g terms puts a power p_g at
p_g mod L_g: with T_g agents in all, nothing falls on the powers from a_g to b_g once L_g is above b_g and T_g - a_g.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.subsets_sums import binomials, choose, shared_tails

ComplexArray = NDArray[np.complex128]

LARGEST = 20_000  # terms: 5 models of 6 agents have 7^5 = 16,807
AT_ONCE = 2**22  # numbers that transforms may hold


@dataclass(frozen=True)
class Grid:
    """The terms of polynomials, as few as tell the coefficients that are wanted.

    Attributes:
        powers: (coefficients, models), those wanted.
        lengths: (models,), L_g.
        scale: of z.
    """

    powers: IntArray
    lengths: tuple[int, ...]
    scale: float

    @classmethod
    def of(cls, agents: IntArray, powers: IntArray, scale: float) -> "Grid":
        """The grid for coefficients of products of T_g agents, (models,)."""
        lengths = 1 + np.maximum(powers.max(axis=0), agents - powers.min(axis=0))
        return cls(powers, tuple(lengths.tolist()), scale)

    @property
    def frequencies(self) -> int:
        """How many numbers a transform has."""
        return int(np.prod(self.lengths[:-1])) * (self.lengths[-1] // 2 + 1)

    @property
    def total(self) -> IntArray:
        """Agents of all models in each term, (L_1, ..., L_G)."""
        return np.asarray(np.indices(self.lengths).sum(axis=0))

    def choices(self, counts: IntArray) -> FloatArray:
        """prod_g C(m_g, j_g) scale^(j_1 + ... + j_G): an answer's polynomial but for f.

        Powers above all that are wanted are left out, as they reach none of them.

        Args:
            counts: (kinds, models), m_g.

        Returns:
            (kinds, L_1, ..., L_G).
        """
        ways = binomials(int(counts.max(initial=0)))
        product = np.ones((len(counts), 1))
        for g, length in enumerate(self.lengths):
            j = np.arange(length)
            wanted = np.where(j <= self.powers[:, g].max(), self.scale**j, 0.0)
            factor = choose(ways, counts[:, g, None], j) * wanted
            product = (product[:, :, None] * factor[:, None]).reshape(len(counts), -1)
        return product.reshape(len(counts), *self.lengths)


def transforms(grid: Grid, polynomials: FloatArray, function: FloatArray) -> ComplexArray:
    """Transforms of polynomials whose term with j agents is multiplied by f(j), (kinds, frequencies).

    Args:
        polynomials: (kinds, L_1, ..., L_G), from `Grid.choices`.
        function: (degree + 1,), f(j); terms beyond the degree are left out, as they reach no coefficient up to it.
    """
    weight = np.zeros(int(grid.total.max(initial=0)) + 1)
    known = min(weight.size, function.size)
    weight[:known] = function[:known]
    axes = tuple(range(1, polynomials.ndim))
    return np.asarray(np.fft.rfftn(polynomials * weight[grid.total], axes=axes).reshape(len(polynomials), -1))


def summed_products(
    grid: Grid, polynomials: FloatArray, answers: IntArray, functions: FloatArray, weights: FloatArray
) -> ComplexArray:
    """Transforms of sum_q weight_q prod_v p_v f_q, with p_v the polynomials of a pool's answers.

    Args:
        polynomials: (kinds, L_1, ..., L_G), the first of an answer that nobody gave.
        answers: (pools, answers), the kind of each.
        functions: (functions, degree + 1); f(0) must be 1.
        weights: (functions,).

    Returns:
        (pools, frequencies).
    """
    steps, last = shared_tails(answers)
    total = np.zeros((int(last.max(initial=-1)) + 1, grid.frequencies), dtype=np.complex128)
    tables = _tables(grid, polynomials, functions)
    for table, weight in zip(tables, weights, strict=True):
        products = np.full((1, table.shape[1]), weight, dtype=np.complex128)
        for kind, old in steps:
            products = products[old]
            products *= table[kind]
        total += products
    return np.asarray(total[last])


def _tables(grid: Grid, polynomials: FloatArray, functions: FloatArray) -> Iterator[ComplexArray]:
    """`transforms` for each function; they are linear in it, so what all functions treat alike is transformed once."""
    values, alike = np.unique(functions[:, : int(grid.total.max()) + 1], axis=1, return_inverse=True)
    size, n_values = len(polynomials) * grid.frequencies, values.shape[1]
    if len(functions) <= n_values or n_values * size > AT_ONCE:
        yield from (transforms(grid, polynomials, function) for function in functions)
        return
    one = np.arange(n_values)[:, None] == alike.ravel()
    parts = np.stack([transforms(grid, polynomials, f) for f in one.astype(np.float64)]).reshape(n_values, -1)
    step = max(AT_ONCE // size, 1)
    for start in range(0, len(functions), step):
        some = values[start : start + step] @ parts.view(np.float64)
        yield from some.view(np.complex128).reshape(len(some), len(polynomials), -1)


def coefficients(grid: Grid, products: ComplexArray) -> FloatArray:
    """The coefficients wanted, (products, coefficients), from transforms (products, frequencies)."""
    back = _inverse(grid)
    parts = np.stack([back.real, -back.imag], axis=1).reshape(2 * len(back), -1)  # only the real part is wanted
    return np.asarray(np.ascontiguousarray(products).view(np.float64) @ parts)


def _inverse(grid: Grid) -> ComplexArray:
    """What takes a transform to its coefficients, (frequencies, coefficients)."""
    last = grid.lengths[-1]
    frequency = np.indices((*grid.lengths[:-1], last // 2 + 1)).reshape(len(grid.lengths), -1).T
    twice = np.where((frequency[:, -1] == 0) | (2 * frequency[:, -1] == last), 1.0, 2.0)  # for the half left out
    turns = (frequency / np.array(grid.lengths)) @ grid.powers.T
    unscaled = grid.scale ** -grid.powers.sum(axis=1).astype(np.float64)
    return np.asarray(twice[:, None] / np.prod(grid.lengths) * np.exp(2j * np.pi * (turns % 1.0)) * unscaled)
