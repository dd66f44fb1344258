"""Sums over all teams with given seats of each model, without forming them: coefficients in several variables.

Answer v was given by m_vg agents of model g. As in `subsets_sums`, the sum over the teams with w_g agents of each model
of a product over answers is a coefficient,

    sum over teams of prod_v f(j_v)
        = [z_1^w_1 ... z_G^w_G] prod_v sum_j f(j_1 + ... + j_G) prod_g C(m_vg, j_g) z_g^j_g .

The variables are powers of one (Kronecker): z_g^j_g stands at j_g times the product of all T_h + 1 of the models h
before, T_h being all agents of h, so nothing is carried. Polynomials are multiplied by their Fourier transforms, exact
but for rounding: z is scaled so that the coefficient wanted is among the largest, and its relative error stays near
1e-13.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.subsets_sums import binomials, choose

ComplexArray = NDArray[np.complex128]

LARGEST = 20_000  # terms: 5 models of 6 agents have 7^5 = 16,807
_AT_ONCE = 2**22  # numbers in a block of transforms


@dataclass(frozen=True)
class Grid:
    """The terms of polynomials with T_g agents of each model.

    Attributes:
        agents: (models,), T_g.
        powers: (terms, models), j_g of each term.
    """

    agents: IntArray
    powers: IntArray

    @classmethod
    def of(cls, agents: IntArray) -> "Grid":
        return cls(agents, np.indices((agents[::-1] + 1).tolist()).reshape(agents.size, -1)[::-1].T)

    @property
    def total(self) -> IntArray:
        """Agents of all models in each term, (terms,)."""
        return np.asarray(self.powers.sum(axis=1))

    def places(self, powers: IntArray) -> IntArray:
        """Terms with these powers, (...), from (..., models)."""
        return np.asarray(powers @ np.r_[1, np.cumprod(self.agents + 1)[:-1]])

    def choices(self, counts: IntArray, scale: float) -> FloatArray:
        """prod_g C(m_g, j_g) scale^(j_1 + ... + j_G): an answer's polynomial but for f.

        Args:
            counts: (kinds, models), m_g.
            scale: of z.

        Returns:
            (kinds, terms).
        """
        ways = binomials(int(self.agents.max(initial=0)))
        factors = (choose(ways, counts[:, None, g], self.powers[None, :, g]) for g in range(self.agents.size))
        product = np.broadcast_to(scale ** self.total.astype(np.float64), (len(counts), len(self.powers))).copy()
        for factor in factors:
            product *= factor
        return product


def transforms(grid: Grid, polynomials: FloatArray, function: FloatArray) -> ComplexArray:
    """Transforms of polynomials whose term with j agents is multiplied by f(j).

    Args:
        polynomials: (kinds, terms), from `Grid.choices`.
        function: (degree + 1,), f(j); terms beyond the degree are left out, as they reach no coefficient up to it.
    """
    weight = np.zeros(int(grid.total.max(initial=0)) + 1)
    known = min(weight.size, function.size)
    weight[:known] = function[:known]
    return np.asarray(np.fft.rfft(polynomials * weight[grid.total], axis=1))


def coefficients(
    grid: Grid, factors: list[tuple[ComplexArray, IntArray]], powers: IntArray, scale: float
) -> FloatArray:
    """Coefficients of products of polynomials.

    Args:
        factors: transforms (kinds, frequencies), and which of them each product has, (products, any number); 0 for no
            factor.
        powers: (coefficients, models), which ones are wanted.
        scale: that of `Grid.choices`.

    Returns:
        (products, coefficients).
    """
    back = _inverse(grid, powers, scale)
    products = len(factors[0][1])
    result = np.empty((products, len(powers)))
    for rows in _blocks(products, back.shape[0]):
        product = np.ones((rows.stop - rows.start, back.shape[0]), dtype=np.complex128)
        for table, which in factors:
            for column in which[rows].T:
                here = np.flatnonzero(column)
                product[here] *= table[column[here]]
        result[rows] = (product @ back).real
    return result


def _inverse(grid: Grid, powers: IntArray, scale: float) -> ComplexArray:
    """What takes a transform to some of its coefficients, (frequencies, coefficients)."""
    length = len(grid.powers)
    frequency = np.arange(length // 2 + 1)
    twice = np.where((frequency == 0) | (2 * frequency == length), 1.0, 2.0)  # for the half that is left out
    angle = (frequency[:, None] * grid.places(powers)) % length / length
    return np.asarray(
        twice[:, None] / length * np.exp(2j * np.pi * angle) * scale ** -powers.sum(axis=1).astype(np.float64)
    )


def _blocks(count: int, width: int) -> Iterator[slice]:
    step = max(_AT_ONCE // width, 1)
    return (slice(start, min(start + step, count)) for start in range(0, count, step))
