"""The curves that a law draws. R(N) = N_eff(N) / N is efficiency: 1 if every agent counts, 1/N if
they are one.

Sizes and parameters are arrays or numbers that broadcast; so parameters of shape (curves, 1) with
sizes (sizes,) give (curves, sizes).
"""

import numpy as np

from headcount.measures.arrays import FloatArray, IntArray

Sizes = IntArray | FloatArray
Parameter = FloatArray | float


def ringelmann(n: Sizes, c: Parameter, beta: Parameter) -> FloatArray:
    """Efficiency when the correlation of a team of N is rho_N = c N^-beta.

    R = 1 / (1 + c (N - 1) N^-beta) (arXiv 2606.02646, eq. 2). With beta = 0 the team never amounts
    to more than 1/c agents; with beta = 1 to a fixed share of N.

    Returns:
        the broadcast shape, dimensionless; 1 at N = 1 whatever the parameters.
    """
    n = np.asarray(n, dtype=np.float64)
    return np.asarray(1.0 / (1.0 + c * (n - 1.0) * n ** -np.asarray(beta)))


def kish(n: Sizes, rho: Parameter) -> FloatArray:
    """Efficiency when any two agents correlate by rho, whatever the size: Ringelmann's form with
    beta = 0.

    R = 1 / (1 + (N - 1) rho) (arXiv 2606.02646, eq. 1 and app. B).

    Returns:
        the broadcast shape, dimensionless.
    """
    return ringelmann(n, rho, 0.0)


def latane(n: Sizes, t: Parameter, amplitude: Parameter = 1.0) -> FloatArray:
    """Efficiency that falls as a power of the size: Latane's law of human groups.

    R = A N^(t - 1), A = 1 in the law itself (arXiv 2606.02646, app. B; Latane et al. 1979).

    Returns:
        the broadcast shape, dimensionless.
    """
    return np.asarray(amplitude * np.asarray(n, dtype=np.float64) ** (np.asarray(t) - 1.0))


def power(n: Sizes, a: Parameter, b: Parameter, exponent: Parameter) -> FloatArray:
    """A power law with an offset, a + b N^exponent (arXiv 2606.02646, Table 13).

    Returns:
        the broadcast shape, in agents if fitted to N_eff, dimensionless if to R.
    """
    return np.asarray(a + b * np.asarray(n, dtype=np.float64) ** np.asarray(exponent))


def logistic(n: Sizes, top: Parameter, rate: Parameter, middle: Parameter) -> FloatArray:
    """A logistic curve, top / (1 + exp(-rate (N - middle))) (arXiv 2606.02646, Table 13).

    Returns:
        the broadcast shape, in agents if fitted to N_eff, dimensionless if to R.
    """
    z = np.clip(rate * (np.asarray(n, dtype=np.float64) - middle), -500.0, 500.0)  # exp stays finite
    return np.asarray(top / (1.0 + np.exp(-z)))
